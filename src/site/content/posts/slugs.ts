// The part of its address that is a record's own, and nobody else's where it could be mistaken for another's.
import { postSlug, shortSlug } from '#lib/post-slug.ts';
import type { Reads } from '#store/handles.ts';
import type { During } from '#store/writing.ts';
import type { ContentTables, Writing } from '../tables.ts';
import type { ContentType } from '../types.ts';

const most = 200;

/** What stands behind these in an address has a meaning of its own. */
const reserved = new Set(['feed', 'rdf', 'rss', 'rss2', 'atom', 'embed']);
/** As does a number of a page. */
const numbered = /^page\d+$/;

export interface Place {
  /** 0 for a new one. */
  readonly id: number;
  readonly type: ContentType;
  readonly parent: number;
}

type Db = Reads<Pick<ContentTables, 'posts'>>;
type Lock = Pick<During, 'lock'>;

/** The slug, with the first number behind it that makes it this record's alone. Others that want the same wait for this write. */
export async function freeSlug(tx: Writing, { lock }: Lock, wanted: string, place: Place): Promise<string> {
  // Said together, done one after the other: what is looked up is what is there once nobody else writes.
  const [, slug] = await Promise.all([lock(slugLock(wanted)), firstFree(tx, wanted, place)]);
  return slug;
}

/** As it would be just now. */
export async function firstFree(db: Db, wanted: string, place: Place): Promise<string> {
  const isReserved = reserved.has(wanted) || (place.type.hierarchical && numbered.test(wanted));
  for (let from = 1, many = 10; ; from += many, many *= 2) {
    const candidates = Array.from({ length: many }, (_, at) => numberedSlug(wanted, from + at));
    const taken = await takenAmong(db, candidates, place);
    if (isReserved) taken.add(wanted);
    const free = candidates.find((one) => !taken.has(one));
    if (free !== undefined) return free;
  }
}

function numberedSlug(slug: string, number: number): string {
  if (number === 1) return slug;
  const suffix = `-${number}`;
  return shortSlug(slug, most - suffix.length) + suffix;
}

/** The same for every slug that could become another by a number: writes that want them wait for each other. */
export const slugLock = (slug: string): string => `slug ${slug.replace(/(?:-\d+)+$/, '').slice(0, most / 2)}`;

/** Files are found by their slug alone, so they and pages keep clear of each other. */
async function takenAmong(db: Db, slugs: readonly string[], { id, type, parent }: Place): Promise<Set<string>> {
  let rows = db.selectFrom('posts').select('slug').where('slug', 'in', slugs).where('id', '<>', id);
  if (type.hierarchical) {
    rows = rows.where((row) =>
      row.or([row.and([row('type', '=', type.name), row('parent', '=', parent)]), row('type', '=', 'attachment')]),
    );
  } else if (type.name !== 'attachment') rows = rows.where('type', '=', type.name);
  return new Set((await rows.execute()).map(({ slug }) => slug));
}

const trashed = '__trashed';

/** Its slug is free for others while it is in the trash. */
export const trashedSlug = (slug: string): string => shortSlug(slug, most - trashed.length) + trashed;

/** What is wanted, cleaned; else what its title gives. */
export const slugWanted = (said: string | undefined, title: string): string => postSlug(said ?? '') || postSlug(title);
