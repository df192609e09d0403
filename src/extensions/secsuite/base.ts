// What every room of the suite uses: the makings of a shared noun, on whose behalf something changes, how dates are written,
// listeners.
import type { Transaction } from 'kysely';
import type { Caller } from '#kernel/caller.ts';
import type { Relations } from '#kernel/resource.ts';
import type { Asker } from '#kernel/schema.ts';
import type { Services } from '#site/extension.ts';
import type { AnyTables } from '#store/handles.ts';

export type Base = ReturnType<typeof createBase>;

/** `stopping`: from then on, nothing is read from the database. */
export const createBase = ({ store, clock, log }: Services, stopping: AbortSignal) => ({
  store,
  clock,
  stopping,
  /** Logs that values of this name could not be read. */
  failed: (what: string) => (error: unknown) => log.error({ err: error }, `${what} could not be read.`),
});

export interface Behalf {
  readonly caller: Asker;
  /** Asks inside the write whether they still may; throws what refuses. */
  again?(tx: Transaction<AnyTables>): Promise<void>;
  /** Whether they would still manage, were it these groups that do; by the groups that are known, without it. */
  wouldManage?(groups: readonly string[]): boolean;
}

/** Handlers get the behalf of their caller from this; groups decide who may. */
export interface BehalfSource {
  behalfOf(caller: Caller): Behalf;
}

/** `2026-11-22T10:00:00+00:00`. */
export const rdate = (moment: Date | string): string => `${new Date(moment).toISOString().slice(0, 19)}+00:00`;

/** For people, who need no seconds: `2026-11-22 10:00 UTC`. */
export const minute = (moment: Date | string): string =>
  `${new Date(moment).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

/** `3 days`: the largest unit that fits. */
export function spanText(milliseconds: number): string {
  const units = [
    ['day', 86_400_000],
    ['hour', 3_600_000],
    ['minute', 60_000],
  ] as const;
  const [unit, length] = units.find(([, size]) => milliseconds >= size) ?? units[2];
  const count = Math.max(1, Math.floor(milliseconds / length));
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

/** What relations of the suite are called in links: `secsuite:settings`. */
export const relations: Relations = { secsuite: 'urn:gatehouse:secsuite:{rel}' };

/** A listener that fails is logged, and does not keep the others from being told. */
interface Listeners<A extends readonly unknown[]> {
  tell(...what: A): void;
  /** Returns how to hear no more. */
  add(listener: (...what: A) => void): () => void;
}

export function createListeners<A extends readonly unknown[]>(failed: (error: unknown) => void): Listeners<A> {
  const all = new Set<(...what: A) => void>();
  return {
    tell(...what) {
      for (const listener of all)
        try {
          listener(...what);
        } catch (error) {
          failed(error);
        }
    },
    add(listener) {
      all.add(listener);
      return () => void all.delete(listener);
    },
  };
}
