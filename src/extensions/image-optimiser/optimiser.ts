// Optimizes and restores single images: one at a time for each, and what fails is recorded.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Problem } from '#kernel/problem.ts';
import { OutOfSpace, Unavailable } from '#lib/failures.ts';
import { second } from '#lib/spans.ts';
import { Malformed, OutOfTime } from '#site/content/media/picture-errors.ts';
import { type Author, createUsages } from '#site/content/media/picture-usages.ts';
import { originalPath } from '#site/content/media/store-file.ts';
import type { Post } from '#site/content/posts/post.ts';
import { attachment } from '#site/content/types.ts';
import type { Services } from '#site/extension.ts';
import { imageErrors } from './errors.ts';
import { estimateImage, optimiseImage } from './optimise.ts';
import type { ImageOptions } from './preset-input.ts';
import { createRecompress } from './recompress.ts';
import { type ImageRecord, lockPrefix, percentOf, type Records, rowOf, type SavedBytes } from './records.ts';
import { restoreImage } from './restore.ts';
import { isEligible, isUpToDate, type OptimiseDeps } from './work.ts';

export interface OptimiserDeps extends Pick<Services, 'store' | 'clock' | 'content' | 'files' | 'spool'> {
  readonly records: Records;
}

export interface OptimiseOne {
  readonly options: ImageOptions;
  /** Also files that were optimized before. */
  readonly force: boolean;
}

/** What an image came to. The sums are of images that were optimized just now. */
export interface MeasuredOutcome extends Outcome, SavedBytes {}

export interface Outcome {
  readonly id: number;
  readonly status: ImageRecord['status'];
  readonly bytes: number;
  readonly percent: number;
  readonly error?: string;
}

type GoOn = () => Promise<void>;

const perLoop = 20;
const betweenTries = second / 5;

export type Optimiser = ReturnType<typeof createOptimiser>;

export function createOptimiser(deps: OptimiserDeps) {
  const { content, records } = deps;
  const { media } = content;
  const work: OptimiseDeps = { ...deps, media, recompress: createRecompress() };
  const usages = createUsages({ store: deps.store, content, changedMeanwhile: imageErrors.postChangedMeanwhile });
  const rewritePosts = (id: number, author: Author, goOn: GoOn) =>
    usages.update(id, { types: [], posts: [], perLoop }, author, goOn);
  const locked = <T>(id: number, prefix: string, what: (goOn: GoOn) => Promise<T>): Promise<T> =>
    media.locks.hold({ id, token: `${prefix}${randomUUID()}`, refusal: () => imageErrors.inProgress(id) }, what);

  /** Returns false if nothing was left to do. Throws what refuses it. */
  const optimise = async (id: number, one: OptimiseOne, author: Author): Promise<boolean> => {
    await imageOf(deps, id);
    return locked(id, lockPrefix, async (goOn) => {
      try {
        const { isMoved, isChanged } = await optimiseLocked(deps, work, { id, one, author, goOn });
        if (isMoved) await rewritePosts(id, author, goOn);
        return isChanged;
      } catch (error) {
        throw await recordFailure(deps, id, one, error);
      }
    });
  };

  return {
    optimise,

    /** One image of many: a failure is an outcome. `patience`: milliseconds to wait for other work on the image. */
    async optimiseOne(id: number, one: OptimiseOne, author: Author, patience = 0): Promise<MeasuredOutcome> {
      try {
        return await outcomeOf(records, id, await whenFree(() => optimise(id, one, author), patience));
      } catch (error) {
        return failedOutcome(id, error);
      }
    },

    /** What it would come to. Nothing is changed. */
    estimate: (id: number, one: OptimiseOne): Promise<MeasuredOutcome> => estimateOne(deps, work, id, one),

    /** For jobs, which try again later: waits 10 seconds at most for other work on the image to end. */
    async optimisePatiently(id: number, one: OptimiseOne, author: Author): Promise<void> {
      await whenFree(() => optimise(id, one, author), 10 * second).catch((error) => {
        throw isBusy(error) ? new Unavailable('The image is being edited at the moment.', { cause: error }) : error;
      });
    },

    async restore(id: number, author: Author): Promise<void> {
      await imageOf(deps, id);
      await locked(id, 'restore ', async (goOn) => {
        const doing = { by: author.by, again: author.again };
        const restoring = { ...work, pathsOwned: pathsOwned(deps) };
        const restored = restoreImage(restoring, await imageOf(deps, id), doing, goOn);
        const isMoved = await restored.catch((error) => Promise.reject(reasonOf(error)));
        if (isMoved) await rewritePosts(id, author, goOn);
      });
    },
  };
}

const isBusy = (error: unknown): boolean => error instanceof Problem && error.code === imageErrors.inProgress.code;

/** Repeats the work while another request has the image, for this long. */
async function whenFree<T>(work: () => Promise<T>, patience: number): Promise<T> {
  const until = performance.now() + patience;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isBusy(error) || performance.now() >= until) throw error;
    }
    await sleep(betweenTries);
  }
}

