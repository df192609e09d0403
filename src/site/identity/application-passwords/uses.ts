// When an application password was last used: noted at most once in a day, in a table of its own that nobody watches, so that
// asking something costs no write.
import { OutOfSpace, Unavailable } from '#lib/failures.ts';
import { Lru } from '#lib/lru.ts';
import { day, minute } from '#lib/spans.ts';
import { isDangling } from '#store/problem.ts';
import type { Store } from '#store/store.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Events } from '../../platform/events.ts';
import type { IdentityTables } from '../tables.ts';
import { usersLock } from '../users/guards.ts';
import type { User } from '../users/user.ts';

export interface Uses {
  /** Written down at most once in a day for each, and told to those who listen when it is; at once in between. */
  used(holder: Holder, address: string): undefined | Promise<void>;
}

interface Needs {
  readonly store: Store<IdentityTables>;
  readonly clock: Clock;
  readonly events: Events;
}

const mostKnown = 5_000;

export function createUses({ store, clock, events }: Needs): Uses {
  /** By the number of the password: when its use was last noted, in milliseconds since 1970. */
  const noted = new Lru<number, number>(mostKnown);

  const note = async (holder: Holder, address: string, now: number): Promise<void> => {
    const last = await lastUse(store, holder);
    if (last !== undefined && now - last < day) return noted.set(holder.id, last);
    if (await write(store, holder, address, now))
      events.emit('login.succeeded', { user: holder.user, by: 'application_password', from: address });
  };

  return {
    used(holder, address) {
      const now = clock().getTime();
      if (now - (noted.get(holder.id) ?? 0) < day) return undefined;
      noted.set(holder.id, now); // at once, so that of many requests together one writes
      return note(holder, address, now).catch((error) => {
        if (isDangling(error)) return; // revoked meanwhile
        if (!(error instanceof Unavailable) && !(error instanceof OutOfSpace)) throw error;
        noted.set(holder.id, now - day + minute); // reading goes on while nothing can be written
      });
    },
  };
}

async function lastUse({ db }: Store<IdentityTables>, { id }: Holder): Promise<number | undefined> {
  const row = await db
    .selectFrom('application_password_uses')
    .select('used_at')
    .where('password_id', '=', id)
    .executeTakeFirst();
  return row && Date.parse(row.used_at);
}

/** Whether it was us who wrote, and not another process. */
async function write(store: Store<IdentityTables>, { id }: Holder, address: string, now: number): Promise<boolean> {
  const use = { used_at: new Date(now).toISOString(), address };
  const { numInsertedOrUpdatedRows } = await store.write(async (tx, { lock }) => {
    await lock(usersLock); // else whoever revokes it or erases the user might find a use of what is gone
    return tx
      .insertInto('application_password_uses')
      .values({ password_id: id, ...use })
      .onConflict((on) =>
        on
          .column('password_id')
          .doUpdateSet(use)
          .where('application_password_uses.used_at', '<=', new Date(now - day).toISOString()),
      )
      .executeTakeFirstOrThrow();
  });
  return (numInsertedOrUpdatedRows ?? 0n) > 0n;
}

/** Who holds a credential that was shown. */
export interface Holder {
  readonly user: User;
  readonly id: number;
  readonly uuid: string;
  /** The number of the user who made it, mostly of its owner; `nobodys` at the command line. */
  readonly madeBy: number;
  readonly limits: PasswordLimits;
}

/** The interfaces that application passwords can be for. Gatehouse serves no XML-RPC. */
export const interfaceNames = ['rest-api', 'xml-rpc'] as const;

/** What an application password may do. */
export interface PasswordLimits {
  readonly rest_api_permissions: 'read' | 'write';
  readonly enabled_for: readonly (typeof interfaceNames)[number][];
}
