// When everything is here: what lies below what, with which picture, and what texts point at. Done once for each record that still
// lacked something; who breaks off goes on where they were.
import { sql } from 'kysely';
import type { During } from '#store/writing.ts';
import { keepMeta, metaOf } from '../content/meta.ts';
import { follow, keepPost } from '../content/posts/change.ts';
import { refuseParent } from '../content/posts/faults.ts';
import { pictureOf } from '../content/posts/featured.ts';
import { findFound, postLock } from '../content/posts/found.ts';
import type { Post } from '../content/posts/post.ts';
import { freeSlug } from '../content/posts/slugs.ts';
import { takeBranch, takeNear, treeLock } from '../content/posts/tree.ts';
import type { ContentType } from '../content/types.ts';
import { faultOf } from './failing.ts';
import { type Turning, turned } from './references.ts';
import type { Fault } from './report.ts';
import { bounds, type Run } from './run.ts';
import type { ArrivedTable, Writing } from './tables.ts';
import { turningFor } from './turning.ts';

const atOnce = 200;

/** So many letters are looked through together. */
const mostLetters = 2 ** 22;

type Unsettled = Pick<ArrivedTable, 'post_id' | 'theirs' | 'slug' | 'parent' | 'picture'>;

export async function settleRecords(run: Run, progress: (records: number) => void): Promise<void> {
  const hasFiles = await run.known.hasFiles();
  for (let last = 0, done = 0; ; ) {
    const rows = await unsettledAfter(run, last);
    if (rows.length === 0) return;
    const texts = await textsOf(run, rows);
    const turning = await turningFor(run, [...texts.values()].flat(), hasFiles);
    const pointed = rows.flatMap(({ parent, picture }) => [parent, picture]);
    const ids = await run.known.records(pointed);
    const changing = rows.filter((row) => isChanging(row, texts.get(row.post_id) ?? [], turning));
    for (const fault of await settleSome(run, rows, changing, turning, ids)) run.report.fault(fault);
    done += rows.length;
    progress(done);
    last = rows.at(-1)!.post_id;
  }
}

/** As many as their texts are no more than there is room for, but one at least. */
async function unsettledAfter({ needs: { store }, options }: Run, last: number): Promise<Unsettled[]> {
  const rows = await store.db
    .selectFrom('arrived')
    .innerJoin('posts', 'posts.id', 'arrived.post_id')
    .select(['post_id', 'theirs', 'arrived.slug', 'arrived.parent', 'picture'])
    .select(sql<number>`length(posts.content) + length(posts.excerpt)`.as('letters'))
    .where('unsettled', '=', 1)
    .where('source', '=', options.from)
    .where('post_id', '>', last)
    .orderBy('post_id')
    .limit(atOnce)
    .execute();
  let letters = 0;
  const most = rows.findIndex((row, at) => {
    letters += Number(row.letters);
    return at > 0 && letters > mostLetters;
  });
  return most === -1 ? rows : rows.slice(0, most);
}

/** What points somewhere in each of these records. */
async function textsOf({ needs: { store } }: Run, rows: readonly Unsettled[]): Promise<Map<number, string[]>> {
  const ids = rows.map(({ post_id }) => post_id);
  const posts = await store.db
    .selectFrom('posts')
    .select(['id', 'content', 'excerpt'])
    .where('id', 'in', ids)
    .execute();
  const metas = await metaOf(store.db, ids);
  return new Map(
    posts.map(({ id, content, excerpt }) => [id, [content, excerpt, ...enclosuresIn(metas.get(id) ?? {})]]),
  );
}

/** Most texts point at what stays where it is. */
const isChanging = ({ slug, parent, picture }: Unsettled, texts: readonly string[], turning: Turning): boolean =>
  slug !== '' || parent > 0 || picture > 0 || texts.some((text) => turned(text, turning) !== text);

