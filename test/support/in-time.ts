// Limits on real time that hold on a busy machine too.
import assert from 'node:assert/strict';
import { processorTime } from '#store/slices.ts';

/** Milliseconds. */
const trial = 500;
/** How long one trial is believed, so that those who fail together do not keep each other waiting. */
const believed = 10_000;
let last = { at: Number.NEGATIVE_INFINITY, times: 1 };

/** How many times slower than alone this thread is now, because others load the machine: 1 on an idle one. */
export function slowness(): number {
  const [begun, worked] = [performance.now(), processorTime()];
  if (begun - last.at < believed) return last.times;
  while (performance.now() - begun < trial);
  const passed = performance.now() - begun;
  last = { at: performance.now(), times: Math.max(1, passed / (processorTime() - worked)) };
  return last.times;
}

/** Fails when something took longer than `most` milliseconds, or as much longer as the machine is slower just now. */
export function inTime(took: number, most: number, what = 'it'): void {
  if (took <= most) return;
  const times = slowness();
  assert.ok(
    took <= most * times,
    `${what} took ${took} ms, ${most} allowed, on a machine ${times.toFixed(1)} times slower`,
  );
}
