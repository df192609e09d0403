// Groups of users: what there is, how it changes, and whom each matches, answered without waiting. Settings may list the
// groups, and everybody whom no group matches.
import { isDeepStrictEqual } from 'node:util';
import type { Roles } from '#site/identity/roles.ts';
import { userLock } from '#site/identity/users/guards.ts';
import { createSnapshot, type Snapshot } from '#site/platform/cache/snapshot.ts';
import type { Clock } from '#site/platform/clock.ts';
import { instant } from '#store/columns.ts';
import type { Reads } from '#store/handles.ts';
import type { Store } from '#store/store.ts';
import type { Work } from '#store/writing.ts';
import type { Behalf } from '../base.ts';
import { suiteErrors } from '../errors.ts';
import type { ImportRun } from '../transfer.ts';
import { type Group, isConfigured, isTwin, matcherOf, type Parts, type Somebody } from './group.ts';
import {
  eraseAllGroups,
  eraseGroup,
  insertGroup,
  insertMember,
  readGroups,
  type Tables,
  thoseThere,
  updateGroup,
} from './rows.ts';

export type Said = Parts & Pick<Group, 'label'>;

export interface NewGroup extends Partial<Said> {
  readonly label: string;
  /** A UUID that the client has given out already. */
  readonly id?: string | undefined;
}

/** The same group twice: these are made of what was sent. */
export class Twins {
  readonly ids: readonly string[];
  constructor(ids: readonly string[]) {
    this.ids = ids;
  }
}

interface GroupWrites {
  /** Answers its twins instead where there are some, unless that does not matter. */
  add(wanted: NewGroup, behalf?: Behalf, ignoreTwins?: boolean): Promise<Group | Twins>;
  /** What is not said stays as it is. */
  change(id: string, said: Partial<Said>, behalf?: Behalf): Promise<Group>;
  remove(id: string, behalf?: Behalf): Promise<void>;
  /** Adds a user to a group that does not match them already, as soon as that is heard of. What is gone is left out. */
  include(id: string, who: Somebody): Promise<void>;
  /** A user is gone. */
  forget(user: number): Promise<void>;
  /** Deletes all groups and makes these, within a write under way. What is answered is called once that stands. */
  replaceAll(writing: Pick<ImportRun, 'tx' | 'during'>, groups: readonly (Said & ById)[]): Promise<() => Promise<void>>;
}

interface ById {
  readonly id: string;
}

export interface Groups extends GroupWrites {
  readonly isReady: boolean;
  readonly ready: Promise<void>;
  /** The oldest first. */
  list(): Promise<Group[]>;
  find(id: string): Promise<Group | undefined>;
  /** Without waiting: in the order of `list`. */
  readonly ids: readonly string[];
  has(id: string): boolean;
  /** Whom groups match, as a write under way sees them. */
  matchablesIn(db: Reads<Tables>): Promise<Matchables>;
  /** Whether it is made of anything: not, when it was made of users alone who are gone. */
  isOfSomebody(id: string): boolean;
  /** A group that is gone matches nobody. */
  matches(id: string, who: Somebody): boolean;
}

interface GroupDeps {
  readonly store: Store<Tables>;
  readonly clock: Clock;
  readonly roles: Roles;
  /** The number of a new group. */
  unique(): string;
  failed(error: unknown): void;
  readonly stopping: AbortSignal;
}

const lockName = 'secsuite groups';
const nothing = { users: [], roles: [], canonical: [], min_role: '' } as const;

export function createGroups({ store, clock, roles, unique, failed, stopping }: GroupDeps): Groups {
  const snapshot = createSnapshot({
    store,
    tables: ['secsuite_groups', 'secsuite_group_members'],
    load: async () =>
      new Map(
        (await readGroups(store.db)).map((group) => [
          group.id,
          { isOfSomebody: isConfigured(group), matches: matcherOf(group, roles) },
        ]),
      ),
    failed,
    stopping,
  });
  return {
    get isReady() {
      return snapshot.isReady;
    },
    ready: snapshot.ready,
    list: () => readGroups(store.db),
    find: (id) => findGroup(store.db, id),

    ...createGroupWrites({ store, clock, unique, snapshot }),
    async matchablesIn(db) {
      const all = await readGroups(db);
      const matchers = new Map(all.map((group) => [group.id, matcherOf(group, roles)]));
      return createMatchables({
        list: async () => all,
        ids: [...matchers.keys()],
        has: (id) => matchers.has(id),
        isOfSomebody: (id) => all.some((group) => group.id === id && isConfigured(group)),
        matches: (id, who) => matchers.get(id)?.(who) ?? false,
      });
    },

    get ids() {
      return [...snapshot.now.keys()];
    },
    has: (id) => snapshot.now.has(id),
    isOfSomebody: (id) => snapshot.now.get(id)?.isOfSomebody ?? false,
    matches: (id, who) => snapshot.now.get(id)?.matches(who) ?? false,
  };
}

