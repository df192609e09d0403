// Names of files are reserved before a byte is written, so that two uploads at once never write into one file, even in two
// processes. They are free again when the files are gone.
import { createHash, randomInt, randomUUID } from 'node:crypto';
import { day } from '#lib/spans.ts';
import { type Instant, instant } from '#store/columns.ts';
import { inSlices } from '#store/slices.ts';
import type { Store } from '#store/store.ts';
import type { Files } from '../../files/files.ts';
import type { Clock } from '../../platform/clock.ts';
import { contentErrors } from '../errors.ts';
import type { Post } from '../posts/post.ts';
import type { ContentTables, Writing } from '../tables.ts';
import { attachment } from '../types.ts';

interface Needs {
  readonly store: Store<ContentTables>;
  readonly files: Files;
  readonly clock: Clock;
}

export interface PathRequest {
  readonly stem: string;
  /** Every path that a file with this stem needs, its own first. */
  paths(stem: string): readonly string[];
  /** Made by `claimFor`. Names that a broken-off attempt of the same work reserved go to this attempt. */
  readonly claim?: string | undefined;
}

/** What the work is, which is the same for whoever does it again, and who does it now. */
export const claimFor = (work: string): string =>
  `${createHash('sha256').update(work).digest('base64url')} ${randomUUID()}`;

const workOf = (claim: string | null): string | undefined => claim?.split(' ', 1)[0];

export interface ReservedPaths {
  /** Reserves this name for the work, unless another record has it. */
  takeExactly(path: string, claim: string, post: number): Promise<'reserved' | 'own' | 'taken'>;
  /** Answers the stem that was free: the one wanted, or with a number behind it. */
  take(wanted: PathRequest): Promise<string>;
  /** Of names that were taken, erases the files that no record holds, and then these names are free. With a claim, those it still holds. */
  clear(paths: readonly string[], claim?: string): Promise<void>;
  /** The same for those of a record that was erased: somebody else may have cleared and taken them since. */
  clearReleased(paths: readonly string[]): Promise<void>;
  /** Erases those of these files whose names nobody has ever taken. Answers their paths. */
  clearUnclaimed(paths: readonly string[]): Promise<string[]>;
  /** Clears what was taken and never kept, and what no record holds any more. */
  sweep(goOn: () => void): Promise<number>;
}

/** Beyond these, numbers are drawn: nobody waits for a thousand questions. */
const inOrder = 20;
const tries = 40;
const atOnce = 100;

/** Nobody is at work on a file for so long. */
const forgotten = day;

const numbered = (stem: string, attempt: number): string => {
  if (attempt === 0) return stem;
  return `${stem}-${attempt <= inOrder ? attempt : randomInt(1_000, 1_000_000_000)}`;
};

export function createReservedPaths({ store, files, clock }: Needs): ReservedPaths {
  const retake = (paths: readonly string[], taken_at: Instant, before?: Instant, claim?: string) =>
    store.write((tx) => {
      const free = tx
        .updateTable('media_paths')
        // Nobody takes it over any more.
        .set({ taken_at, claim: null })
        .where('path', 'in', paths)
        .where('post_id', 'is', null);
      const old = before === undefined ? free : free.where('taken_at', '<', before);
      return (claim === undefined ? old : old.where('claim', '=', claim)).returning('path').execute();
    });

  /**
   * Of the names, those that no record holds are taken once more: so one alone erases their files. A write of which nobody heard
   * how it ended may still come to hold them; it is waited for.
   */
  const clearOf = async (paths: readonly string[], before?: Instant, claim?: string): Promise<void> => {
    if (paths.length === 0) return;
    const left = (await retake(paths, instant(clock()), before, claim)).map(({ path }) => path);
    if (left.length === 0) return;
    try {
      for (const path of left) await files.erase(path);
    } catch (error) {
      await retake(left, given);
      throw error;
    }
    await store.write((tx) =>
      tx.deleteFrom('media_paths').where('path', 'in', left).where('post_id', 'is', null).execute(),
    );
  };

  const old = (): Instant => instant(new Date(clock().getTime() - forgotten));

  return {
    async take({ stem, paths, claim }) {
      for (let attempt = 0; attempt < tries; attempt++) {
        const name = numbered(stem, attempt);
        // What lies there and is none of ours keeps its name, too.
        const first = paths(name)[0]!;
        if (!(await isOurs(store, first, claim)) && (await files.find(first)) !== undefined) continue;
        const isFree = await store.write((tx) => reserve(tx, paths(name), instant(clock()), claim));
        if (isFree) return name;
      }
      throw new Error(`All names for a file ${stem} are in use.`);
    },
    async takeExactly(path, claim, post) {
      const known = await store.db.selectFrom('media_paths').selectAll().where('path', '=', path).executeTakeFirst();
      if (known?.post_id === post) return 'own';
      // A file without a record keeps its name.
      const isFree = known === undefined ? (await files.find(path)) === undefined : isLeft(known, claim);
      if (!isFree) return 'taken';
      return (await store.write((tx) => reserve(tx, [path], instant(clock()), claim))) ? 'reserved' : 'taken';
    },
    clear: (paths, claim) => clearOf(paths, undefined, claim),
    clearReleased: (paths) => clearOf(paths, old()),
    async clearUnclaimed(paths) {
      const unclaimed = await claimAll(store, paths, instant(clock()));
      if (unclaimed.length > 0) await clearOf(unclaimed);
      return unclaimed;
    },
    async sweep(goOn) {
      const before = old();
      const some = async (most: number): Promise<number> => {
        goOn();
        const left = await heldByNobody(store, before, most);
        if (left.length > 0) await clearOf(left, before);
        return left.length;
      };
      return inSlices(some, { most: atOnce });
    },
  };
}

