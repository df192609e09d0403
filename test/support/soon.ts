// What happens by itself a little later: in the background, or in another process.
import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { minute, second } from '#lib/spans.ts';
import { processorTime } from '#store/slices.ts';
import { inTime } from './in-time.ts';

const between = 20;
/** A busy machine is slow, and that is no fault of what is tried. */
const patience = 2 * minute;

/**
 * Asks over and over until the answer is the one expected; gives back how long that took: what it paused, and the processor time that
 * the questions took here. How late a busy machine was is not counted.
 */
export async function soon<T>(ask: () => Promise<T>, expected: T): Promise<number> {
  const begun = performance.now();
  const worked = processorTime();
  let pauses = 0;
  let answer = await ask();
  while (answer !== expected && performance.now() - begun < patience) {
    await pause(between);
    pauses += 1;
    answer = await ask();
  }
  assert.equal(answer, expected);
  return pauses * between + processorTime() - worked;
}

/** What one process does is seen by another within a second. */
export async function withinASecond<T>(ask: () => Promise<T>, expected: T): Promise<void> {
  inTime(await soon(ask, expected), second);
}