interface GroupWriteDeps extends Pick<GroupDeps, 'store' | 'clock' | 'unique'> {
  readonly snapshot: Snapshot<ReadonlyMap<string, { matches(who: Somebody): boolean }>>;
}

function createGroupWrites({ store, clock, unique, snapshot }: GroupWriteDeps): GroupWrites {
  /** One at a time, and seen by whoever asks next. */
  const write = async <R>(work: Work<Tables, R>, behalf?: Behalf): Promise<R> => {
    const answer = await store.write(async (tx, during) => {
      await during.lock(lockName);
      await behalf?.again?.(tx);
      return work(tx, during);
    });
    await snapshot.refresh();
    return answer;
  };

  return {
    async add({ id = unique(), ...wanted }, behalf, ignoreTwins = false) {
      const said = { ...nothing, ...wanted };
      return write(async (tx) => {
        const all = await readGroups(tx);
        if (all.some((group) => group.id === id)) throw suiteErrors.duplicateUserGroupId();
        await refuseUnfit(tx, said);
        const twins = ignoreTwins ? [] : all.filter((group) => isTwin(group, said));
        if (twins.length > 0) return new Twins(twins.map((twin) => twin.id));
        await insertGroup(tx, id, said, instant(clock()));
        return getGroup(tx, id);
      }, behalf);
    },

    change: (id, said, behalf) =>
      write(async (tx) => {
        const before = await getGroup(tx, id);
        const after = { ...before, ...said };
        await refuseUnfit(tx, after);
        if (!isDeepStrictEqual(before, after)) await updateGroup(tx, id, after);
        return getGroup(tx, id);
      }, behalf),

    remove: (id, behalf) =>
      write(async (tx) => {
        if (!(await eraseGroup(tx, id))) throw suiteErrors.userGroupNotFound(id);
      }, behalf),

    async include(id, who) {
      if (!snapshot.now.has(id)) await snapshot.refresh(); // another process may have made it a moment ago
      if (snapshot.now.get(id)?.matches(who) ?? true) return;
      await store.write(async (tx, { share }) => {
        await share(userLock(who.id));
        const group = tx.selectFrom('secsuite_groups').select('id').where('id', '=', id);
        if ((await group.executeTakeFirst()) === undefined || !(await thoseThere(tx, [who.id])).has(who.id)) return;
        await insertMember(tx, id, who.id);
      });
    },

    async replaceAll({ tx, during }, groups) {
      await during.lock(lockName);
      await eraseAllGroups(tx);
      const there = await thoseThere(tx, [...new Set(groups.flatMap(({ users }) => users))]);
      for (const group of groups) {
        const users = [...new Set(group.users)].filter((id) => there.has(id));
        await insertGroup(tx, group.id, { ...group, users }, instant(clock()));
      }
      return () => snapshot.refresh();
    },

    async forget(user) {
      await store.write((tx) => tx.deleteFrom('secsuite_group_members').where('user_id', '=', user).execute());
    },
  };
}

const findGroup = async (db: Reads<Tables>, id: string): Promise<Group | undefined> => (await readGroups(db, id))[0];

async function getGroup(db: Reads<Tables>, id: string): Promise<Group> {
  const group = await findGroup(db, id);
  if (group === undefined) throw suiteErrors.userGroupNotFound(id);
  return group;
}

async function refuseUnfit(tx: Reads<Tables>, said: Said): Promise<void> {
  if (!isConfigured(said)) throw suiteErrors.userGroupNotConfigured();
  const there = await thoseThere(tx, said.users);
  const unknown = said.users.find((id) => !there.has(id));
  if (unknown !== undefined) throw suiteErrors.userNotFound(unknown);
}

export const everybodyElse = 'everybody-else';

interface Matchable {
  readonly id: string;
  readonly label: string;
  readonly type: 'user-group' | 'meta';
}

export interface Matchables {
  /** The groups, the oldest first, then everybody else. */
  list(): Promise<Matchable[]>;
  /** Without waiting: the ids, in the same order. */
  readonly ids: readonly string[];
  has(id: string): boolean;
  isOfSomebody(id: string): boolean;
  /** Whether any of these matches; ids of groups that are gone match nobody. */
  matches(ids: readonly string[], who: Somebody): boolean;
}

export function createMatchables(
  groups: Pick<Groups, 'list' | 'ids' | 'has' | 'isOfSomebody' | 'matches'>,
): Matchables {
  const matchesOne = (id: string, who: Somebody): boolean =>
    id === everybodyElse ? !groups.ids.some((one) => groups.matches(one, who)) : groups.matches(id, who);
  return {
    async list() {
      const all = await groups.list();
      return [...all.map(({ id, label }) => ({ id, label, type: 'user-group' as const })), others];
    },
    get ids() {
      return [...groups.ids, everybodyElse];
    },
    has: (id) => id === everybodyElse || groups.has(id),
    isOfSomebody: (id) => id === everybodyElse || groups.isOfSomebody(id),
    matches: (ids, who) => ids.some((id) => matchesOne(id, who)),
  };
}

const others: Matchable = { id: everybodyElse, label: 'All other users', type: 'meta' };
