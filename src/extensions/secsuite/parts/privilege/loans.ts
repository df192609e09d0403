// Lending a role for some days, and ending that: by a job, and when a user whose time is over sends a request.
import type { Transaction } from 'kysely';
import type { Caller } from '#kernel/caller.ts';
import { defineError, Problem } from '#kernel/problem.ts';
import { day } from '#lib/spans.ts';
import type { Services } from '#site/extension.ts';
import { credentialOf } from '#site/identity/credential.ts';
import type { Doing } from '#site/identity/doing.ts';
import { usersLock } from '#site/identity/users/guards.ts';
import { findUser } from '#site/identity/users/rows.ts';
import type { User } from '#site/identity/users/user.ts';
import { cachedByTable } from '#site/platform/cache/records.ts';
import { instant } from '#store/columns.ts';
import type { Store } from '#store/store.ts';
import { minute as asMinute } from '../../base.ts';
import type { Manage } from '../../groups/manage.ts';
import type { Logs } from '../../logs/logs.ts';
import type { Center } from '../../notifications/center.ts';
import type { LoanTables } from './tables.ts';

export const lendableRoles = ['editor', 'administrator'] as const;
export type LendableRole = (typeof lendableRoles)[number];

const denied = 'denied';
export const loanErrors = {
  loanCannotManage: defineError(
    denied,
    'secsuite.privilege.rest.cannot-manage',
    'Sign in as a security manager to lend rights.',
  ),
  loanCannotPromote: defineError(
    denied,
    'secsuite.privilege.rest.cannot-promote',
    'Your account cannot change the roles of users, so it cannot lend rights.',
  ),
  loanCannotPromoteUser: defineError(
    denied,
    'secsuite.privilege.rest.cannot-promote-user',
    'Your account cannot lend this role to this user, because it gives rights that you do not have, or the user has more rights than you.',
  ),
  loanInvalidUser: defineError(
    400,
    'secsuite.privilege.rest.invalid-user',
    (id: number) => `User ${id} does not exist. Send the \`id\` of a user.`,
  ),
  loanEnded: defineError(
    403,
    'secsuite.privilege.ended',
    'The rights that you had for a time have ended. Send the request again to use your own rights.',
  ),
};

interface LoanDeps {
  readonly manage: Pick<Manage, 'behalfOf'>;
  readonly logs: Pick<Logs, 'write'>;
  readonly center: Pick<Center, 'queue'>;
}

export interface Loan {
  readonly id: number;
  readonly role: LendableRole;
  readonly days: number;
}

type Tx = Transaction<LoanTables>;
type LoanServices = Pick<Services, 'store' | 'clock' | 'identity' | 'log'>;
export type Loans = ReturnType<typeof createLoans>;

/** More than a thousand years: later dates have no four-digit year. */
const maxDays = 500_000;
const maxCached = 1_000;
/** How often a write is tried again because other roles were set in between. */
const maxTries = 5;

/** In a write: the roles of the user were changed after they were read. */
class RolesChanged extends Error {}
/** In a write: there is nothing left to end. */
class AlreadyEnded extends Error {}

const hasSameRoles = (one: User | undefined, other: User): boolean =>
  one !== undefined && one.roles.join() === other.roles.join();

async function retried<R>({ write }: Pick<Store<LoanTables>, 'write'>, work: () => Promise<R>): Promise<R> {
  for (let tries = 1; ; tries += 1)
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof RolesChanged) || tries === maxTries) throw error;
      // Once this write is done, what the writes before it have changed can be read.
      await write(async () => {});
    }
}

const loansOf = (db: Pick<Store<LoanTables>['db'], 'selectFrom'>, user: number) =>
  db.selectFrom('secsuite_lent_roles').selectAll().where('user_id', '=', user);

export function createLoans(services: LoanServices, deps: LoanDeps) {
  const { clock, identity } = services;
  const store = services.store as unknown as Store<LoanTables>;
  const cached = cachedByTable(store, {
    tables: ['secsuite_lent_roles'],
    most: maxCached,
    load: (user) => loansOf(store.db, Number(user)).execute(),
  });
  const end = createEnd(services, deps);
  const write = createLend(services, deps);
  return {
    async lend({ id, role, days }: Loan, caller: Caller): Promise<void> {
      const until = new Date(clock().getTime() + Math.min(days, maxDays) * day);
      await retried(store, async () => {
        const user = id > 0 ? await identity.users.find(id) : undefined;
        if (user === undefined) throw loanErrors.loanInvalidUser(id);
        await write(user, role, until, caller);
      });
      if (days === 0) await end(id);
    },
    end,
    /** Whether the time of a role of this user is over. */
    async hasOver({ id, roles }: Pick<User, 'id' | 'roles'>): Promise<boolean> {
      if (!lendableRoles.some((role) => roles.includes(role))) return false;
      const all = (await cached(String(id))) ?? [];
      if (all.length === 0) return false;
      const now = instant(clock());
      return all.some(({ until }) => until <= now);
    },
    async endAll(): Promise<void> {
      const over = store.db.selectFrom('secsuite_lent_roles').select('user_id').distinct();
      const users = await over.where('until', '<=', instant(clock())).execute();
      for (const { user_id } of users) await end(user_id);
    },
    /** Forgets loans of roles that were taken from the user: else one that is given for good later would end as the loan does. */
    async forgetTaken({ id }: Pick<User, 'id'>): Promise<void> {
      if ((await loansOf(store.db, id).execute()).length === 0) return;
      await store.write(async (tx, { lock }) => {
        await lock(usersLock);
        const user = await findUser(tx as never, id);
        const taken = (await loansOf(tx, id).execute()).filter(({ role }) => !user?.roles.includes(role));
        for (const { role } of taken)
          await tx.deleteFrom('secsuite_lent_roles').where('user_id', '=', id).where('role', '=', role).execute();
      });
    },
    forget: ({ id }: Pick<User, 'id'>): Promise<unknown> =>
      store.write((tx) => tx.deleteFrom('secsuite_lent_roles').where('user_id', '=', id).execute()),
  };
}

