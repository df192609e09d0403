// Records that arrive, of every type but files: as many as are given are one commit, and each stands or falls alone.
import { postSlug } from '#lib/slug.ts';
import type { During } from '#store/writing.ts';
import type { MetaValues } from '../../content/meta.ts';
import { keepOneOfMany, type New, type Own } from '../../content/posts/add.ts';
import { keepOldSlugs } from '../../content/posts/change.ts';
import type { Now } from '../../content/posts/dates.ts';
import { refuseParent } from '../../content/posts/faults.ts';
import { type Findable, nowFindable, soonFindable } from '../../content/posts/found-by.ts';
import type { Post } from '../../content/posts/post.ts';
import { countNew } from '../../content/posts/rows.ts';
import { freeSlug, slugWanted, unusedAmong } from '../../content/posts/slugs.ts';
import { pictureOf, takeNear, treeLock } from '../../content/posts/tree.ts';
import { isNamed } from '../../content/statuses.ts';
import { attachment, type ContentType, page } from '../../content/types.ts';
import { userLock } from '../../identity/users/guards.ts';
import type { More } from '../../platform/totals.ts';
import type { Pair } from './known.ts';
import { mayPoint } from './references.ts';
import type { Fault } from './report.ts';
import { bounds, faultOf, type Run } from './run.ts';
import { guidKey } from './same.ts';
import { metaOf, type Sound, soundOf } from './sound.ts';
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
  /** Whether what it points at is as it is to be, and is not looked at again. */
  readonly isSettled?: boolean;
  /** Of a file. */
  readonly file?: { readonly mime_type: string; readonly guid: string; readonly alongside: Own['alongside'] };
}

export interface Made {
  readonly id?: number;
  /** Why it, or something of it, was refused. */
  readonly faults: readonly Fault[];
}

/** One as it would be kept, but for what only the write can tell. */
interface Ready {
  readonly making: Making;
  readonly sound: Sound;
  readonly meta: MetaValues;
  readonly faults: readonly unknown[];
  /** Empty for none. */
  readonly wanted: string;
}

/** Makes them in one write. Whoever is no author any more by then is refused with their records. */
export async function makeRecords(run: Run, all: readonly Making[]): Promise<readonly Made[]> {
  const made: Made[] = [];
  const ready = new Map<number, Ready>();
  for (const [at, making] of all.entries()) {
    try {
      ready.set(at, readyOf(run, making));
    } catch (error) {
      made[at] = refusedOf(error, making);
    }
  }
  if (ready.size === 0) return made;
  const before = await run.known.records(all.flatMap(({ theirs }) => [theirs.parent, theirs.featured_media]));
  const { store } = run.needs;
  const kept = await store.write((tx, during) => keepAll(run, tx, during, [...ready.values()], before), bounds);
  for (const [nth, at] of [...ready.keys()].entries()) made[at] = kept[nth]!;
  return made;
}

const refusedOf = (error: unknown, { theirs }: Making): Made => ({ faults: [faultOf(error, theirs, theirs.title)] });

function readyOf({ needs, options }: Run, making: Making): Ready {
  const { theirs, type } = making;
  const { writing, metaKeys } = needs.content;
  const filter = options.unfiltered ? undefined : writing.filter;
  const sound = soundOf(theirs, { ...making, parent: 0, picture: 0, filter });
  const { meta, faults } = metaOf(theirs.meta, type.name, metaKeys, filter);
  return { making, sound, meta, faults, wanted: slugWanted(theirs.slug, isNamed(sound.status) ? sound.title : '') };
}

