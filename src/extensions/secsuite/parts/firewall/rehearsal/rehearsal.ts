// Stores the shapes of a sample of requests for a day, and tries rules on them.
import { AsyncLocalStorage } from 'node:async_hooks';
import { OutOfSpace, Unavailable } from '#lib/failures.ts';
import { day, hour, second } from '#lib/spans.ts';
import type { Clock } from '#site/platform/clock.ts';
import type { KeyedHash } from '#site/platform/seal.ts';
import { flag } from '#store/columns.ts';
import type { Log } from '#store/engine.ts';
import { pausing } from '#store/slices.ts';
import type { Store } from '#store/store.ts';
import type { AskedOf } from '../asked.ts';
import type { Rule } from '../engine/rule.ts';
import { createRecorder } from './recorder.ts';
import { type RehearsalContext, rehearse, type Verdict } from './rehearse.ts';
import { parametersOf, type RequestShape, type ShapeOptions, shapeText } from './shape.ts';
import type { ShapeTables } from './tables.ts';

export type KeptRequests = 'off' | 'shapes' | 'values';

const mostRows = 10_000;
/** They are purged each hour, so none is kept for more than a day. */
const keptFor = day - hour;
/** A later time is of a clock that was wrong. */
const maxClockSkew = hour;
const flushAfter = 5 * second;
const mostShown = 500;

export interface Rehearsed {
  readonly total: number;
  readonly matched: number;
  readonly notMatched: number;
  readonly unknown: number;
  /** The newest first: those that matched, then those of which it is not known. */
  readonly requests: readonly RehearsedRequest[];
}

export interface RehearsedRequest {
  readonly at: string;
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly string[];
  readonly verdict: Verdict;
}

interface RehearsalDeps extends Omit<RehearsalContext, 'hash'> {
  readonly store: Store<ShapeTables>;
  readonly clock: Clock;
  readonly log: Pick<Log, 'error'>;
  readonly hash: KeyedHash;
  readonly askedOf: AskedOf;
  /** What the site owner lets be stored. */
  kept(): KeptRequests;
  /** Calls back after some milliseconds. */
  later?(milliseconds: number, work: () => void): { cancel(): void };
}

export type Rehearsal = ReturnType<typeof createRehearsal>;

export function createRehearsal(deps: RehearsalDeps) {
  const { store, clock, log, hash, askedOf, kept, later = timer } = deps;
  let buffer: Buffered[] = [];
  let waiting: { cancel(): void } | undefined;
  let writing: Promise<void> = Promise.resolve();
  /** What is stored is no part of the request during which that happens. */
  const apart = AsyncLocalStorage.snapshot();
  const options = (): ShapeOptions | undefined =>
    kept() === 'off' ? undefined : { hash, withValues: kept() === 'values' };
  const flush = (): Promise<void> => {
    waiting?.cancel();
    waiting = undefined;
    const rows = buffer.map(rowOf);
    buffer = [];
    writing = writing
      .then(() => apart(() => insert(store, rows)))
      .catch((error) => {
        // They are a sample anyway.
        if (error instanceof Unavailable || error instanceof OutOfSpace) return;
        log.error({ err: error, shapes: rows.length }, 'Shapes of requests could not be stored');
      });
    return writing;
  };
  const keep = (shape: RequestShape, { withValues }: ShapeOptions): void => {
    buffer.push({ at: clock().toISOString(), withValues, shape });
    waiting ??= later(flushAfter, () => void flush());
  };
  return {
    guard: createRecorder({ clock, askedOf, options, keep }),
    flush,
    async end(): Promise<void> {
      waiting?.cancel();
      if (buffer.length > 0) await flush();
      await writing;
    },
    /** Deletes what is too old, too much, or no longer allowed. */
    purge: () => purge(store, clock(), kept()),
    async try(rule: Pick<Rule, 'rules'>): Promise<Rehearsed> {
      await flush();
      await apart(() => purge(store, clock(), kept()));
      return tryOn(store, rule, deps);
    },
  };
}

interface Buffered {
  readonly at: string;
  readonly withValues: boolean;
  readonly shape: RequestShape;
}

const rowOf = ({ at, withValues, shape }: Buffered) => ({ at, has_values: flag(withValues), shape: shapeText(shape) });

async function insert(store: Store<ShapeTables>, rows: readonly ReturnType<typeof rowOf>[]): Promise<void> {
  if (rows.length === 0) return;
  await store.write(async (tx) => {
    for (let at = 0; at < rows.length; at += 100)
      await tx
        .insertInto('secsuite_request_shapes')
        .values(rows.slice(at, at + 100))
        .execute();
    const { newest } = await tx
      .selectFrom('secsuite_request_shapes')
      .select(({ fn }) => fn.max('id').as('newest'))
      .executeTakeFirstOrThrow();
    await tx
      .deleteFrom('secsuite_request_shapes')
      .where('id', '<=', Number(newest ?? 0) - mostRows)
      .execute();
  });
}

const purge = (store: Store<ShapeTables>, now: Date, kept: KeptRequests): Promise<void> =>
  store.write(async (tx) => {
    const old = new Date(now.getTime() - keptFor).toISOString();
    const latest = new Date(now.getTime() + maxClockSkew).toISOString();
    const all = tx.deleteFrom('secsuite_request_shapes');
    if (kept === 'off') await all.execute();
    else await all.where(({ or, eb }) => or([eb('at', '<', old), eb('at', '>', latest)])).execute();
    if (kept === 'shapes') await all.where('has_values', '=', 1).execute();
  });

const atOnce = 200;

async function tryOn(
  { db }: Store<ShapeTables>,
  rule: Pick<Rule, 'rules'>,
  context: RehearsalContext,
): Promise<Rehearsed> {
  const counts: Record<Verdict, number> = { matched: 0, 'not-matched': 0, unknown: 0 };
  const shown: Record<Verdict, RehearsedRequest[]> = { matched: [], 'not-matched': [], unknown: [] };
  const pause = pausing();
  const newest = db.selectFrom('secsuite_request_shapes').selectAll().orderBy('id', 'desc').limit(atOnce);
  for (let rows = await newest.execute(); rows.length > 0; ) {
    for (const { at, shape: text } of rows) {
      const shape = JSON.parse(text) as RequestShape;
      const verdict = rehearse(rule, shape, context);
      counts[verdict] += 1;
      const { method, path } = shape;
      if (shown[verdict].length < mostShown)
        shown[verdict].push({ at, method, path, parameters: parametersOf(shape), verdict });
      await pause();
    }
    rows = await newest.where('id', '<', rows.at(-1)!.id).execute();
  }
  const { matched, unknown, 'not-matched': notMatched } = counts;
  const requests = [...shown.matched, ...shown.unknown].slice(0, mostShown);
  return { total: matched + unknown + notMatched, matched, notMatched, unknown, requests };
}

const timer = (milliseconds: number, work: () => void): { cancel(): void } => {
  const waiting = setTimeout(work, milliseconds).unref();
  return { cancel: () => clearTimeout(waiting) };
};
