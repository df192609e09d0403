// The account on whose behalf the suite changes something.
import type { Transaction } from 'kysely';
import type { Caller } from '#kernel/caller.ts';
import type { Asker } from '#kernel/schema.ts';
import type { AnyTables } from '#store/any.ts';

export interface Behalf {
  readonly caller: Asker;
  /** Asks inside the write whether they still may; throws what refuses. */
  again?(tx: Transaction<AnyTables>): Promise<void>;
}

/** Handlers get the behalf of their caller from this; groups decide who may. */
export interface BehalfSource {
  behalfOf(caller: Caller): Behalf;
}