async function heldByNobody({ db }: Needs['store'], before: Instant, most: number): Promise<string[]> {
  const left = db
    .selectFrom('media_paths')
    .select('path')
    .where('post_id', 'is', null)
    .where('taken_at', '<', before)
    .limit(most);
  return (await left.execute()).map(({ path }) => path);
}

/** Takes those of the names that nobody has. */
async function claimAll(store: Needs['store'], paths: readonly string[], taken_at: Instant): Promise<string[]> {
  if (paths.length === 0) return [];
  const rows = [...new Set(paths)].map((path) => ({ path, post_id: null, taken_at, claim: null }));
  const claimed = await store.write((tx) => {
    const insert = tx.insertInto('media_paths').values(rows);
    return insert
      .onConflict((on) => on.column('path').doNothing())
      .returning('path')
      .execute();
  });
  return claimed.map(({ path }) => path);
}

type Row = ContentTables['media_paths'];

const isLeft = ({ post_id, claim }: Row, own: string | undefined): boolean =>
  own !== undefined && post_id === null && workOf(claim) === workOf(own);

/** Whether it was taken by somebody who did the same work and has not kept it. */
async function isOurs({ db }: Needs['store'], path: string, claim: string | undefined): Promise<boolean> {
  if (claim === undefined) return false;
  const row = await db.selectFrom('media_paths').selectAll().where('path', '=', path).executeTakeFirst();
  return row !== undefined && isLeft(row, claim);
}

/** Reserves all paths or none. Paths that the same work left behind are taken over. */
async function reserve(tx: Writing, paths: readonly string[], taken_at: Instant, claim?: string): Promise<boolean> {
  const there = await tx.selectFrom('media_paths').selectAll().where('path', 'in', paths).execute();
  if (!there.every((row) => isLeft(row, claim))) return false;
  for (const { path, claim: before } of there)
    await tx
      .updateTable('media_paths')
      .set({ claim: claim!, taken_at })
      .where('path', '=', path)
      .where('claim', '=', before)
      .execute();
  const own = new Set(there.map(({ path }) => path));
  const rows = paths
    .filter((path) => !own.has(path))
    .map((path) => ({ path, post_id: null, taken_at, claim: claim ?? null }));
  return rows.length === 0 || insertAll(tx, rows);
}

/** All of them or none. */
async function insertAll(tx: Writing, rows: readonly Row[]): Promise<boolean> {
  const insert = tx.insertInto('media_paths').values(rows);
  const made = await insert
    .onConflict((on) => on.column('path').doNothing())
    .returning('path')
    .execute();
  if (made.length === rows.length) return true;
  const paths = made.map(({ path }) => path);
  if (paths.length > 0) await tx.deleteFrom('media_paths').where('path', 'in', paths).execute();
  return false;
}

/** In the write that makes the record. Throws where somebody else has taken the work over. */
export async function settlePaths(tx: Writing, paths: readonly string[], post: number, claim?: string): Promise<void> {
  if (paths.length === 0) return;
  const all = tx.updateTable('media_paths').set({ post_id: post, claim: null }).where('path', 'in', paths);
  if (claim === undefined) return void (await all.execute());
  const { numUpdatedRows } = await all.where('claim', '=', claim).executeTakeFirst();
  if (Number(numUpdatedRows) < paths.length) throw contentErrors.fileUnderWay();
}

/** In the write after which the record no longer has these files. */
export async function releasePaths(tx: Writing, paths: readonly string[], post: number): Promise<void> {
  if (paths.length === 0) return;
  const own = tx.updateTable('media_paths').set({ post_id: null, claim: null, taken_at: given });
  await own.where('path', 'in', paths).where('post_id', '=', post).execute();
}

/** Long ago: whoever sweeps takes it at once. */
const given = '1970-01-01T00:00:00.000Z';

/** In the write that erases a record of a file. Its files go afterwards; should nobody come to that, they are swept. */
export async function releaseFiles(tx: Writing, { id, type }: Pick<Post, 'id' | 'type'>): Promise<void> {
  if (type !== attachment.name) return;
  await tx.updateTable('media_paths').set({ post_id: null, taken_at: given }).where('post_id', '=', id).execute();
  await tx.deleteFrom('media_redirects').where('post_id', '=', id).execute();
  await tx.deleteFrom('media').where('post_id', '=', id).execute();
}