function createLend({ store, clock, identity }: LoanServices, { manage, logs, center }: LoanDeps) {
  const { rights, roles, users } = identity;
  return async (user: User, role: LendableRole, until: Date, caller: Caller): Promise<void> => {
    if (!caller.can('promote_users')) throw loanErrors.loanCannotPromote();
    const mayLend = (asker: Pick<Caller, 'id' | 'can'>, to: User) =>
      rights.mayPromote(asker, to) && roles.within([role], asker);
    if (!mayLend(caller, user)) throw loanErrors.loanCannotPromoteUser();
    const { db } = store as unknown as Store<LoanTables>;
    const current = await loansOf(db, user.id).where('role', '=', role).executeTakeFirst();
    const isOwn = user.roles.includes(role) && current === undefined;
    // Their own role gives them these rights already, and stays. There is nothing to end either.
    if (isOwn || (current === undefined && until <= clock())) return;
    const behalf = manage.behalfOf(caller);
    const doing: Required<Doing> = identity.doing(credentialOf(caller), async (asker, target, tx) => {
      await behalf.again?.(tx as never);
      if (!hasSameRoles(target, user)) throw new RolesChanged();
      if (!mayLend(asker, user)) throw loanErrors.loanCannotPromoteUser();
      const values = { lent_by: caller.id, until: instant(until) };
      const row = { user_id: user.id, role, created_at: instant(clock()), ...values };
      const added = (tx as unknown as Tx).insertInto('secsuite_lent_roles').values(row);
      await added.onConflict((on) => on.columns(['user_id', 'role']).doUpdateSet(values)).execute();
    });
    await users.change(user, { roles: [...new Set([...user.roles, role])] }, doing);
    const data = { role, until: instant(until), by: caller.id };
    logs.write({ module: 'privilege', code: `lent::${user.id},${role}`, type: 'notice', data });
    const lender = credentialOf(caller)?.user.login ?? '';
    if (until > clock())
      await center.queue(
        'digest',
        `${lender} lent ${user.login} the rights of the role "${roles.labelOf(role)}" until ${asMinute(until)}.`,
      );
  };
}

/** Takes roles whose time is over from the user. Of several that do so at once, one does. */
function createEnd({ store, clock, identity, log }: LoanServices, { logs }: Pick<LoanDeps, 'logs'>) {
  const { db, write } = store as unknown as Store<LoanTables>;
  const overOf = (user: number) => loansOf(db, user).where('until', '<=', instant(clock())).execute();
  const remove = (tx: Tx, user: number, names: readonly string[]) =>
    tx
      .deleteFrom('secsuite_lent_roles')
      .where('user_id', '=', user)
      .where('role', 'in', [...names])
      .where('until', '<=', instant(clock()))
      .returning('role')
      .execute();
  async function endOnce(id: number): Promise<void> {
    const over = (await overOf(id)).map(({ role }) => role);
    const user = await identity.users.find(id);
    if (over.length === 0 || user === undefined) return;
    const again: Doing['again'] = async (tx, target) => {
      const removed = await remove(tx as unknown as Tx, id, over);
      // It was lent for longer a moment ago, or ended elsewhere.
      if (removed.length !== over.length) throw new AlreadyEnded();
      if (!hasSameRoles(target, user)) throw new RolesChanged();
    };
    const left = user.roles.filter((role) => !over.includes(role));
    await identity.users.change(user, { roles: left }, { again });
    for (const role of over) logs.write({ module: 'privilege', code: `ended::${id},${role}`, type: 'notice' });
  }
  return async (id: number): Promise<void> => {
    try {
      await retried({ write }, () => endOnce(id));
    } catch (error) {
      if (error instanceof AlreadyEnded) return;
      if (!(error instanceof Problem)) throw error;
      // A site without administrators cannot be managed. Managers read of it in the log.
      const over = (await overOf(id)).map(({ role }) => role);
      if (over.length > 0) await write((tx) => remove(tx, id, over));
      log.warn({ err: error, user: id }, 'A lent role could not be removed');
      logs.write({ module: 'privilege', code: `kept::${id},${over}`, type: 'warning' });
    }
  };
}
