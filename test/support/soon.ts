// What one process does is seen by another within a second.
import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { second } from '#lib/spans.ts';

const between = 20;

/** Asks over and over until the answer is the one expected. What this machine alone was late is not counted. */
export async function withinASecond<T>(ask: () => Promise<T>, expected: T): Promise<void> {
  const begun = performance.now();
  let late = 0;
  let answer = await ask();
  while (answer !== expected && performance.now() - begun < 10 * second) {
    const slept = performance.now();
    await pause(between);
    late += performance.now() - slept - between;
    answer = await ask();
  }
  assert.equal(answer, expected);
  assert.ok(performance.now() - begun - late < second, 'it took longer than a second');
}
