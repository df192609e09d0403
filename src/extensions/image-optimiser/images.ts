// Works through the images of the library: after uploads, by a client in slices, and in the background.
import { sql } from 'kysely';
import { Problem } from '#kernel/problem.ts';
import { second } from '#lib/spans.ts';
import type { Author } from '#site/content/media/picture-usages.ts';
import type { Services } from '#site/extension.ts';
import { nobodys } from '#site/identity/users/user.ts';
import type { Queue, Work } from '#site/jobs/job.ts';
import type { MeasuredOutcome, Optimiser, Outcome } from './optimiser.ts';
import type { ImageOptions, Level } from './preset-input.ts';
import type { Presets } from './presets.ts';
import { isImage, type Records } from './records.ts';

export interface ImagesDeps extends Pick<Services, 'store' | 'jobs' | 'operator'> {
  readonly presets: Presets;
  readonly records: Records;
  readonly optimiser: Optimiser;
  readonly queues: { readonly image: Queue<ImagePayload>; readonly bulk: Queue<BulkPayload> };
}

export interface ImagePayload {
  readonly id: number;
}

export interface BulkPayload {
  readonly force: boolean;
  readonly level?: Level;
}

export interface SliceRequest {
  readonly ids: readonly number[] | undefined;
  readonly offset: number;
  readonly limit: number;
  readonly force: boolean;
}

/** A slice ends early after this time, so that the client hears how far it has come. */
const sliceTime = 20 * second;

/** The site itself: nobody is signed in. */
export const siteAuthor: Author = { by: nobodys, again: async () => {} };

export type Images = ReturnType<typeof createImages>;

export function createImages(deps: ImagesDeps) {
  const { store, presets, records, optimiser, queues, jobs, operator } = deps;
  const library = createLibrary(store);

  const withLevel = async (level: Level | undefined): Promise<ImageOptions> => {
    const options = await presets.options();
    return level === undefined ? options : { ...options, level };
  };

  /** The upload is answered first. */
  const optimiseLater = async (id: number): Promise<void> => {
    if (!operator.optimiseUploads || !(await presets.options()).auto) return;
    await queues.image.add({ id }, { key: String(id), alone: `imgopt ${id}` });
  };

  return {
    ...library,
    options: withLevel,

    async slice(request: SliceRequest, author: Author) {
      const how = { options: await presets.options(), force: request.force };
      const total = request.ids?.length ?? (await library.count());
      const until = performance.now() + sliceTime;
      const results: MeasuredOutcome[] = [];
      for (const id of await library.slice(request)) {
        results.push(await optimiser.optimiseOne(id, how, author));
        if (performance.now() > until) break;
      }
      return sliceAnswer(results, request.offset, total);
    },

    startBulk: (payload: BulkPayload, by: number): Promise<string> =>
      queues.bulk.add(payload, { by, key: `bulk ${payload.force} ${payload.level ?? ''}` }),

    afterUpload: optimiseLater,

    /** Copies that are made again are optimized again, if the image was. */
    async afterCopies(id: number): Promise<void> {
      if (await records.forgetChanged(id)) await optimiseLater(id);
    },

    async runImage({ id }: ImagePayload): Promise<void> {
      const how = { options: await presets.options(), force: false };
      await optimiser.optimisePatiently(id, how, siteAuthor).catch((error) => {
        if (!(error instanceof Problem && error.code === 'imgopt_unknown_image')) throw error;
      });
    },

    async runBulk({ force, level }: BulkPayload, job: Work) {
      const how = { options: await withLevel(level), force };
      await job.total(await library.count());
      await job.each((after) => library.following(Number(after ?? 0)), {
        key: String,
        do: (id: number) => optimiser.optimisePatiently(id, how, siteAuthor),
      });
      const started = (await jobs.find(job.id))?.started_at;
      return started ? await records.savedSince(started) : {};
    },
  };
}

function sliceAnswer(outcomes: readonly MeasuredOutcome[], offset: number, total: number) {
  const results = outcomes.map(({ size_before: _, size_after: __, ...outcome }): Outcome => outcome);
  const count = (status: Outcome['status']): number => results.filter((one) => one.status === status).length;
  const next = offset + results.length;
  const remaining = Math.max(0, total - next);
  return {
    processed: count('optimized'),
    failed: count('failed'),
    skipped: count('skipped'),
    offset: next,
    total,
    remaining,
    is_capped: remaining > 0 && results.length > 0,
    results,
  };
}

/** The images of the library, by ascending id. */
function createLibrary({ db }: ImagesDeps['store']) {
  const idsOf = (rows: readonly { readonly id: number }[]): number[] => rows.map(({ id }) => id);
  const atOnce = 100;

  const after = async (last: number): Promise<number[]> => {
    const { rows } = await sql<{ id: number }>`select posts.id from posts
      where ${isImage} and posts.id > ${last} order by posts.id limit ${atOnce}`.execute(db);
    return idsOf(rows);
  };

  return {
    async count(): Promise<number> {
      const { rows } = await sql<{ images: number }>`select count(*) as images from posts
        where ${isImage}`.execute(db);
      return Number(rows[0]!.images);
    },
    async slice({ ids, offset, limit }: SliceRequest): Promise<readonly number[]> {
      if (ids !== undefined) return ids.slice(offset, offset + limit);
      const { rows } = await sql<{ id: number }>`select posts.id from posts
        where ${isImage} order by posts.id limit ${limit} offset ${offset}`.execute(db);
      return idsOf(rows);
    },
    async *following(last: number): AsyncGenerator<number> {
      for (let ids = await after(last); ids.length > 0; ids = await after(ids.at(-1)!)) yield* ids;
    },
  };
}
