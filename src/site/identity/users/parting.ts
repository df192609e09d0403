// What else belongs to a user who is deleted: those who keep it say what becomes of it.
import type { Transaction } from 'kysely';
import type { AnyTables } from '#store/any.ts';
import type { During } from '#store/writing.ts';

/**
 * Done in the write that deletes the user: what was theirs goes to `heir`, or goes. What takes longer than a write may is done by
 * what it answers, once the user is gone for good; it must be certain by then that it is done whatever happens.
 */
export type Parting = (
  tx: Transaction<AnyTables>,
  during: During,
  leaving: { readonly id: number; readonly heir: number | undefined },
) => Promise<(() => Promise<unknown>) | undefined>;
