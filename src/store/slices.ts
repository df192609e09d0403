// Long maintenance, a little at a time: whatever else this process has to do comes in between, so that nobody who reads notices.
import { setTimeout as after } from 'node:timers/promises';

/** So long at most may a slice keep this thread, in milliseconds; less is aimed at. */
export const longestSlice = 5;
const aim = 2;
/** A pause is so many times as long as the slice before it kept this thread, as far as these go, in milliseconds. */
const rest = { times: 3, least: 5, longest: 50 };
const usuallyFirst = 4;
/** What a piece costs is what the middle one of the last slices says: some also paid for what came in between. */
const remembered = 5;

interface Slicing {
  /** Aborted, no further slice is begun and the reason is thrown. */
  readonly signal?: AbortSignal | undefined;
  /** So many in the first slice; few, unless each is known to be cheap. */
  readonly first?: number;
  /** So many at most in one slice, however cheap they are. */
  readonly most?: number;
}

/**
 * Calls `take` until it does fewer than it was told to do at most, with pauses; answers how many that was in all. How many fit into a
 * slice is found out on the way.
 */
export async function inSlices(
  take: (most: number) => Promise<number>,
  { signal, first = usuallyFirst, most = 1_000 }: Slicing = {},
): Promise<number> {
  const costs: number[] = [];
  let size = Math.min(first, most);
  for (let all = 0; ; ) {
    signal?.throwIfAborted();
    const before = processorTime(); // while this waits for a disk or a server, others have their turn
    const done = await take(size);
    all += done;
    if (done < size) return all;
    const used = processorTime() - before;
    costs.push(used / done);
    if (costs.length > remembered) costs.shift();
    size = Math.max(1, Math.min(most, 2 * size, Math.floor(aim / middle(costs))));
    await after(Math.min(Math.max(rest.times * used, rest.least), rest.longest));
  }
}

/** For work that goes from one thing to the next: called after each, it pauses once a slice is over. */
export function pausing(): () => Promise<void> | undefined {
  let begun = performance.now();
  return () => {
    if (performance.now() - begun < aim) return undefined;
    return after(1).then(() => {
      begun = performance.now();
    });
  };
}

/** All of these, with pauses for others while they are taken. */
export async function* unhurried<T>(all: AsyncIterable<T>): AsyncGenerator<T> {
  const pause = pausing();
  for await (const one of all) {
    yield one;
    const others = pause();
    if (others) await others;
  }
}

const middle = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[values.length >> 1] ?? 0;

/**
 * Milliseconds of processor time that this thread has used. Linux updates this figure every few milliseconds only, except for a thread
 * that asks about its whole process: that is why this asks twice.
 */
export function processorTime(): number {
  process.cpuUsage();
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
