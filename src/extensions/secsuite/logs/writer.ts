// Whoever logs goes on at once; what was logged is kept a moment later, together with all else of that moment.
import { AsyncLocalStorage } from 'node:async_hooks';
import { OutOfSpace, Unavailable } from '#lib/failures.ts';
import type { Log } from '#store/engine.ts';
import type { NewEntry } from './entry.ts';
import type { LeftOut, Queue } from './queue.ts';

/** Calls back after so many milliseconds. */
export type Later = (milliseconds: number, work: () => void) => { cancel(): void };

export interface Writer {
  add(entry: NewEntry): void;
  /** Resolves once everything that was added before is kept, or cannot be. */
  flush(): Promise<void>;
  /** Keeps what waits, and nothing after that. */
  end(): Promise<void>;
}

interface Needs {
  readonly queue: Queue;
  /** Keeps these, all or none. */
  keep(entries: readonly NewEntry[]): Promise<unknown>;
  /** Says that something was left out. */
  telling(leftOut: LeftOut): NewEntry;
  readonly later: Later;
  readonly log: Pick<Log, 'warn' | 'error'>;
}

/** In milliseconds: as long as a crash may cost entries, and until one tries again where nothing can be kept just now. */
const apart = 100;
const again = 1_000;
/** So many in one write. */
const atOnce = 512;

export function createWriter(needs: Needs): Writer {
  const { queue, later } = needs;
  let waiting: { cancel(): void } | undefined;
  let working: Promise<boolean> | undefined;
  let hasEnded = false;
  /** Whoever logs may be in the middle of a write of their own; what is kept is no part of it. */
  const apartFromAll = AsyncLocalStorage.snapshot();
  const soon = (milliseconds: number): void => {
    waiting ??= later(milliseconds, () => {
      waiting = undefined;
      void work();
    });
  };
  const work = async (): Promise<void> => {
    working ??= apartFromAll(() => emptied(needs)).finally(() => {
      working = undefined;
    });
    const isEmptied = await working;
    if (!queue.isEmpty && !hasEnded) soon(isEmptied ? apart : again);
  };
  return {
    add(entry) {
      if (hasEnded) return;
      queue.add(entry);
      if (working === undefined) soon(apart);
    },
    async flush() {
      await working; // it may have passed what was added last
      await work();
    },
    async end() {
      await working;
      hasEnded = true;
      waiting?.cancel();
      await work();
    },
  };
}

/** Whether nothing is left because it was kept, or is not worth another try. */
async function emptied(needs: Needs): Promise<boolean> {
  const { queue, telling } = needs;
  for (;;) {
    const leftOut = queue.leftOut();
    if (leftOut !== undefined) queue.addInAnyCase(telling(leftOut));
    if (queue.isEmpty) return true;
    if (!(await kept(needs))) return false;
  }
}

async function kept({ queue, keep, log }: Needs): Promise<boolean> {
  const group = queue.take(atOnce);
  try {
    await keep(group.map(({ entry }) => entry));
    return true;
  } catch (error) {
    if (error instanceof Unavailable || error instanceof OutOfSpace) {
      queue.putBack(group);
      log.warn({ err: error, waiting: group.length }, 'Entries of the security log wait until they can be stored.');
      return false;
    }
    log.error({ err: error, entries: group.length }, 'Entries of the security log could not be stored.');
    return true;
  }
}
