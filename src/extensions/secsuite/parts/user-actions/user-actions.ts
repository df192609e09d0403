// Orders for many users: kept in the queue of the site, done a part at a time, once for each user.

import type { Transaction } from 'kysely';
import type { Caller } from '#kernel/caller.ts';
import { asSaid, defineError, Problem } from '#kernel/problem.ts';
import { day, second } from '#lib/spans.ts';
import type { SharedServices } from '#site/extension.ts';
import { credentialOf } from '#site/identity/credential.ts';
import type { Identity } from '#site/identity/identity.ts';
import type { User } from '#site/identity/users/user.ts';
import type { Queue, Work } from '#site/jobs/job.ts';
import type { Clock } from '#site/platform/clock.ts';
import { instant } from '#store/columns.ts';
import type { Store } from '#store/store.ts';
import type { Groups } from '../../groups/groups.ts';
import type { Manage } from '../../groups/manage.ts';
import type { UserActionTables } from './tables.ts';

export const userActionsErrors = {
  invalidUsers: defineError(400, 'secsuite_user_actions_invalid_users', asSaid),
};

/** What is done with one user. Done once more, because a process died in between, it does no harm. */
interface ActingDeps {
  readonly clock: Clock;
  readonly identity: Pick<Identity, 'users' | 'sessions' | 'resets'>;
  readonly groups: Pick<Groups, 'include'>;
  /** So many signs that nobody can guess. */
  secret(signs: number): string;
}

type Act = (order: Order, user: User) => Promise<void>;

const signs = 24;

export function createActing({ clock, identity, groups, secret }: ActingDeps): Act {
  const { users, sessions, resets } = identity;
  return async (order, user) => {
    const { actions, answers, from } = order;
    if (actions['reset-password']) {
      const again = (tx: Transaction<UserActionTables>) => claimReset(tx, order, user, instant(clock()));
      const isSet = await users
        .change(user, { password: secret(signs) }, { by: answers, again: again as never })
        .then(() => true, falseWhenDone);
      if (isSet) await resets.replaced(user, from);
    }
    if (actions['force-logout']) await sessions.endAll(user);
    for (const group of actions['add-user-groups'] ?? []) await groups.include(group, user);
  };
}

/** In the write that sets the password: this order has set theirs before. */
class Done extends Error {}

function falseWhenDone(error: unknown): false {
  if (error instanceof Done) return false;
  throw error;
}

async function claimReset(
  tx: Transaction<UserActionTables>,
  { id }: Order,
  user: User,
  done_at: string,
): Promise<void> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('secsuite_user_resets')
    .values({ order_id: id, user_id: user.id, done_at })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  if (!numInsertedOrUpdatedRows) throw new Done();
}

interface Wanted {
  readonly users?: readonly number[] | undefined;
  readonly query?: Readonly<Record<string, unknown>> | undefined;
  readonly actions: Actions;
}

export interface UserActions {
  /** Durable once this resolves. With nobody to do it to, nothing is kept. */
  order(wanted: Wanted, caller: Caller, from: string): Promise<void>;
  /** Does a part, and has the next one done a little later. */
  work(order: Order, work: Pick<Work, 'each'>): Promise<void>;
}

interface Needs {
  readonly store: Store<UserActionTables>;
  readonly clock: Clock;
  readonly identity: Pick<Identity, 'users' | 'sessions' | 'resets' | 'roles' | 'doing'>;
  readonly groups: Pick<Groups, 'has' | 'list' | 'include'>;
  readonly manage: Pick<Manage, 'isManager'>;
  readonly search: SharedServices['userSearch'];
  readonly queue: Queue<Order>;
  unique(): string;
  secret(signs: number): string;
}

const pause = 30 * second;
/** The queue takes a little more. */
const longest = 900_000;
/** So long at least it is kept whose password an order has set. */
const remembered = 30 * day;

