// The routes of gallery-background/v1. None of them shows arguments in the index, so what they take is their payload.

import type { Caller } from '#kernel/caller.ts';
import { kernelErrors } from '#kernel/errors.ts';
import type { ErrorBody } from '#kernel/problem.ts';
import type { Route } from '#kernel/route.ts';
import type { Toolkit } from '#site/extension.ts';
import type { Job, Queue } from '#site/jobs/job.ts';
import type { Ai } from './ai/ai.ts';
import type { AiPictures } from './ai/pictures.ts';
import type { Background } from './background.ts';
import type { Conversions } from './convert/convert.ts';
import type { Galleries } from './galleries.ts';
import { cropPositions } from './gallery-config.ts';
import type { GalleryData, Values } from './gallery-data.ts';
import type { GalleryRendering } from './rendering.ts';

/** What the routes, fields and jobs of galleries use. */
export interface GalleryNouns {
  readonly galleries: Galleries;
  readonly data: GalleryData;
  readonly background: Background;
  readonly conversions: Conversions;
  readonly ai: Ai;
  readonly aiPictures: AiPictures;
  /** Deletes pictures that have expired. */
  readonly sweeps: Queue<null>;
  readonly rendering: GalleryRendering;
}

type Tools = Toolkit<GalleryNouns>;
type Handle = (sent: Values, caller: Caller, use: GalleryNouns) => unknown;

const maxSide = 5_000;
const bodyLimit = 32 * 2 ** 20;

/** The answers of a family: `{ success, data }`. */
const envelope = {
  success: (data: unknown) => ({ success: true, data }),
  failure: ({ code, message }: ErrorBody) => ({ data: { mess: message, code } }),
};

const time = (instant: string | null): string | null => instant && `${instant.slice(0, 19)}+00:00`;

const jobBody = (job: Job) => ({
  id: job.id,
  kind: job.kind,
  status: job.status,
  total: job.total,
  done: job.done,
  failed: job.failed,
  progress: job.progress,
  errors: job.errors,
  result: job.result,
  created_at: time(job.created_at),
  started_at: time(job.started_at),
  finished_at: time(job.finished_at),
});

/** The shape of an answer, for the OpenAPI document. */
const enveloped = ({ t }: Tools) =>
  t.object({ success: t.boolean(), data: t.untyped() }, { additionalProperties: true });

export function backgroundRoutes(tools: Tools): Route[] {
  const { t, withStatus } = tools;
  const wrapped = (status: number, data: unknown) => withStatus(status, data);
  const shape = enveloped(tools);

  /** The request that started a job is also its poll. */
  const post = (path: string, summary: string, statuses: readonly number[], handle: Handle): Route =>
    tools.route({
      method: 'POST',
      path,
      summary,
      access: 'upload_files',
      bodyLimit,
      payload: t.object({
        site: t.optional(t.string()),
        job: t.optional(t.string()),
        cancel: t.optional(t.boolean()),
        data: t.optional(t.free()),
      }),
      envelope,
      answers: Object.fromEntries(statuses.map((status) => [status, shape])),
      handle: async ({ payload, caller, use }) => {
        const sent: Values = payload.data ?? {};
        const job = payload.job ?? sent.job;
        const isCancelled = payload.cancel === true || sent.cancel === true || sent.cancel === 'true';
        if (typeof job === 'string') return jobBody(await use.background.job(job, isCancelled, caller)) as never;
        if (payload.data === undefined) throw kernelErrors.invalidParam('`data` is missing. Send an object.');
        return handle(sent, caller, use) as never;
      },
    });

  return [
    post(
      'insert-gallery',
      'Create or change a gallery, and add pictures to it',
      [200, 201],
      async (sent, caller, use) => {
        const { post: gallery, created, queued, job } = await use.background.insertGallery(sent, caller);
        const body = { gallery_id: gallery.id, created, queued, job: job && jobBody(job) };
        return wrapped(created ? 201 : 200, body);
      },
    ),
    post('insert-album', 'Create or change an album of galleries', [200, 201], async (sent, caller, use) => {
      const { post: album, created, galleries, job } = await use.background.insertAlbum(sent, caller);
      return wrapped(created ? 201 : 200, { album_id: album.id, created, galleries, job: job && jobBody(job) });
    }),
    post('insert-image', 'Add a picture to a gallery', [200, 201], async (sent, caller, use) => {
      const { created, body } = await use.background.insertImage(sent, caller);
      return wrapped(created ? 201 : 200, body);
    }),
    post('crop-images', 'Make the copies that a gallery is shown with', [200, 202], async (sent, caller, use) => {
      const job = await use.background.cropImages(sent, caller);
      return 'id' in job ? wrapped(202, jobBody(job)) : wrapped(200, job);
    }),
    post('resize-image', 'Make one copy of a picture', [200], (sent, caller, use) =>
      use.background.resizeImage({ ...sent, args: cropArgs(sent.args) }, caller),
    ),
  ];
}

/** The dimensions that a client asks for, or 400. */
function cropArgs(sent: unknown) {
  const args = (typeof sent === 'object' && sent !== null ? sent : {}) as Values;
  const side = (name: string): number => {
    const value = args[name] ?? 0;
    const number = typeof value === 'string' && /^\d{1,6}$/.test(value) ? Number(value) : value;
    if (typeof number !== 'number' || !Number.isInteger(number) || number < 0 || number > maxSide)
      throw kernelErrors.invalidParam(`\`args.${name}\` must be a whole number from 0 to ${maxSide}.`);
    return number;
  };
  const isOn = (value: unknown, usual: boolean): boolean =>
    value === undefined ? usual : [true, 1, '1', 'true'].includes(value as never);
  const [width, height, quality] = [side('width'), side('height'), args.quality === undefined ? 100 : side('quality')];
  if (width === 0 && height === 0) throw kernelErrors.invalidParam('`args` must have a `width` or a `height`.');
  if (quality < 1 || quality > 100) throw kernelErrors.invalidParam('`args.quality` must be from 1 to 100.');
  const align = cropPositions.find((one) => one === (args.align ?? 'c'));
  if (align === undefined)
    throw kernelErrors.invalidParam(`\`args.align\` must be one of: ${cropPositions.join(', ')}.`);
  return {
    width,
    height,
    quality,
    align,
    crop: isOn(args.crop, true),
    retina: isOn(args.retina, false),
    overwrite: isOn(args.force_overwrite, false),
  };
}
