// When everything is here: what lies below what, with which picture, and what texts point at. Done once for each record that still
// lacked something; who breaks off goes on where they were.
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
import { fileFor, keysFor, movedHome } from './addresses.ts';
import { faultOf } from './failing.ts';
import { addressesIn, type Turning, turned } from './references.ts';
import type { Fault } from './report.ts';
import { bounds, type Run } from './run.ts';
import type { ArrivedTable, Writing } from './tables.ts';

const atOnce = 200;

type Unsettled = Pick<ArrivedTable, 'post_id' | 'theirs' | 'slug' | 'parent' | 'picture'>;

export async function settleRecords(run: Run, progress: (records: number) => void | Promise<void>): Promise<void> {
  for (let last = 0, done = 0; ; ) {
    const rows = await unsettledAfter(run, last);
    if (rows.length > 0) {
      const turning = await turningFor(run, rows);
      const ids = await numbersFor(run, rows);
      for (const fault of await settleSome(run, rows, turning, ids)) run.report.fault(fault);
    }
    done += rows.length;
    await progress(done);
    if (rows.length < atOnce) return;
    last = rows.at(-1)!.post_id;
  }
}

const unsettledAfter = ({ needs: { store }, options }: Run, last: number): Promise<Unsettled[]> =>
  store.db
    .selectFrom('arrived')
    .select(['post_id', 'theirs', 'slug', 'parent', 'picture'])
    .where('unsettled', '=', 1)
    .where('source', '=', options.from)
    .where('post_id', '>', last)
    .orderBy('post_id')
    .limit(atOnce)
    .execute();

/** What numbers there are here, also of those that came another time under the numbers they had. */
async function numbersFor({ needs: { store }, options, known }: Run, rows: readonly Unsettled[]) {
  const asked = rows.flatMap(({ parent, picture }) => [parent, picture]).filter((id) => id > 0);
  const unknown = [...new Set(asked)].filter((id) => !known.records.has(id));
  const kept = new Set<number>();
  if (unknown.length > 0) {
    const came = store.db.selectFrom('arrived').select('post_id').where('post_id', 'in', unknown);
    const ours = came.where('source', '=', options.from).whereRef('theirs', '=', 'post_id');
    for (const { post_id } of await ours.execute()) kept.add(post_id);
  }
  return (id: number): number => known.records.get(id) ?? (kept.has(id) ? id : 0);
}

/** With the files looked up that these texts point at. */
async function turningFor(run: Run, rows: readonly Unsettled[]): Promise<Turning> {
  const { needs, options, known } = run;
  const { store, content, url } = needs;
  const texts = await store.db
    .selectFrom('posts')
    .select(['content', 'excerpt'])
    .where(
      'id',
      'in',
      rows.map(({ post_id }) => post_id),
    )
    .execute();
  const metas = await metaOf(
    store.db,
    rows.map(({ post_id }) => post_id),
  );
  const all = texts.flatMap((row) => [row.content, row.excerpt]).concat([...metas.values()].flatMap(enclosuresIn));
  const found = options.rewrite && known.files.size > 0 ? all.flatMap(addressesIn) : [];
  const idOf = (address: string): number | undefined =>
    keysFor(address)
      .flatMap((key) => known.files.get(key) ?? [])
      .at(0);
  const ids = [...new Set(found.flatMap((address) => idOf(address) ?? []))];
  const files = await content.media.files(ids);
  return {
    number: (id) => {
      const now = known.records.get(id);
      return now === id ? undefined : now;
    },
    address: (address) => {
      if (!options.rewrite) return undefined;
      const id = idOf(address);
      const file = id === undefined ? undefined : files.get(id);
      if (file !== undefined)
        return content.media.urlOf(fileFor(address, file)) + /(?:[?#&].*|[.,;:!]+)?$/.exec(address)![0];
      return movedHome(address, options.from, url);
    },
  };
}

async function settleSome(
  run: Run,
  rows: readonly Unsettled[],
  turning: Turning,
  idOf: (id: number) => number,
): Promise<Fault[]> {
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
    const ids = rows.map(({ post_id }) => post_id);
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