export function createUserActions(needs: Needs): UserActions {
  const { store, clock, identity, groups, manage, search, queue, unique } = needs;
  const act = createActing(needs);

  /** The users of this part, each as they are now; nobody where the query fails, or who ordered it may not any more. */
  const partOf = async ({ by, whom, after }: Order): Promise<(number | User)[]> => {
    const who = await identity.users.find(by);
    if (who === undefined || !manage.isManager(who)) return [];
    if ('users' in whom) return whom.users.slice(0, inOnePart);
    const held = identity.roles.capabilitiesOf(who.roles);
    const asker = { id: by, can: (capability: string) => held.has(capability), user: who };
    return search.found(whom.query, asker, { after, most: inOnePart }).catch(nobodyWhenRefused);
  };

  /** Each once, and none that is not there: an order of thousands would look for all of them once for each user. */
  const existing = async (wanted: readonly string[]): Promise<readonly string[]> => {
    const ids = [...new Set(wanted)];
    if (ids.every(groups.has)) return ids;
    const there = new Set((await groups.list()).map(({ id }) => id));
    return ids.filter((id) => there.has(id));
  };

  const forgetResets = ({ id }: Order): Promise<unknown> =>
    store.write((tx) =>
      tx
        .deleteFrom('secsuite_user_resets')
        .where((row) =>
          row.or([row('order_id', '=', id), row('done_at', '<', instant(new Date(clock().getTime() - remembered)))]),
        )
        .execute(),
    );

  return {
    async order({ users = [], query = {}, actions }, caller, from) {
      const byQuery = Object.keys(query).length > 0;
      if (users.length > 0 && byQuery) throw userActionsErrors.invalidUsers('Send users or a query, not both.');
      if (users.length === 0 && !byQuery) return;
      const ids = [...new Set(users.filter((id) => Number.isSafeInteger(id) && id > 0))].sort((a, b) => a - b);
      const whom = byQuery ? { query } : { users: ids };
      const { by: answers } = identity.doing(credentialOf(caller), () => {});
      const joined = await existing(actions['add-user-groups'] ?? []);
      if (joined.length === 0 && !actions['force-logout'] && !actions['reset-password']) return;
      const done: Actions = { ...actions, 'add-user-groups': joined };
      const order: Order = { id: unique(), by: caller.id, answers, actions: done, whom, after: 0, from };
      if (JSON.stringify(order).length > longest)
        throw userActionsErrors.invalidUsers('The request has too many users. Send fewer.');
      await queue.add(order, { by: caller.id });
    },

    async work(order, { each }) {
      const part = await partOf(order);
      await each(after(part), {
        key: (one) => String(idOf(one)),
        async do(one) {
          const user = typeof one === 'number' ? await identity.users.find(one) : one;
          if (user !== undefined) await act(order, user);
        },
      });
      const last = part.at(-1);
      if (last === undefined || part.length < inOnePart) return void (await forgetResets(order));
      const next = afterwards(order, idOf(last));
      const at = new Date(clock().getTime() + pause);
      await queue.add(next, { by: order.by, at, key: `secsuite user actions ${order.id} ${next.after}` });
    },
  };
}

const afterwards = (order: Order, last: number): Order => {
  const { whom } = order;
  const rest = 'users' in whom ? { users: whom.users.filter((id) => id > last) } : whom;
  return { ...order, whom: rest, after: last };
};

const idOf = (one: number | User): number => (typeof one === 'number' ? one : one.id);

/** Those who are not done yet, when it is taken up again. */
const after = (part: readonly (number | User)[]) => (last: string | undefined) =>
  part.filter((one) => last === undefined || idOf(one) > Number(last));

function nobodyWhenRefused(error: unknown): User[] {
  if (error instanceof Problem) return [];
  throw error;
}

export interface Actions {
  readonly 'force-logout'?: true;
  readonly 'reset-password'?: true;
  /** Ids of groups. */
  readonly 'add-user-groups'?: readonly string[];
}

type Query = Readonly<Record<string, unknown>>;

/** One part of an order: the users after the last one who was in the part before. */
export interface Order {
  readonly id: string;
  /** Who gave it, and who answers for it. */
  readonly by: number;
  readonly answers: number;
  readonly actions: Actions;
  /** Users by number, rising, or whom a list would show. */
  readonly whom: { readonly users: readonly number[] } | { readonly query: Query };
  readonly after: number;
  /** Where it came from. */
  readonly from: string;
}

/** How many users a part has. */
export const inOnePart = 100;
