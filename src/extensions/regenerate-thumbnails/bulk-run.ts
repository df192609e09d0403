// A run over many pictures. It keeps how far it has come, so that the next run of the same kind goes on after the last picture.
import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Problem } from '#kernel/problem.ts';
import { OutOfSpace, Unavailable } from '#lib/failures.ts';
import { day, second } from '#lib/spans.ts';
import { drawing } from '#site/content/media/file-kinds.ts';
import { attachment } from '#site/content/types.ts';
import { nobodys } from '#site/identity/users/user.ts';
import { instant } from '#store/columns.ts';
import type { Store } from '#store/store.ts';
import { thumbnailErrors } from './errors.ts';
import type { ThumbnailTables } from './tables.ts';
import type { ThumbnailDeps, Thumbnails } from './thumbnails.ts';

export interface RunOptions {
  /** Empty for all pictures. */
  readonly ids: readonly number[];
  readonly onlyMissing: boolean;
  readonly updatePosts: boolean;
}

export interface Skipped {
  readonly id: number;
  readonly code: string;
  readonly message: string;
}

export interface RunProgress {
  readonly what: 'pictures' | 'posts';
  readonly done: number;
  readonly total: number;
}

export interface RunResult {
  readonly regenerated: number;
  readonly posts_changed: number;
  readonly skipped: readonly Skipped[];
  readonly skipped_count: number;
}

interface RunListener {
  /** Where a run that was broken off goes on; called before the first picture. */
  resumed(done: number): void;
  skipped(one: Skipped): void;
  progress(progress: RunProgress): void;
}

/** A run that was broken off so long ago begins from the start. */
const forgotten = 7 * day;
const atOnce = 100;
const maxSkippedKept = 1_000;

type Row = ThumbnailTables['thumbnail_runs'];
type Runs = Store<ThumbnailTables>;

interface RunDeps {
  readonly store: ThumbnailDeps['store'];
  readonly thumbnails: Thumbnails;
}

export type BulkRuns = ReturnType<typeof createBulkRuns>;

export function createBulkRuns({ store, clock, content }: ThumbnailDeps, thumbnails: Thumbnails) {
  const runs: Runs = store;
  return {
    /** Goes on with the same run, if one was broken off. */
    async run(options: RunOptions, listener: RunListener): Promise<RunResult> {
      const ids = [...new Set(options.ids)].sort((one, other) => one - other);
      const sorted = { ...options, ids };
      // With other sizes it is another run: pictures that are done lack those.
      const what = JSON.stringify({ ...sorted, sizes: content.media.sizes });
      const key = createHash('sha256').update(what).digest('base64url');
      const { row: begun, isResumed } = await beginRun(runs, key, clock());
      if (isResumed) listener.resumed(begun.done + begun.skipped_count);
      const pictured = await eachPicture({ store, thumbnails }, begun, sorted, listener);
      const row = options.updatePosts ? await eachPost({ store, thumbnails }, pictured, sorted, listener) : pictured;
      await runs.write((tx) =>
        tx.deleteFrom('thumbnail_runs').where('key', '=', key).where('runner', '=', row.runner).execute(),
      );
      const { done: regenerated, posts_changed, skipped, skipped_count } = row;
      return { regenerated, posts_changed, skipped: JSON.parse(skipped), skipped_count };
    },
  };
}

/** Takes over the run that was broken off. If its process is alive, it hears of that with its next picture, and ends. */
function beginRun(store: Runs, key: string, now: Date): Promise<{ row: Row; isResumed: boolean }> {
  const counts = { picture: 0, post: 0, done: 0, posts_changed: 0, skipped: '[]', skipped_count: 0 };
  const fresh = { key, runner: randomUUID(), started_at: instant(now), ...counts };
  return store.write(async (tx) => {
    const oldest = instant(new Date(now.getTime() - forgotten));
    await tx.deleteFrom('thumbnail_runs').where('started_at', '<=', oldest).execute();
    const insert = tx.insertInto('thumbnail_runs').values(fresh);
    const row = await insert
      .onConflict((on) => on.column('key').doUpdateSet({ runner: fresh.runner }))
      .returningAll()
      .executeTakeFirstOrThrow();
    return { row, isResumed: row.picture > 0 || row.post > 0 };
  });
}

