// What every request may ask without waiting: a value of this process, made anew whenever one of its tables is written, by whichever
// process.

import { setImmediate as breath } from 'node:timers/promises';
import type { AnyStore } from '#store/store.ts';

export interface Snapshot<T> {
  /** As it was read last. Throws before it was read first: until then the site answers nobody. */
  readonly now: T;
  readonly isReady: boolean;
  /** Once it was read for the first time. */
  readonly ready: Promise<void>;
  /** Reads what is kept now: for whoever wrote, and is to see it before he answers. */
  refresh(): Promise<void>;
  /** Called with what it was and what it is, in every process. Returns how to hear no more. */
  onChange(listener: (before: T, after: T) => void): () => void;
}

export interface SnapshotNeeds<T> {
  readonly store: Pick<AnyStore, 'changes'>;
  /** The tables it comes from. */
  readonly tables: readonly string[];
  load(): Promise<T>;
  /** It could not be read; what was read before stays. */
  failed(error: unknown): void;
  /** From then on nothing is read any more. */
  readonly stopping: AbortSignal;
  /** How long word of a change may wait for more of it, in milliseconds, where all of it takes a moment to be read. */
  patience?(): number;
}

/** How long until a reading that failed is tried again, in milliseconds. */
const again = 500;

export function createSnapshot<T>({ store, tables, load, failed, stopping, patience }: SnapshotNeeds<T>): Snapshot<T> {
  const listeners = new Set<(before: T, after: T) => void>();
  let current: { readonly value: T } | undefined;
  let reading: Promise<void> | undefined;
  let isStale = false;
  const read = async (): Promise<void> => {
    try {
      do {
        isStale = false;
        const value = await Promise.try(load);
        const before = current;
        current = { value };
        if (before !== undefined) for (const listener of listeners) listener(before.value, value);
        renewDerived();
      } while (isStale);
    } finally {
      reading = undefined; // at once: whoever asks a moment later must not be served by what was read before
    }
  };
  /** One at a time: whoever asks meanwhile is served by a reading that begins after he asked. */
  const refresh = (): Promise<void> => {
    if (reading !== undefined) {
      isStale = true;
      return reading;
    }
    reading = read();
    return reading;
  };
  const untilRead = (): Promise<void> =>
    refresh().catch(async (error) => {
      if (stopping.aborted) return;
      failed(error);
      await new Promise((done) => setTimeout(done, again).unref());
      return untilRead();
    });
  const ready = untilRead();
  let isWaiting = false;
  const readLater = (milliseconds: number): void => {
    if (isWaiting) return;
    isWaiting = true;
    setTimeout(() => {
      isWaiting = false;
      if (!stopping.aborted) void untilRead();
    }, milliseconds).unref();
  };
  store.changes.watch((written) => {
    if (stopping.aborted || !tables.some((table) => written.has(table))) return;
    if (patience === undefined) void untilRead();
    else readLater(patience());
  });
  return {
    get now() {
      if (current === undefined) throw new Error('The snapshot was used before it was read.');
      return current.value;
    },
    get isReady() {
      return current !== undefined;
    },
    ready,
    refresh,
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

// Values computed from snapshots, for code that every request passes through.

let version = 0;

/** After a snapshot is read anew, and after any other change of what derived values are computed from. */
export function renewDerived(): void {
  version += 1;
}

/** Computes the value again only after `renewDerived`. */
export function derived<T>(compute: () => T): () => T {
  let known: { readonly version: number; readonly value: T } | undefined;
  return () => {
    if (known?.version !== version) known = { version, value: compute() };
    return known.value;
  };
}

/** A snapshot of a table that may hold a million rows: all of it is read once, and from then on only what changed. */
interface Needs<T> extends Omit<SnapshotNeeds<T>, 'load' | 'patience'> {
  /** Reads all there is. */
  all(): Promise<T>;
  /** Adds what changed since. False if that cannot be told, as when an older database was put back: then all is read again. */
  catchUp(known: T): Promise<boolean>;
}

export function createFollower<T>({ all, catchUp, ...needs }: Needs<T>): Snapshot<T> {
  let known: T | undefined;
  const load = async (): Promise<T> => {
    if (known === undefined || !(await catchUp(known))) known = await all();
    return known;
  };
  return createSnapshot({ ...needs, load });
}

/**
 * Reads rows, `most` at a time, until there are fewer; in between others have their turn. Ends early, and answers false, if `take` says
 * that rows are missing.
 */
export async function inBatches<Row>(
  most: number,
  read: () => Promise<readonly Row[]>,
  take: (rows: readonly Row[]) => boolean,
): Promise<boolean> {
  for (;;) {
    const rows = await read();
    if (!take(rows)) return false;
    if (rows.length < most) return true;
    await breath();
  }
}
