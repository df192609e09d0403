// The part of its address that is a record's own, and nobody else's where it could be mistaken for another's.
import type { Expression, ExpressionBuilder, SqlBool } from 'kysely';
import { postSlug, shortSlug } from '#lib/slug.ts';
import type { Reads } from '#store/handles.ts';
import type { During } from '#store/writing.ts';
import type { ContentTables, PostsTable, Writing } from '../tables.ts';
import type { ContentType, Kinds } from '../types.ts';

const most = 200;

/** What stands behind these in an address has a meaning of its own. */
const reserved = new Set(['feed', 'rdf', 'rss', 'rss2', 'atom', 'embed']);
/** As does a number of a page. */
const numbered = /^page\d+$/;

interface Place {
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

/**
 * Which of many slugs nobody has, wherever, and nothing else means: each can be given to one record without a further look. Others that
 * want them wait for this write.
 */
export async function unusedAmong(
  tx: Writing,
  { lock }: Lock,
  wanted: readonly string[],
  kinds: Pick<Kinds, 'taken'>,
): Promise<Set<string>> {
  const isPlain = (slug: string): boolean =>
    slug !== '' && !reserved.has(slug) && !numbered.test(slug) && !isTaken(slug, kinds);
  const unused = new Set(wanted.filter(isPlain));
  if (unused.size === 0) return unused;
  // In one order, so that two who want many never wait in a ring.
  const locks = [...new Set([...unused].map(slugLock))].sort();
  const used = tx
    .selectFrom('posts')
    .select('slug')
    .distinct()
    .where('slug', 'in', [...unused]);
  // Said together, done one after the other: what is looked up is what is there once nobody else writes.
  const locked = Promise.all(locks.map(lock));
  const [rows] = await Promise.all([used.execute(), locked]);
  for (const { slug } of rows) unused.delete(slug);
  return unused;
}

/** How many are looked up at first, and at most: a statement has a limit of parameters. */
const atOnce = 10;
const mostAtOnce = 10_000;

/** As it would be just now. */
async function firstFree(db: Db, wanted: string, place: Place): Promise<string> {
  for (let from = 1, many = atOnce; ; from += many, many = Math.min(2 * many, mostAtOnce)) {
    const candidates = numberedFrom(wanted, from, many);
    const taken = await takenAmong(db, candidates, place);
    const free = candidates.find((one) => !taken.has(one) && !isReserved(one, place));
    if (free !== undefined) return free;
  }
}

interface Wish {
  readonly slug: string;
  readonly place: Place;
}

/** The same for many that do not know of each other: what they hardly ever need more than is asked once for all. */
export async function firstFreeOnes(db: Db, wishes: readonly Wish[]): Promise<string[]> {
  const all = wishes.map((wish) => ({ ...wish, candidates: numberedFrom(wish.slug, 1, atOnce) }));
  const neighbours = await neighboursOf(db, all);
  return Promise.all(
    all.map(async ({ slug, place, candidates }) => {
      const isTaken = (one: string): boolean =>
        neighbours.some((row) => row.slug === one && row.id !== place.id && isBeside(row, place));
      return candidates.find((one) => !isReserved(one, place) && !isTaken(one)) ?? (await firstFree(db, slug, place));
    }),
  );
}

const numberedFrom = (slug: string, from: number, many: number): string[] =>
  Array.from({ length: many }, (_, at) => numberedSlug(slug, from + at));

const isReserved = (slug: string, { type, parent }: Place): boolean =>
  reserved.has(slug) || (type.hierarchical && numbered.test(slug)) || (isAtTop(type, parent) && isTaken(slug, type));

/** Files come there without a change of their slug, when what they are attached to goes. */
const isAtTop = ({ name }: ContentType, parent: number): boolean => parent === 0 || name === 'attachment';

const isTaken = (slug: string, { taken }: Pick<ContentType, 'taken'>): boolean => taken?.has(slug) === true;

function numberedSlug(slug: string, number: number): string {
  if (number === 1) return slug;
  const suffix = `-${number}`;
  return shortSlug(slug, most - suffix.length) + suffix;
}

/** The same for every slug that could become another by a number: writes that want them wait for each other. */
export const slugLock = (slug: string): string => `slug ${slug.replace(/(?:-\d+)+$/, '').slice(0, most / 2)}`;

async function takenAmong(db: Db, slugs: readonly string[], place: Place): Promise<Set<string>> {
  const rows = db.selectFrom('posts').select('slug').where('slug', 'in', slugs).where('id', '<>', place.id);
  return new Set((await rows.where((row) => beside(row, place)).execute()).map(({ slug }) => slug));
}

/** Those that could be in the way of any of these. */
async function neighboursOf(db: Db, wishes: readonly (Wish & { readonly candidates: readonly string[] })[]) {
  if (wishes.length === 0) return [];
  const places = new Map(wishes.map(({ place }) => [placeKey(place), place]));
  const slugsAt = (key: string): string[] => [
    ...new Set(wishes.filter(({ place }) => placeKey(place) === key).flatMap(({ candidates }) => candidates)),
  ];
  return db
    .selectFrom('posts')
    .select(['id', 'slug', 'type', 'parent'])
    .where((row) =>
      row.or([...places].map(([key, place]) => row.and([row('slug', 'in', slugsAt(key)), beside(row, place)]))),
    )
    .execute();
}

const placeKey = ({ type, parent }: Place): string => (type.hierarchical ? `${type.name} ${parent}` : type.name);

type OnPosts = ExpressionBuilder<Pick<ContentTables, 'posts'>, 'posts'>;

/** Files are found by their slug alone, so they and pages keep clear of each other. */
function beside(row: OnPosts, { type, parent }: Place): Expression<SqlBool> {
  if (type.name === 'attachment') return row.lit(true);
  if (!type.hierarchical) return row('type', '=', type.name);
  return row.or([row.and([row('type', '=', type.name), row('parent', '=', parent)]), row('type', '=', 'attachment')]);
}

/** The same, of one that was found. */
function isBeside(other: Pick<PostsTable, 'type' | 'parent'>, { type, parent }: Place): boolean {
  if (type.name === 'attachment') return true;
  if (!type.hierarchical) return other.type === type.name;
  return (other.type === type.name && other.parent === parent) || other.type === 'attachment';
}

const trashed = '__trashed';

/** Its slug is free for others while it is in the trash. */
export const trashedSlug = (slug: string): string => shortSlug(slug, most - trashed.length) + trashed;

/** What is wanted, cleaned; else what its title gives. */
export const slugWanted = (said: string | undefined, title: string): string => postSlug(said ?? '') || postSlug(title);
