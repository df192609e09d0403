// The row of a user's two-factor authentication: how it is read, changed, sealed and opened.
import { randomBytes } from 'node:crypto';
import type { Selectable, Transaction } from 'kysely';
import type { Services } from '#site/extension.ts';
import type { User } from '#site/identity/users/user.ts';
import { flag, instant } from '#store/columns.ts';
import type { Store } from '#store/store.ts';
import type { Settings } from '../../settings/types.ts';
import { createCodeHash } from './codes.ts';
import { type Method, methodIds } from './module.ts';
import type { TwoFactorTables } from './tables.ts';

export type Tx = Transaction<TwoFactorTables>;
export type Row = Selectable<TwoFactorTables['secsuite_two_factor']>;
type Owner = Pick<User, 'id'>;

/** A set-up that is not finished: what the user is shown to finish it. */
export interface Pending {
  readonly seed: Buffer;
  /** Recovery codes; none for a user who has some. */
  readonly codes: readonly string[];
}

export interface RowDeps extends Pick<Services, 'clock' | 'keys' | 'seal' | 'log'> {
  readonly store: Store<TwoFactorTables>;
  readonly settings: Pick<Settings, 'of'>;
}

const aboutSealed = (what: 'seed' | 'pending', { handle }: Row): string => `two-factor ${what} ${handle}`;

const rowOf = (db: Pick<Store<TwoFactorTables>['db'], 'selectFrom'>, { id }: Owner) =>
  db.selectFrom('secsuite_two_factor').selectAll().where('user_id', '=', id);

const freshRow = ({ id }: Owner) => ({
  user_id: id,
  handle: randomBytes(16).toString('base64url'),
  last_step: 0,
  email: flag(false),
});

export type Rows = ReturnType<typeof createRows>;

export function createRows({ store, clock, keys, seal, log, settings }: RowDeps) {
  const opened = (row: Row, sealed: string | null, what: 'seed' | 'pending'): string | undefined => {
    try {
      return sealed === null ? undefined : seal.open(sealed, aboutSealed(what, row));
    } catch (error) {
      log.error({ err: error }, 'A key for two-factor authentication could not be opened');
      return undefined;
    }
  };
  return {
    store,
    now: clock,
    hash: createCodeHash(keys),
    find: (user: Owner): Promise<Row | undefined> => rowOf(store.db, user).executeTakeFirst(),
    /** A write about one user at a time, who has a row from then on. */
    write: <R>(user: Owner, work: (tx: Tx, row: Row) => Promise<R>): Promise<R> =>
      store.write(async (tx, { lock }) => {
        await lock(`secsuite two-factor ${user.id}`);
        const added = tx.insertInto('secsuite_two_factor').values(freshRow(user));
        await added.onConflict((on) => on.column('user_id').doNothing()).execute();
        return work(tx, await rowOf(tx, user).executeTakeFirstOrThrow());
      }),
    change: (tx: Tx, { id }: Owner, values: Partial<Row>) =>
      tx.updateTable('secsuite_two_factor').set(values).where('user_id', '=', id).execute(),
    isAvailable(method: Method): boolean {
      const { available_methods: which, custom_available_methods: chosen } = settings.of('two-factor');
      if (which === 'custom') return chosen.includes(method);
      return methodIds.includes(method) && (which === 'all' || method !== 'Two_Factor_Email');
    },
    seedIn(row: Row): Buffer | undefined {
      const seed = opened(row, row.seed, 'seed');
      return seed === undefined ? undefined : Buffer.from(seed, 'base64url');
    },
    sealSeed: (row: Row, seed: Buffer): string => seal.close(seed.toString('base64url'), aboutSealed('seed', row)),
    pendingIn(row: Row): Pending | undefined {
      const isOver = (row.pending_until ?? '') <= instant(clock());
      const text = isOver ? undefined : opened(row, row.pending, 'pending');
      if (text === undefined) return undefined;
      const { seed, codes } = JSON.parse(text) as { readonly seed: string; readonly codes: readonly string[] };
      return { seed: Buffer.from(seed, 'base64url'), codes };
    },
    sealPending: (row: Row, { seed, codes }: Pending): string =>
      seal.close(JSON.stringify({ seed: seed.toString('base64url'), codes }), aboutSealed('pending', row)),
  };
}
