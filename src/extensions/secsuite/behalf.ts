// On whose behalf something is changed.
import type { Transaction } from 'kysely';
import type { Asker } from '#kernel/schema.ts';
import type { AnyTables } from '#store/any.ts';

export interface Behalf {
  readonly caller: Asker;
  /** Asks inside the write whether they still may; throws what refuses. */
  again?(tx: Transaction<AnyTables>): Promise<void>;
}