async function settleSome(
  run: Run,
  all: readonly Unsettled[],
  rows: readonly Unsettled[],
  turning: Turning,
  known: ReadonlyMap<number, number>,
): Promise<Fault[]> {
  const idOf = (id: number): number => known.get(id) ?? 0;
  return run.needs.store.write(async (tx, during) => {
    const faults: Fault[] = [];
    for (const { post_id } of rows) await during.lock(postLock(post_id));
    if (rows.some(({ parent }) => parent > 0)) await during.lock(treeLock);
    for (const row of rows) {
      try {
        const wrong = await during.apart(() => settleOne(run, tx, during, row, turning, idOf));
        if (wrong !== undefined) faults.push(wrong);
      } catch (error) {
        faults.push(faultOf(error, { id: row.theirs }, 'item'));
      }
    }
    const ids = all.map(({ post_id }) => post_id);
    await tx.updateTable('arrived').set({ unsettled: 0 }).where('post_id', 'in', ids).execute();
    return faults;
  }, bounds);
}

async function settleOne(
  { needs }: Run,
  tx: Writing,
  during: During,
  row: Unsettled,
  turning: Turning,
  idOf: (id: number) => number,
): Promise<Fault | undefined> {
  const { writing, kinds } = needs.content;
  const before = await findFound(tx, row.post_id);
  if (before === undefined) return undefined;
  const type = kinds.type(before.type)!;
  const { parent, fault } = await placeOf(tx, before, before.parent === 0 ? idOf(row.parent) : 0, type, row);
  const isElsewhere = parent !== before.parent || row.slug !== '';
  const isFree = isElsewhere && type.hierarchical && before.slug !== '';
  const picture = before.featured_media === 0 ? idOf(row.picture) : 0;
  const near = await takeNear(tx, { parent: 0, featured_media: picture });
  const after: Post = {
    ...before,
    parent,
    slug: isFree ? await freeSlug(tx, during, row.slug || before.slug, { ...before, parent, type }) : before.slug,
    featured_media: pictureOf(near, picture === 0 ? undefined : picture, before.featured_media),
    content: turned(before.content, turning),
    excerpt: turned(before.excerpt, turning),
  };
  await keepChanged(tx, during, before, after, writing);
  await turnEnclosures(tx, before.id, turning);
  return fault;
}

/** Below the one it lay below; where it cannot lie there, it stays and that is told. */
async function placeOf(
  tx: Writing,
  { id, parent, title }: Post,
  above: number,
  type: ContentType,
  { theirs }: Unsettled,
): Promise<{ readonly parent: number; readonly fault?: Fault }> {
  if (above === 0) return { parent };
  try {
    refuseParent(await takeNear(tx, { parent: above, featured_media: 0 }), above, type, id);
    return { parent: above };
  } catch (error) {
    return { parent, fault: { ...faultOf(error, { id: theirs }, title), code: 'cycle' } };
  }
}

type Found = NonNullable<Awaited<ReturnType<typeof findFound>>>;

/** What nothing changes in is not written. */
async function keepChanged(
  tx: Writing,
  during: During,
  before: Found,
  after: Post,
  writing: Parameters<typeof follow>[4],
): Promise<void> {
  const moved: readonly (keyof Post)[] = ['parent', 'slug', 'featured_media', 'content', 'excerpt'];
  if (moved.every((key) => before[key] === after[key])) return;
  if (before.parent !== after.parent) await takeBranch(tx, before);
  const post = await keepPost(tx, before, after);
  await follow(tx, during, before, post, writing);
}

const key = 'enclosure';

const enclosuresIn = (meta: Readonly<Record<string, unknown>>): string[] =>
  [meta[key]].flat().filter((one): one is string => typeof one === 'string');

async function turnEnclosures(tx: Writing, post: number, turning: Turning): Promise<void> {
  const meta = (await metaOf(tx, [post])).get(post) ?? {};
  const before = enclosuresIn(meta);
  const after = before.map((text) => turned(text, turning));
  if (before.every((text, at) => text === after[at])) return;
  await keepMeta(tx, post, { [key]: after.length === 1 ? after[0] : after });
}
