// The route of imgopt/v1: presets, and everything else by `action`.
import type { Caller } from '#kernel/caller.ts';
import { kernelErrors } from '#kernel/errors.ts';
import type { Route } from '#kernel/route.ts';
import type { Author } from '#site/content/media/picture-usages.ts';
import type { Writing } from '#site/content/tables.ts';
import type { Toolkit } from '#site/extension.ts';
import { credentialOf } from '#site/identity/credential.ts';
import type { DoingFor } from '#site/identity/doing.ts';
import type { Job } from '#site/jobs/job.ts';
import { type Jobs, jobErrors } from '#site/jobs/jobs.ts';
import { imageErrors } from './errors.ts';
import type { Images } from './images.ts';
import type { Optimiser } from './optimiser.ts';
import { integerOf, isTrue, maxPresetBytes, wrong } from './preset-input.ts';
import type { Presets } from './presets.ts';
import type { Records } from './records.ts';

/** What the handlers and commands use. */
export interface ImageOptimiser {
  readonly presets: Presets;
  readonly records: Records;
  readonly optimiser: Optimiser;
  readonly images: Images;
  readonly jobs: Pick<Jobs, 'find' | 'cancel'>;
  readonly doing: DoingFor;
}

type Sent = Readonly<Record<string, unknown>>;
type Action = (sent: Sent, use: ImageOptimiser, caller: Caller) => unknown;

const right = 'manage_options';
const maxIds = 10_000;
const largest = Number.MAX_SAFE_INTEGER;

const idOf = ({ id }: Sent): number => integerOf(id, 'id', { least: 1, most: largest });
const countOf = (sent: Sent, name: string, usual: number, most = largest): number =>
  sent[name] === undefined || sent[name] === null ? usual : integerOf(sent[name], name, { least: 0, most });

/** Rights are asked again in each write: they may have ended meanwhile. */
function authorOf(caller: Caller, { doing }: ImageOptimiser): Author {
  const { again } = doing<undefined, Writing>(credentialOf(caller), (asker) => {
    if (!asker.can(right)) throw kernelErrors.forbidden();
  });
  return { by: caller.id, again: (tx) => again(tx, undefined) };
}

function idsOf({ ids }: Sent): number[] | undefined {
  if (ids === undefined || ids === null) return undefined;
  if (!Array.isArray(ids) || ids.length > maxIds) throw wrong('ids', `ids must be a list of at most ${maxIds} ids.`);
  return [...new Set(ids.map((id, at) => integerOf(id, `ids[${at}]`, { least: 1, most: largest })))];
}

function bulkSlice(sent: Sent, use: ImageOptimiser, caller: Caller) {
  const limit = countOf(sent, 'limit', 20, 50);
  if (limit === 0) throw wrong('limit', 'limit must be an integer between 1 and 50.');
  const request = { ids: idsOf(sent), offset: countOf(sent, 'offset', 0), limit, force: isTrue(sent.force) };
  countOf(sent, 'total', 0);
  return use.images.slice(request, authorOf(caller, use));
}

const time = (instant: string | null): string | null => instant && `${instant.slice(0, 19)}+00:00`;

/** While it runs, the result says what has been saved so far. */
async function jobAnswer(job: Job, { records }: ImageOptimiser) {
  const { id, kind, status, total, done, failed, progress, errors, started_at } = job;
  return {
    id,
    kind,
    status,
    total,
    done,
    failed,
    progress,
    errors,
    result: job.result ?? (started_at === null ? null : await records.savedSince(started_at)),
    created_at: time(job.created_at),
    started_at: time(started_at),
    finished_at: time(job.finished_at),
  };
}

async function pollJob({ job: id, cancel }: Sent, use: ImageOptimiser) {
  const name = String(id).slice(0, 100);
  const find = async (): Promise<Job> => {
    const job = await use.jobs.find(name);
    if (job?.kind !== bulkKind) throw jobErrors.jobNotFound(name);
    return job;
  };
  await find();
  if (isTrue(cancel)) await use.jobs.cancel(name);
  return jobAnswer(await find(), use);
}

export const bulkKind = 'images.optimize-all';

const actions: Readonly<Record<string, Action>> = {
  apply: (sent, { presets }) => presets.apply(idOf(sent)),
  current: (_, { presets }) => presets.live(),
  save: ({ name, description }, { presets }) => presets.save(name, description),
  stats: (_, { records }) => records.statistics(),
  bulk: bulkSlice,
  optimize: async (sent, use, caller) => {
    const id = idOf(sent);
    await use.optimiser.optimise(id, { options: await use.presets.options(), force: false }, authorOf(caller, use));
    return use.records.answer(id);
  },
  restore: async (sent, use, caller) => {
    const id = idOf(sent);
    await use.optimiser.restore(id, authorOf(caller, use));
    return (await use.records.shown([id])).get(id);
  },
};

async function startJob(sent: Sent, use: ImageOptimiser, caller: Caller) {
  const id = await use.images.startBulk({ force: isTrue(sent.force) }, caller.id);
  return jobAnswer((await use.jobs.find(id))!, use);
}

function act(sent: Sent, use: ImageOptimiser, caller: Caller): unknown {
  if (sent.job !== undefined) return pollJob(sent, use);
  if (sent.action === undefined) throw imageErrors.missingConfigs();
  const action = Object.hasOwn(actions, String(sent.action)) ? actions[String(sent.action)] : undefined;
  if (action === undefined) throw imageErrors.unknownAction(String(sent.action).slice(0, 100));
  return action(sent, use, caller);
}

export function routes({ route, t, withStatus }: Toolkit<ImageOptimiser>): Route[] {
  const path = 'preset_configs';
  return [
    route({
      method: 'GET',
      path,
      summary: 'The presets of the image optimizer',
      access: right,
      answers: { 200: t.list(t.free()) },
      handle: ({ use }) => use.presets.list(),
    }),
    route({
      method: 'POST',
      path,
      summary: 'Replace the presets, or optimize images',
      access: right,
      accessFirst: true,
      bodyLimit: maxPresetBytes,
      payload: t.untyped(),
      answers: { 200: t.untyped(), 202: t.free() },
      handle: async ({ payload, use, caller }) => {
        if (Array.isArray(payload)) return use.presets.replace(payload);
        if (typeof payload !== 'object' || payload === null) throw imageErrors.missingConfigs();
        const sent = payload as Sent;
        const isStart = sent.job === undefined && sent.action === 'bulk' && isTrue(sent.background);
        return (isStart ? withStatus(202, await startJob(sent, use, caller)) : await act(sent, use, caller)) as never;
      },
    }),
  ];
}
