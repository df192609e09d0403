// Accounts with many rights, when each was last used, and which of their issues managers have muted.
import { withoutRequest } from '#kernel/request.ts';
import { Lru } from '#lib/lru.ts';
import { hour } from '#lib/spans.ts';
import type { Services } from '#site/extension.ts';
import type { Roles } from '#site/identity/roles.ts';
import type { User } from '#site/identity/users/user.ts';
import { instant } from '#store/columns.ts';
import type { Store } from '#store/store.ts';
import type { Base, Behalf } from '../base.ts';
import { type Canonical, canonicalOf } from '../groups/canonical.ts';
import { createPasswordless, createTwoFactorFacts } from './sign-in-facts.ts';
import { type AccountTables, accountTables } from './tables.ts';

export type Component = 'passwords' | 'two-factor' | 'inactive-users';
type Owner = Pick<User, 'id'>;

export type Accounts = ReturnType<typeof createAccounts>;

/** A user is noted as seen once in this time. */
const notedEvery = hour;
const maxNoted = 10_000;
/** Users are read in pages of this size. */
const pageSize = 500;

export function createAccounts({ identity, log }: Pick<Services, 'identity' | 'log'>, base: Base) {
  const store = base.store as unknown as Store<AccountTables>;
  return {
    ...createLevels(identity.roles),
    ...createSeen(store, base.clock, log),
    ...createMutes(store, base.clock),
    twoFactorFacts: createTwoFactorFacts(),
    passwordless: createPasswordless(),
    passwordFacts: createPasswordFacts(),
    find: (id: number): Promise<User | undefined> => identity.users.find(id),
    /** All users with any of these roles, by their ids. */
    async holders(roles: readonly string[]): Promise<User[]> {
      const all: User[] = [];
      let page: User[];
      do {
        const part = {
          limit: pageSize,
          offset: all.length,
          orderBy: 'id',
          order: 'asc',
          searchPrivate: false,
          roles,
        } as const;
        page = roles.length === 0 ? [] : (await identity.users.list(part)).items;
        all.push(...page);
      } while (page.length === pageSize);
      return all;
    },
    forget: ({ id }: Owner) =>
      store.write(async (tx) => {
        for (const table of accountTables) await tx.deleteFrom(table).where('user_id', '=', id).execute();
      }),
  };
}

interface PasswordFact {
  /** Null if it was set before the suite noted it. */
  readonly changed_at: string | null;
  /** Null if it was not measured yet. */
  readonly strength: number | null;
}

type PasswordFacts = (users: readonly Owner[]) => Promise<ReadonlyMap<number, PasswordFact>>;

/** What others need to know about the passwords of users. The part that has them answers. */
function createPasswordFacts() {
  let known: PasswordFacts = async () => new Map();
  return {
    provide(facts: PasswordFacts): void {
      known = facts;
    },
    of: (users: readonly Owner[]) => known(users),
  };
}

/** Roles by what they may do, whatever they are called. */
const createLevels = (roles: Roles) => ({
  rolesAt: (...levels: readonly Canonical[]): string[] =>
    roles.names.filter((name) => {
      const level = canonicalOf(roles.capabilitiesOf([name]));
      return level !== undefined && levels.includes(level);
    }),
});

function createSeen(store: Store<AccountTables>, clock: Base['clock'], log: Pick<Services['log'], 'error'>) {
  /** By the id of the user, in milliseconds since 1970. */
  const noted = new Lru<number, number>(maxNoted);
  return {
    /** Notes that a user made a request: at most once an hour. Returns nothing if there is nothing to wait for. */
    seen({ id: user_id }: Owner): Promise<void> | undefined {
      const now = clock();
      if (now.getTime() - (noted.get(user_id) ?? 0) < notedEvery) return undefined;
      noted.set(user_id, now.getTime());
      const seen_at = instant(now);
      // No firewall rule about writes judges it, because the user did not ask for it.
      const write = withoutRequest(() =>
        store.write(async (tx) => {
          const row = tx.insertInto('secsuite_accounts_seen').values({ user_id, seen_at });
          await row.onConflict((on) => on.column('user_id').doUpdateSet({ seen_at })).execute();
        }),
      );
      return write.catch((error) => log.error({ err: error }, 'The last visit of a user could not be stored.'));
    },
    /** By the id of the user; those who were never seen are missing. */
    async lastSeen(users: readonly Owner[]): Promise<ReadonlyMap<number, string>> {
      const rows = await rowsOf(users, (ids) =>
        store.db.selectFrom('secsuite_accounts_seen').selectAll().where('user_id', 'in', ids).execute(),
      );
      return new Map(rows.map(({ user_id, seen_at }) => [user_id, seen_at]));
    },
  };
}

const createMutes = (store: Store<AccountTables>, clock: Base['clock']) => ({
  /** The ids of those whose issue of this kind is muted. */
  async muted(component: Component, users: readonly Owner[]): Promise<ReadonlySet<number>> {
    const rows = await rowsOf(users, (ids) =>
      store.db
        .selectFrom('secsuite_accounts_muted')
        .select('user_id')
        .where('component', '=', component)
        .where('user_id', 'in', ids)
        .execute(),
    );
    return new Set(rows.map(({ user_id }) => user_id));
  },
  /** Muting twice keeps who muted it first, and when. */
  mute: (component: Component, { id: user_id }: Owner, isMuted: boolean, { caller, again }: Behalf): Promise<unknown> =>
    store.write(async (tx) => {
      await again?.(tx as never);
      const row = { user_id, component, muted_by: caller.id, muted_at: instant(clock()) };
      if (isMuted)
        return tx
          .insertInto('secsuite_accounts_muted')
          .values(row)
          .onConflict((on) => on.doNothing())
          .execute();
      const theirs = tx.deleteFrom('secsuite_accounts_muted').where('user_id', '=', user_id);
      return theirs.where('component', '=', component).execute();
    }),
});

/** Reads rows of users a page at a time. */
export async function rowsOf<Row>(
  users: readonly Owner[],
  read: (ids: readonly number[]) => Promise<Row[]>,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (let at = 0; at < users.length; at += pageSize)
    rows.push(...(await read(users.slice(at, at + pageSize).map(({ id }) => id))));
  return rows;
}
