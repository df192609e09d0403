// When everything is here: what lies below what, and with which picture. Addresses say it, so it comes before texts.

import { sql } from 'kysely';
import type { During } from '#store/writing.ts';
import { follow, keepPost } from '../../content/posts/change.ts';
import { refuseParent } from '../../content/posts/faults.ts';
import type { Post } from '../../content/posts/post.ts';
import { findFound, postLock } from '../../content/posts/rows.ts';
import { freeSlug } from '../../content/posts/slugs.ts';
import { pictureOf, takeBranch, takeNear, treeLock } from '../../content/posts/tree.ts';
import type { ContentType } from '../../content/types.ts';
import { movedHome } from './addresses.ts';
import { type Turning, turned } from './references.ts';
import type { Fault } from './report.ts';
import { bounds, faultOf, type Run } from './run.ts';
import type { ArrivedTable, Writing } from './tables.ts';
import type { Pointing } from './turning.ts';

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

/** Records that are to be looked at when everything is here: for the first time, or again for what came only now. */
export interface Unsettled extends Pick<ArrivedTable, 'post_id' | 'theirs' | 'slug' | 'parent' | 'picture' | 'owed'> {
  /** What it lies below here, and the picture it is shown with here. */
  readonly above: number;
  readonly shown: number;
}

const atOnce = 200;

/** So many letters are looked through together. */
const mostLetters = 2 ** 22;

/** As many at a time as their texts are no more than there is room for, but one at least. */
export async function* unsettled(run: Run, isPlaced: boolean): AsyncGenerator<Unsettled[]> {
  for (let last = 0; ; ) {
    const rows = await unsettledAfter(run, last, isPlaced);
    if (rows.length === 0) return;
    yield rows;
    last = rows.at(-1)!.post_id;
  }
}

async function unsettledAfter({ needs: { store }, options }: Run, last: number, isPlaced: boolean) {
  const rows = await store.db
    .selectFrom('arrived')
    .innerJoin('posts', 'posts.id', 'arrived.post_id')
    .select(['post_id', 'theirs', 'arrived.slug', 'arrived.parent', 'picture', 'owed'])
    .select(['posts.parent as above', 'posts.featured_media as shown'])
    .select(sql<number>`length(posts.content) + length(posts.excerpt)`.as('letters'))
    .where('unsettled', '=', 1)
    .where('source', '=', options.from)
    .where('post_id', '>', last)
    .$if(!isPlaced, (query) =>
      query.where(({ or, eb }) =>
        or([eb('arrived.parent', '>', 0), eb('picture', '>', 0), eb('arrived.slug', '<>', '')]),
      ),
    )
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

// What a record pointed at that was not here when everything else was: a later move may bring it, and then only that is mended, so that
// nothing is turned twice.

export interface Owed {
  readonly parent?: true | undefined;
  readonly picture?: true | undefined;
  /** Numbers there. */
  readonly numbers: readonly number[];
  /** What stands behind the address of the other site, in texts that have that of this one by now. */
  readonly paths: readonly string[];
  /** Files at other addresses. */
  readonly files?: true | undefined;
}

/** What is remembered of one record, and how long a path may be for that. */
const most = { numbers: 200, paths: 100, path: 300 };

export const readOwed = (kept: string | null): Owed | undefined =>
  kept === null ? undefined : (JSON.parse(kept) as Owed);

/** Nothing where nothing is owed. */
export function keptOwed(owed: Owed): string | null {
  const { parent, picture, numbers, paths, files } = owed;
  const isNothing = !parent && !picture && !files && numbers.length + paths.length === 0;
  return isNothing ? null : JSON.stringify({ parent, picture, numbers, paths, files } satisfies Partial<Owed> & object);
}

/** With the addresses that the other site gave, where what was there is owed. */
export function asThere(text: string, { options, needs }: Run, owed: Owed | undefined): string {
  if (owed === undefined || owed.paths.length === 0) return text;
  const paths = new Set(owed.paths);
  const address = (found: string): string | undefined => {
    const path = found.startsWith(needs.url) ? found.slice(needs.url.length) : '';
    return paths.has(path) ? options.from + path : undefined;
  };
  return turned(text, { address, number: () => undefined });
}

/** Numbers and addresses of this site were turned before, but for those that are owed. */
export function turningOf(turning: Turning, { options, needs }: Run, owed: Owed | undefined): Turning {
  if (owed === undefined) return turning;
  const [numbers, paths] = [new Set(owed.numbers), new Set(owed.paths)];
  const isOpen = (found: string): boolean =>
    !found.startsWith(needs.url) || paths.has(movedHome(found, options.from, '') ?? '');
  return {
    address: (found) => (isOpen(found) ? turning.address(found) : undefined),
    number: (id) => (numbers.has(id) ? turning.number(id) : undefined),
  };
}

const file = /^https?:\/\/[^/]+\/[^?#]*\.[a-z\d]{2,5}(?:[?#.,;:!]|$)/i;

/** What these texts still lack. Of a site without an address nothing is, for nobody would know it again. */
export function lackingIn(texts: readonly string[], { options }: Run, turning: Pointing, before?: Owed): Owed {
  const numbers = new Set<number>();
  const taken = new Set<number>();
  const paths = new Set<string>();
  let files = false as boolean;
  const looking: Turning = {
    number(id) {
      if (!turning.isHere(id)) numbers.add(id);
      else taken.add(turning.number(id) ?? id);
      return undefined;
    },
    address(found) {
      if (!options.rewrite || turning.isHere(found)) return undefined;
      const path = movedHome(found, options.from, '');
      if (path === undefined) files ||= file.test(found);
      else if (path !== '' && path !== '/' && path.length <= most.path) paths.add(path);
      return undefined;
    },
  };
  if (options.from !== '') for (const text of texts) turned(text, looking);
  // One that another has by now could be either.
  const open = [...numbers].filter((id) => !taken.has(id) && (before?.numbers.includes(id) ?? true));
  return {
    numbers: open.slice(0, most.numbers),
    paths: [...paths].slice(0, most.paths),
    ...(files && { files: true }),
  };
}
