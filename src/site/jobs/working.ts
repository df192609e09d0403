// One job while it is done: its items one after another, and how far it has come.
import { pausing } from '#store/slices.ts';
import type { Claimed } from './claiming.ts';
import type { Each, Items, Work } from './job.ts';
import { isAway, reasonOf, shortened } from './reasons.ts';
import type { Tally } from './recording.ts';

export interface Tools {
  /** Writes how far it has come, and what failed since the last time. */
  record(tally: Tally): Promise<void>;
  /** Something failed for a reason nobody foresaw. */
  report(error: unknown): void;
  /** Resolves after so many milliseconds, or as soon as the signal is aborted. */
  pause(milliseconds: number, signal: AbortSignal): Promise<void>;
}

/** Between two writes of how far a job with quick items has come, in milliseconds. */
const recordedEvery = 250;
/** Before an item is tried again that failed because something is away. */
const pauses = [1_000, 5_000, 25_000];

/** What `run` is given to work with. */
export function workOn(claim: Claimed, tally: Tally, signal: AbortSignal, tools: Tools): Work {
  let steps = 0;
  return {
    id: claim.id,
    attempt: claim.attempt,
    signal,
    async total(count) {
      tally.total = count;
      await tools.record(tally);
    },
    async each(items, each) {
      steps += 1;
      if (steps < tally.step) return; // done with when this job was begun before
      if (steps > tally.step) Object.assign(tally, { step: steps, position: null });
      await walk(items, each, tally, signal, tools);
    },
  };
}

async function walk<T>(items: Items<T>, each: Each<T>, tally: Tally, signal: AbortSignal, tools: Tools) {
  const breath = breathing(tally, tools);
  for await (const item of await items(tally.position ?? undefined)) {
    signal.throwIfAborted();
    const key = each.key(item);
    await one(key, () => each.do(item), tally, signal, tools);
    tally.position = key;
    await breath();
  }
}

async function one(item: string, work: () => Promise<unknown>, tally: Tally, signal: AbortSignal, tools: Tools) {
  try {
    await patiently(work, signal, tools);
    tally.done += 1;
  } catch (error) {
    signal.throwIfAborted(); // it failed of that, and is not accounted for
    tally.failed += 1;
    tally.errors.push({ item: shortened(item), ...reasonOf(error, tools.report) });
  }
}

async function patiently(work: () => Promise<unknown>, signal: AbortSignal, { pause }: Tools): Promise<unknown> {
  for (const milliseconds of pauses) {
    try {
      return await work();
    } catch (error) {
      if (!isAway(error)) throw error;
      await pause(milliseconds, signal);
      signal.throwIfAborted();
    }
  }
  return work();
}

/** After each item: now and then writes, now and then lets others have their turn. */
function breathing(tally: Tally, { record }: Tools): () => Promise<void> {
  let recorded = performance.now();
  const pause = pausing();
  return async () => {
    const now = performance.now();
    if (now - recorded >= recordedEvery) {
      await record(tally);
      recorded = performance.now();
    }
    await pause();
  };
}
