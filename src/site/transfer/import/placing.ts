// When everything is here: what lies below what, and with which picture. Addresses say it, so it comes before texts.
import type { During } from '#store/writing.ts';
import { follow, keepPost } from '../../content/posts/change.ts';
import { refuseParent } from '../../content/posts/faults.ts';
import { pictureOf } from '../../content/posts/featured.ts';
import { findFound, postLock } from '../../content/posts/found.ts';
import type { Post } from '../../content/posts/post.ts';
import { freeSlug } from '../../content/posts/slugs.ts';
import { takeBranch, takeNear, treeLock } from '../../content/posts/tree.ts';
import type { ContentType } from '../../content/types.ts';
import { readOwed } from './owed.ts';
import type { Fault } from './report.ts';
import { bounds, faultOf, type Run } from './run.ts';
import type { Writing } from './tables.ts';
import { type Unsettled, unsettled } from './unsettled.ts';

export async function placeRecords(run: Run): Promise<void> {
  for await (const rows of unsettled(run, false)) {
    const ids = await run.known.records(rows.flatMap(({ parent, picture }) => [parent, picture]));
    const moving = rows.map((row) => wayOf(row, ids)).filter(isMoving);
    if (moving.length === 0) continue;
    for (const fault of await placeSome(run, moving)) run.report.fault(fault);
  }
}

/** A record, and where it belongs as far as that is to be changed. */
interface Way {
  readonly row: Unsettled;
  readonly parent: number;
  readonly picture: number;
  readonly slug: string;
}

/** What was looked at before is looked at again only where it was owed. */
function wayOf(row: Unsettled, ids: ReadonlyMap<number, number>): Way {
  const owed = readOwed(row.owed);
  const isOwed = (what: 'parent' | 'picture'): boolean => owed === undefined || owed[what] === true;
  return {
    row,
    parent: row.above === 0 && isOwed('parent') ? (ids.get(row.parent) ?? 0) : 0,
    picture: row.shown === 0 && isOwed('picture') ? (ids.get(row.picture) ?? 0) : 0,
    slug: owed === undefined ? row.slug : '',
  };
}

const isMoving = ({ parent, picture, slug }: Way): boolean => parent > 0 || picture > 0 || slug !== '';

const placeSome = (run: Run, moving: readonly Way[]): Promise<Fault[]> =>
  run.needs.store.write(async (tx, during) => {
    const faults: Fault[] = [];
    for (const { row } of moving) await during.lock(postLock(row.post_id));
    if (moving.some(({ parent }) => parent > 0)) await during.lock(treeLock);
    for (const way of moving) {
      try {
        const wrong = await during.apart(() => placeOne(run, tx, during, way));
        if (wrong !== undefined) faults.push(wrong);
      } catch (error) {
        faults.push(faultOf(error, { id: way.row.theirs }, 'item'));
      }
    }
    return faults;
  }, bounds);

async function placeOne({ needs }: Run, tx: Writing, during: During, way: Way): Promise<Fault | undefined> {
  const { writing, kinds } = needs.content;
  const before = await findFound(tx, way.row.post_id);
  if (before === undefined) return undefined;
  const type = kinds.type(before.type)!;
  const { parent, fault } = await placeOf(tx, before, before.parent === 0 ? way.parent : 0, type, way.row);
  const isElsewhere = parent !== before.parent || way.slug !== '';
  const isFree = isElsewhere && type.hierarchical && before.slug !== '';
  const picture = before.featured_media === 0 ? way.picture : 0;
  const near = await takeNear(tx, { parent: 0, featured_media: picture });
  const wanted = way.slug || before.slug;
  const after: Post = {
    ...before,
    parent,
    slug: isFree ? await freeSlug(tx, during, wanted, { ...before, parent, type }) : before.slug,
    featured_media: pictureOf(near, picture === 0 ? undefined : picture, before.featured_media),
  };
  await keepChanged(tx, during, before, after, writing);
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
export async function keepChanged(
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
