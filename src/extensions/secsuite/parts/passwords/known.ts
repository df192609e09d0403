// What is known of the passwords of users: when each was set, and how strong it is.

import type { User } from '#site/identity/users/user.ts';
import type { Clock } from '#site/platform/clock.ts';
import { instant } from '#store/columns.ts';
import type { Store } from '#store/store.ts';
import type { PasswordTables } from './tables.ts';

type Owner = Pick<User, 'id' | 'registered_at'>;

export interface KnownPasswords {
  /** Of one that was set before anybody kept it: since they are here. */
  of(user: Owner): Promise<{ readonly since: Date; readonly strength: number | undefined }>;
  /** It is a new one as of now. */
  changed(user: Owner, strength: number | undefined): Promise<void>;
  /** It was measured when it was typed. */
  measured(user: Owner, strength: number): Promise<void>;
  forget(user: Owner): Promise<void>;
}

interface Needs {
  readonly store: Store<PasswordTables>;
  readonly clock: Clock;
}

export function createKnownPasswords({ store, clock }: Needs): KnownPasswords {
  const keep = (id: number, row: { readonly changed_at?: string; readonly strength: number | null }) =>
    store.write(async (tx) => {
      await tx
        .insertInto('secsuite_passwords')
        .values({ user_id: id, changed_at: null, ...row })
        .onConflict((conflict) => conflict.column('user_id').doUpdateSet(row))
        .execute();
    });
  return {
    async of({ id, registered_at }) {
      const kept = store.db
        .selectFrom('secsuite_passwords')
        .select(['changed_at', 'strength'])
        .where('user_id', '=', id);
      const row = await kept.executeTakeFirst();
      return { since: new Date(row?.changed_at ?? registered_at), strength: row?.strength ?? undefined };
    },
    changed: ({ id }, strength = undefined) => keep(id, { changed_at: instant(clock()), strength: strength ?? null }),
    measured: ({ id }, strength) => keep(id, { strength }),
    forget: ({ id }) =>
      store.write(async (tx) => {
        await tx.deleteFrom('secsuite_passwords').where('user_id', '=', id).execute();
      }),
  };
}
