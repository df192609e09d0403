// What happens by itself a little later: in the background, or in another process.
import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { minute, second } from '#lib/spans.ts';
import { inTime } from './in-time.ts';

const between = 20;
/** A busy machine is slow, and that is no fault of what is tried. */
const patience = 2 * minute;

/** Asks over and over until the answer is the one expected; gives back how long that took. What this machine alone was late is not counted. */
export async function soon<T>(ask: () => Promise<T>, expected: T): Promise<number> {
  const begun = performance.now();
  let late = 0;
  let answer = await ask();
  while (answer !== expected && performance.now() - begun < patience) {
    const slept = performance.now();
    await pause(between);
    late += performance.now() - slept - between;
    answer = await ask();
  }
  assert.equal(answer, expected);
  return performance.now() - begun - late;
}

/** What one process does is seen by another within a second. */
export async function withinASecond<T>(ask: () => Promise<T>, expected: T): Promise<void> {
  inTime(await soon(ask, expected), second);
}
