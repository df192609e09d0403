import { setTimeout as after } from 'node:timers/promises';

/** Waits until a moment of this process (`performance.now()`); not at all when it is past. A timer may come too early. */
export async function until(moment: number): Promise<void> {
  for (let left = moment - performance.now(); left > 0; left = moment - performance.now()) await after(Math.ceil(left));
}