/** What is looked up and written for all of them together, around what each needs for itself. */
async function keepAll(
  run: Run,
  tx: Writing,
  during: During,
  all: readonly Ready[],
  before: Known['before'],
): Promise<readonly Made[]> {
  await hold(
    during,
    all.map(({ making }) => making),
  );
  const unused = await unusedAmong(
    tx,
    during,
    all.map(({ wanted }) => wanted),
    run.needs.content.kinds,
  );
  const free = await freeIds(tx, during, all);
  const findable = await soonFindable(
    tx,
    all.map(({ sound }) => sound),
  );
  const known: Known = { free, unused, before, together: new Map() };
  const made: Made[] = [];
  const kept: (Kept & Findable & Pair)[] = [];
  for (const [at, one] of all.entries()) {
    const { theirs } = one.making;
    try {
      const done = await during.apart(() => makeOne(run, tx, during, one, known));
      const { id, slug } = done.post;
      kept.push({ ...done, ...findable[at]!, theirs, id });
      unused.delete(slug);
      if (!known.together.has(theirs.id)) known.together.set(theirs.id, id);
      made.push({ id, faults: one.faults.map((fault) => faultOf(fault, theirs, theirs.title)) });
    } catch (error) {
      made.push(refusedOf(error, one.making));
    }
  }
  if (kept.length === 0) return made;
  await nowFindable(tx, kept);
  await countNew(tx, kept);
  const arrived = kept.map((one) => one.arrived);
  await tx.insertInto('arrived').values(arrived).execute();
  await run.known.keep(
    tx,
    kept.map(({ theirs, id }) => ({ theirs, id })),
  );
  return made;
}

/** What others may not change meanwhile, in the order in which others take it. */
async function hold({ share, lock }: During, all: readonly Making[]): Promise<void> {
  const authors = [...new Set(all.map(({ author }) => author))].sort((one, other) => one - other);
  for (const author of authors) await share(userLock(author));
  if (all.some(({ theirs }) => theirs.parent > 0)) await lock(treeLock);
}

const isPossible = (id: number): boolean => Number.isSafeInteger(id) && id > 0 && id <= highestKept;

/** What the write knows of all of them. */
interface Known {
  /** Numbers that nobody has here. */
  readonly free: Set<number>;
  /** Slugs that nobody has here. */
  readonly unused: Set<string>;
  /** Numbers there to those here, of what they point at and was made before. */
  readonly before: ReadonlyMap<number, number>;
  /** The same of what this write has made by now. */
  readonly together: Map<number, number>;
}

interface Kept {
  readonly post: Post;
  readonly terms: More;
  readonly arrived: ArrivedTable;
}

/** What is new from now on gets higher numbers. */
async function freeIds(tx: Writing, { numberAbove }: During, all: readonly Ready[]): Promise<Set<number>> {
  const ids = [...new Set(all.map(({ making }) => making.theirs.id))].filter(isPossible);
  if (ids.length === 0) return new Set();
  const taken = new Set(
    (await tx.selectFrom('posts').select('id').where('id', 'in', ids).execute()).map(({ id }) => id),
  );
  const free = ids.filter((id) => !taken.has(id));
  if (free.length > 0) await numberAbove('posts', Math.max(...free));
  return new Set(free);
}

async function makeOne(run: Run, tx: Writing, during: During, ready: Ready, known: Known): Promise<Kept> {
  const { making, sound, meta, wanted } = ready;
  const { theirs, type, terms, file } = making;
  const above = known.before.get(theirs.parent) ?? known.together.get(theirs.parent) ?? 0;
  const parent = await parentOf(tx, above, type);
  const shown = known.before.get(theirs.featured_media) ?? 0;
  const picture = pictureOf(await takeNear(tx, { parent: 0, featured_media: shown }), shown, 0);
  const isUnused = known.unused.has(wanted);
  const slug = isUnused || wanted === '' ? wanted : await freeSlug(tx, during, wanted, slugPlace(run, type, parent));
  const isFree = known.free.delete(theirs.id);
  const row: New = {
    ...sound,
    parent,
    slug,
    featured_media: picture,
    guid: sound.guid || (file?.guid ?? ''),
    ...(isFree && { id: theirs.id }),
    ...(file && { mime_type: file.mime_type }),
  };
  const own = { type, terms, meta, alongside: file?.alongside };
  const kept = await keepOneOfMany(tx, during, row, own, run.needs.content.writing);
  await keepOldSlugs(tx, kept.post.id, theirs.old_slugs);
  return { ...kept, arrived: arrivedAs(run, making, kept.post) };
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

/** What is no page may have got the slug of a file after the file did, though no file gets that of another. */
const slugPlace = ({ needs }: Run, type: ContentType, parent: number) =>
  type.name === attachment.name
    ? { type: needs.content.kinds.type(page.name)!, parent: 0, id: 0 }
    : { type, parent, id: 0 };

/** What it still lacks is looked at in the end. */
function arrivedAs({ options }: Run, { theirs, type, isSettled = false }: Making, post: Post): ArrivedTable {
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
    unsettled: isUnsettled && !isSettled ? 1 : 0,
    owed: null,
  };
}