async function saveRun(store: Runs, row: Row): Promise<void> {
  const { key, runner, ...progress } = row;
  const { numUpdatedRows } = await store.write((tx) =>
    tx
      .updateTable('thumbnail_runs')
      .set(progress)
      .where('key', '=', key)
      .where('runner', '=', runner)
      .executeTakeFirst(),
  );
  if (Number(numUpdatedRows) === 0) throw thumbnailErrors.runTakenOver();
}

function withSkipped(row: Row, one: Skipped): Row {
  const skipped: Skipped[] = JSON.parse(row.skipped);
  if (skipped.length < maxSkippedKept) skipped.push(one);
  return { ...row, skipped: JSON.stringify(skipped), skipped_count: row.skipped_count + 1 };
}

/** Drawings have no copies, so a run over all pictures leaves them out. */
const allPictures = ({ db }: RunDeps['store']) =>
  db
    .selectFrom('posts')
    .where('type', '=', attachment.name)
    .where('mime_type', 'like', 'image/%')
    .where('mime_type', '<>', drawing.mime);

async function nextPictures(
  store: RunDeps['store'],
  ids: readonly number[],
  after: number,
): Promise<readonly number[]> {
  if (ids.length > 0) return ids.filter((id) => id > after).slice(0, atOnce);
  const some = allPictures(store).select('id').where('id', '>', after).orderBy('id').limit(atOnce);
  return (await some.execute()).map(({ id }) => id);
}

async function countPictures(store: RunDeps['store'], ids: readonly number[]): Promise<number> {
  if (ids.length > 0) return ids.length;
  const count = allPictures(store).select((of) => of.fn.countAll<number>().as('all'));
  return Number((await count.executeTakeFirstOrThrow()).all);
}

/** Nobody who is signed in: whoever may use the command line of the site may do this. */
const author = { by: nobodys, again: async () => {} };

async function eachPicture({ store, thumbnails }: RunDeps, begun: Row, options: RunOptions, listener: RunListener) {
  const { ids, onlyMissing } = options;
  const total = await countPictures(store, ids);
  let row = begun;
  for (;;) {
    const some = await nextPictures(store, ids, row.picture);
    if (some.length === 0) return row;
    for (const id of some) {
      listener.progress({ what: 'pictures', done: row.done + row.skipped_count, total });
      try {
        const how = { onlyMissing, deleteUnregistered: false, run: row.key };
        await whenFree(() => thumbnails.regenerate(String(id), how, author));
        row = { ...row, done: row.done + 1 };
      } catch (error) {
        const one = { id, ...reasonOf(error) };
        listener.skipped(one);
        row = withSkipped(row, one);
      }
      row = { ...row, picture: id };
      await saveRun(store, row);
    }
  }
}

const maxTries = 60;
const betweenTries = second;

/** The image optimizer works on new copies for some seconds. */
async function whenFree<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++)
    try {
      return await work();
    } catch (error) {
      const isHeld = error instanceof Problem && error.code === thumbnailErrors.inProgress.code;
      if (!isHeld || tries >= maxTries) throw error;
      await pause(betweenTries);
    }
}

/** One change of each post, whatever number of its pictures have other files now. */
async function eachPost({ store, thumbnails }: RunDeps, begun: Row, { ids }: RunOptions, listener: RunListener) {
  const { usages } = thumbnails;
  const only = ids.length === 0 ? undefined : new Set(ids);
  let row = begun;
  for (let done = 0; ; ) {
    const posts = await usages.next(row.post, atOnce);
    for (const post of posts) {
      listener.progress({ what: 'posts', done, total: 0 });
      try {
        const isChanged = await usages.rewrite(post, only, author);
        row = { ...row, posts_changed: row.posts_changed + Number(isChanged) };
      } catch (error) {
        const one = { id: post.id, ...reasonOf(error) };
        listener.skipped(one);
        row = withSkipped(row, one);
      }
      row = { ...row, post: post.id };
      done += 1;
    }
    await saveRun(store, row);
    if (posts.length < atOnce) return row;
  }
}

/** Throws what concerns every picture: the database is away, or the disk is full. Of anything else, the next picture may go well. */
function reasonOf(error: unknown): Omit<Skipped, 'id'> {
  if (error instanceof OutOfSpace || error instanceof Unavailable) throw error;
  if (error instanceof Problem) return { code: error.code, message: error.message };
  return { code: 'unexpected_error', message: error instanceof Error ? error.message : String(error) };
}
