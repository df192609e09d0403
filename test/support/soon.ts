// What happens by itself a little later: in the background, or in another process.
import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { minute, second } from '#lib/spans.ts';
import { inTime, slowness } from './in-time.ts';

const between = 20;
/** A busy machine is slow, and that is no fault of what is tried. */
const patience = 2 * minute;
const isBusy = (): boolean => slowness() > 1.2;

/** How long an answer took to come, by two clocks. */
interface Awaited {
  /** By the wall clock, without what this process woke up too late. */
  readonly took: number;
  /** Pauses, and the fastest answer as often as was asked: what an idle machine had taken. */
  readonly alone: number;
}

/** Asks over and over until the answer is the one expected. */
export async function soon<T>(ask: () => Promise<T>, expected: T): Promise<Awaited> {
  const begun = performance.now();
  let [late, asked, fastest] = [0, 0, Number.POSITIVE_INFINITY];
  for (;;) {
    const asking = performance.now();
    const answer = await ask();
    const answered = performance.now();
    asked += 1;
    fastest = Math.min(fastest, answered - asking);
    if (answer === expected) return { took: answered - begun - late, alone: asked * fastest + (asked - 1) * between };
    if (answered - begun > patience) assert.equal(answer, expected);
    await pause(between);
    late += performance.now() - answered - between;
  }
}

/** What one process does is seen by another within a second; on a busy machine, before it was asked for as often as that takes. */
export async function withinASecond<T>(ask: () => Promise<T>, expected: T): Promise<void> {
  const { took, alone } = await soon(ask, expected);
  inTime(took > second && isBusy() ? Math.min(took, alone) : took, second);
}
