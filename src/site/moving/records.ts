// Records that arrive, of every type but files: as many as are given are one commit, and each stands or falls alone.
import { postSlug } from '#lib/post-slug.ts';
import type { During } from '#store/writing.ts';
import { keepNew, type Own } from '../content/posts/add.ts';
import { keepOldSlugs } from '../content/posts/change.ts';
import type { Now } from '../content/posts/dates.ts';
import { refuseParent } from '../content/posts/faults.ts';
import { pictureOf } from '../content/posts/featured.ts';
import type { Post } from '../content/posts/post.ts';
import { freeSlug, slugWanted } from '../content/posts/slugs.ts';
import { takeNear, treeLock } from '../content/posts/tree.ts';
import { isNamed } from '../content/statuses.ts';
import { attachment, type ContentType, page } from '../content/types.ts';
import { userLock } from '../identity/users/guards.ts';
import { faultOf } from './failing.ts';
import { mayPoint } from './references.ts';
import type { Fault } from './report.ts';
import { bounds, type Run } from './run.ts';
import { guidKey } from './same.ts';
import { metaOf, soundOf } from './sound.ts';
import type { ArrivedTable, Writing } from './tables.ts';
import { highestKept } from './terms.ts';
import type { TheirRecord } from './theirs.ts';

/** One that is to be made. */
export interface Making {
  readonly theirs: TheirRecord;
  readonly type: ContentType;
  readonly author: number;
  /** By taxonomy. */
  readonly terms: Readonly<Record<string, readonly number[]>>;
  readonly now: Now;
  readonly at: Date;
  /** Of a file. */
  readonly file?: { readonly mime_type: string; readonly guid: string; readonly alongside: Own['alongside'] };
}

export interface Made {
  readonly id?: number;
  /** Why it, or something of it, was refused. */
  readonly faults: readonly Fault[];
}

/** Makes them in one write. Whoever is no author any more by then is refused with their records. */
export async function makeRecords(run: Run, all: readonly Making[]): Promise<readonly Made[]> {
  return run.needs.store.write(async (tx, during) => {
    await hold(during, all);
    const free = await freeIds(tx, during, all);
    const made: Made[] = [];
    const rows: ArrivedTable[] = [];
    const together = new Map<number, number>();
    for (const one of all) {
      try {
        const { post, faults, arrived } = await during.apart(() => makeOne(run, tx, during, one, free, together));
        rows.push(arrived);
        made.push({ id: post.id, faults });
        if (!together.has(one.theirs.id)) together.set(one.theirs.id, post.id);
      } catch (error) {
        made.push({ faults: [faultOf(error, one.theirs, one.theirs.title)] });
      }
    }
    if (rows.length > 0) await tx.insertInto('arrived').values(rows).execute();
    return made;
  }, bounds);
}

/** What others may not change meanwhile, in the order in which others take it. */
async function hold({ share, lock }: During, all: readonly Making[]): Promise<void> {
  const authors = [...new Set(all.map(({ author }) => author))].sort((one, other) => one - other);
  for (const author of authors) await share(userLock(author));
  if (all.some(({ theirs }) => theirs.parent > 0)) await lock(treeLock);
}

const isPossible = (id: number): boolean => Number.isSafeInteger(id) && id > 0 && id <= highestKept;

/** Numbers that nobody has here; what is new from now on gets higher ones. */
async function freeIds(tx: Writing, { numberAbove }: During, all: readonly Making[]): Promise<Set<number>> {
  const ids = [...new Set(all.map(({ theirs }) => theirs.id))].filter(isPossible);
  if (ids.length === 0) return new Set();
  const taken = new Set(
    (await tx.selectFrom('posts').select('id').where('id', 'in', ids).execute()).map(({ id }) => id),
  );
  const free = ids.filter((id) => !taken.has(id));
  if (free.length > 0) await numberAbove('posts', Math.max(...free));
  return new Set(free);
}

/** `together`: numbers there to those here, of what this write has made by now. */
async function makeOne(
  run: Run,
  tx: Writing,
  during: During,
  making: Making,
  free: Set<number>,
  together: ReadonlyMap<number, number>,
) {
  const { theirs, type, file } = making;
  const { needs, options } = run;
  const { writing, metaKeys } = needs.content;
  const filter = options.unfiltered ? undefined : writing.filter;
  const above = run.known.records.get(theirs.parent) ?? together.get(theirs.parent) ?? 0;
  const parent = await parentOf(tx, above, type);
  const shown = run.known.records.get(theirs.featured_media) ?? 0;
  const picture = pictureOf(await takeNear(tx, { parent: 0, featured_media: shown }), shown, 0);
  const sound = soundOf(theirs, { ...making, parent, picture, filter });
  const { meta, faults } = metaOf(theirs.meta, type.name, metaKeys, filter);
  const slug = await slugFor(tx, during, theirs, { ...sound, type });
  const isFree = free.delete(theirs.id);
  const row = { ...sound, slug, ...(isFree && { id: theirs.id }), ...(file && { mime_type: file.mime_type }) };
  const named = { ...row, guid: row.guid || (file?.guid ?? '') };
  const { terms } = making;
  const post = await keepNew(tx, during, named, { type, terms, meta, alongside: file?.alongside }, writing);
  await keepOldSlugs(tx, post.id, theirs.old_slugs);
  const told = faults.map((fault) => faultOf(fault, theirs, theirs.title));
  return { post, faults: told, arrived: arrivedAs(run, making, post) };
}

/** Where it lies, if that is here already and it may lie there; what arrives later is looked at when all are here. */
async function parentOf(tx: Writing, parent: number, type: ContentType): Promise<number> {
  try {
    refuseParent(await takeNear(tx, { parent, featured_media: 0 }), parent, type);
    return parent;
  } catch {
    return 0;
  }
}

async function slugFor(
  tx: Writing,
  during: During,
  { slug }: TheirRecord,
  post: Pick<Post, 'status' | 'title' | 'parent'> & { readonly type: ContentType },
): Promise<string> {
  const wanted = slugWanted(slug, isNamed(post.status) ? post.title : '');
  return wanted && freeSlug(tx, during, wanted, { ...slugPlace(post), id: 0 });
}

/** What is no page may have got the slug of a file after the file did, though no file gets that of another. */
const slugPlace = <P extends { readonly type: ContentType; readonly parent: number }>(post: P) =>
  post.type.name === attachment.name ? { type: page, parent: 0 } : post;

/** What it still lacks is looked at in the end. */
function arrivedAs({ options }: Run, { theirs, type }: Making, post: Post): ArrivedTable {
  const wanted = postSlug(theirs.slug);
  const slug = wanted === post.slug ? '' : wanted;
  const lacks = (id: number, got: number): boolean => id > 0 && got === 0;
  const isUnsettled =
    // It may become free: who has it may lie elsewhere in the end.
    (slug !== '' && type.hierarchical) ||
    lacks(theirs.parent, post.parent) ||
    lacks(theirs.featured_media, post.featured_media) ||
    [
      post.content,
      post.excerpt,
      ...theirs.meta.filter(({ key }) => key === 'enclosure').map(({ value }) => value),
    ].some((text) => mayPoint(text, options.rewrite));
  return {
    post_id: post.id,
    source: options.from,
    theirs: isPossible(theirs.id) ? theirs.id : 0,
    guid_key: guidKey(post.guid),
    slug,
    parent: isPossible(theirs.parent) ? theirs.parent : 0,
    picture: isPossible(theirs.featured_media) ? theirs.featured_media : 0,
    unsettled: isUnsettled ? 1 : 0,
  };
}
