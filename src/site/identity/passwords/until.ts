import { setTimeout as after } from 'node:timers/promises';

/** Waits until a moment of this process (`performance.now()`); not at all when it is past. */
export async function until(moment: number): Promise<void> {
  const left = moment - performance.now();
  if (left > 0) await after(left);
}
