// Whether a piece of work takes as long as its text, and no longer, however nasty the text.
import assert from 'node:assert/strict';

/** Whether limits on processor time are checked. A busy machine inflates it, so that only the full test run does. */
export const measuresTime = process.env.GATEHOUSE_TEST_FULL !== undefined;

/**
 * Of each work the least of some times, in milliseconds of the processor of this thread, tried in turn: whatever else the machine does
 * shall not count.
 */
export function quickest(...works: readonly (() => unknown)[]): number[] {
  const least = works.map(() => Number.POSITIVE_INFINITY);
  for (let round = 0; round < 3; round++)
    for (const [at, work] of works.entries()) {
      const start = process.threadCpuUsage();
      work();
      least[at] = Math.min(least[at]!, process.threadCpuUsage(start).user / 1000);
    }
  return least;
}

/** Below this a clock measures other things. */
const least = 15;

/** Works on a long text once. In the full test run, it must stay linear too. */
export function worksOnLongText(piece: string, work: (text: string) => unknown, most?: number): void {
  if (measuresTime) staysLinear(piece, work, most);
  else work(piece.repeat(Math.ceil(50_000 / piece.length)));
}

/** Does the work. In the full test run, it must take at most so many milliseconds of the processor. */
export function withinProcessorTime<T>(most: number, work: () => T): T {
  const start = process.threadCpuUsage();
  const answer = work();
  const took = process.threadCpuUsage(start).user / 1000;
  if (measuresTime) assert.ok(took < most, `${took} ms of processor time`);
  return answer;
}

/** Four times the text takes about four times as long, where what looks back would take sixteen; and half a megabyte so many ms. */
export function staysLinear(piece: string, work: (text: string) => unknown, most = 100): void {
  const text = (length: number): string => piece.repeat(Math.ceil(length / piece.length));
  const [quarter, whole] = [text(125_000), text(500_000)];
  const [once = 0, times = 0] = quickest(
    () => work(quarter),
    () => work(whole),
  );
  assert.ok(times < Math.max(8 * once, 8 * least), `${once} ms, and ${times} ms for four times the text`);
  assert.ok(times < most, `${times} ms for half a megabyte`);
}
