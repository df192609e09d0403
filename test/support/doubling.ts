// Whether a piece of work takes as long as its text, and no longer, however nasty the text.
import assert from 'node:assert/strict';

/** The least of some times, in milliseconds of a processor: whatever else the machine does shall not count. */
function quickest(work: () => unknown): number {
  const times = Array.from({ length: 3 }, () => {
    const start = process.cpuUsage();
    work();
    return process.cpuUsage(start).user / 1000;
  });
  return Math.min(...times);
}

/** Below this a clock measures other things. */
const least = 15;

/** Four times the text takes about four times as long, where what looks back would take sixteen; and half a megabyte so many ms. */
export function staysLinear(piece: string, work: (text: string) => unknown, most = 100): void {
  const text = (length: number): string => piece.repeat(Math.ceil(length / piece.length));
  const [quarter, whole] = [text(125_000), text(500_000)];
  const once = quickest(() => work(quarter));
  const times = quickest(() => work(whole));
  assert.ok(times < Math.max(8 * once, 8 * least), `${once} ms, and ${times} ms for four times the text`);
  assert.ok(times < most, `${times} ms for half a megabyte`);
}