async function imageOf({ content }: OptimiserDeps, id: number): Promise<Post> {
  const post = await content.posts.find(id);
  if (post?.type !== attachment.name || !post.mime_type.startsWith('image/')) throw imageErrors.unknownImage(id);
  return post;
}

interface Locked {
  readonly id: number;
  readonly one: OptimiseOne;
  readonly author: Author;
  readonly goOn: GoOn;
}

async function outcomeOf(records: Records, id: number, isChanged: boolean): Promise<MeasuredOutcome> {
  const record = await records.answer(id);
  if (record === undefined || !isChanged) {
    const { bytes = 0, percent = 0 } = record ?? {};
    return { id, status: 'skipped', bytes, percent, ...noBytes };
  }
  const { status, bytes, percent, size_before, size_after } = record;
  return { id, status, bytes, percent, size_before, size_after };
}

async function estimateOne(
  deps: OptimiserDeps,
  work: OptimiseDeps,
  id: number,
  one: OptimiseOne,
): Promise<MeasuredOutcome> {
  try {
    const prepared = await prepare(deps, id, one);
    if (typeof prepared === 'string') return { id, status: 'skipped', bytes: 0, percent: 0, ...noBytes };
    const saved = await estimateImage(work, { ...prepared, ...one, doing: {}, goOn: async () => {} });
    const bytes = saved.size_before - saved.size_after;
    return { id, status: 'optimized', ...saved, bytes, percent: percentOf(saved) };
  } catch (error) {
    return failedOutcome(id, reasonOf(error));
  }
}

const noBytes: SavedBytes = { size_before: 0, size_after: 0 };

function failedOutcome(id: number, error: unknown): MeasuredOutcome {
  if (!(error instanceof Problem)) throw error;
  return { id, status: 'failed', bytes: 0, percent: 0, error: error.code, ...noBytes };
}

/** What there is to work on; a word if there is nothing. */
async function prepare(deps: OptimiserDeps, id: number, { options, force }: OptimiseOne) {
  const { records, files, content } = deps;
  const [post, before, known] = [await imageOf(deps, id), await records.of(id), await content.media.files([id])];
  const file = known.get(id);
  if (file === undefined) throw imageErrors.unknownImage(id);
  if (!force && isUpToDate(options, file, before)) return 'done';
  const entry = await files.find(originalPath(file));
  if (entry === undefined) throw imageErrors.fileNotFound(originalPath(file));
  return isEligible(file, post.mime_type, entry.size) ? { post, before, file } : 'not eligible';
}

async function optimiseLocked(deps: OptimiserDeps, work: OptimiseDeps, { id, one, author, goOn }: Locked) {
  // Another request may have worked on it until now.
  const prepared = await prepare(deps, id, one);
  if (prepared === 'not eligible') await saveWithoutFiles(deps, id, { status: 'skipped', level: one.options.level });
  if (typeof prepared === 'string') return { isMoved: false, isChanged: false };
  const { post, before, file } = prepared;
  const doing = { by: author.by, again: author.again };
  const after = await optimiseImage(work, { post, before, ...one, doing, goOn });
  return { isMoved: after.file !== file.file, isChanged: true };
}

async function saveWithoutFiles(
  { content, records, clock }: OptimiserDeps,
  id: number,
  record: Pick<ImageRecord, 'status' | 'level' | 'error'>,
): Promise<void> {
  const file = (await content.media.files([id])).get(id);
  if (file === undefined) return;
  await records.save(rowOf(id, { ...record, files: {}, resize: null, conversion: null }, file, clock()));
}

/** Returns the reason. What was saved before is not forgotten. */
async function recordFailure(deps: OptimiserDeps, id: number, { options }: OptimiseOne, error: unknown) {
  const reason = reasonOf(error);
  if (isBusy(reason)) return reason;
  if ((await deps.content.posts.find(id)) === undefined) return imageErrors.unknownImage(id);
  const known = await deps.records.of(id);
  if (known?.status !== 'optimized')
    await saveWithoutFiles(deps, id, { status: 'failed', level: options.level, error: reason.message });
  return reason;
}

/** Throws what concerns every image: the database is away, or the disk is full. */
function reasonOf(error: unknown): Problem {
  if (error instanceof OutOfSpace || error instanceof Unavailable) throw error;
  if (error instanceof Malformed) return imageErrors.invalidImage().because(error);
  if (error instanceof OutOfTime) return imageErrors.timeout().because(error);
  if (error instanceof Problem) return error;
  throw error;
}

const pathsOwned =
  ({ store }: OptimiserDeps) =>
  async (id: number): Promise<string[]> => {
    const rows = await store.db.selectFrom('media_paths').select('path').where('post_id', '=', id).execute();
    return rows.map(({ path }) => path);
  };
