// Who is held to which requirement, as settings say it.
// When each password was set and how strong it is stands in a table.
import type { User } from '#site/identity/users/user.ts';
import type { Clock } from '#site/platform/clock.ts';
import { instant } from '#store/columns.ts';
import type { Store } from '#store/store.ts';
import { rowsOf } from '../../accounts/accounts.ts';
import type { Somebody } from '../../groups/group.ts';
import type { Matchables } from '../../groups/groups.ts';
import type { Settings } from '../../settings/types.ts';
import type { RequirementSettings } from './password-requirements.ts';
import type { PasswordTables } from './tables.ts';

type Code = keyof RequirementSettings;

export interface Held {
  to(code: Code, who: Somebody): boolean;
  /** Whether anybody may be. */
  isSome(code: Code): boolean;
  /** In days; 0 where passwords never grow too old. */
  readonly longestAge: number;
  /** When everybody was asked for a new one, in seconds since 1970; 0 where nobody is. */
  readonly forcedAt: number;
}

interface HeldDeps {
  readonly settings: Pick<Settings, 'of'>;
  readonly matches: Matchables['matches'];
}

interface Circumstances {
  readonly isOn: boolean;
  readonly breachedUrl: string | undefined;
  readonly forcedAt: number;
}

/** What is asked of anybody now, by the code of the requirement. */
export function enforcedBy(
  { requirement_settings: { strength, hibp, age } }: { readonly requirement_settings: RequirementSettings },
  { isOn, breachedUrl, forcedAt }: Circumstances,
): Record<Code | 'force', boolean> {
  const isAsked = (one: RequirementSettings[Code] | undefined): boolean => isOn && (one?.group ?? []).length > 0;
  return {
    strength: isAsked(strength),
    hibp: isAsked(hibp) && breachedUrl !== undefined,
    age: isAsked(age) && (age.expire_max ?? 0) > 0,
    force: isOn && forcedAt > 0,
  };
}

export function createHeld({ settings, matches }: HeldDeps): Held {
  const said = () => settings.of('password-requirements').requirement_settings;
  const groupsOf = (code: Code) => said()[code]?.group ?? [];
  return {
    to: (code, who) => matches(groupsOf(code), who),
    isSome: (code) => groupsOf(code).length > 0,
    get longestAge() {
      return said().age?.expire_max ?? 0;
    },
    get forcedAt() {
      return Number(settings.of('password-expiration').expire_force);
    },
  };
}

/**
 * What is kept when somebody says that everybody needs a new one, or that nobody does. A whole second later than now at most: what is
 * still to come no password would be new enough for.
 */
export function forcedBy(sent: number | boolean, now: Date): number {
  const latest = Math.ceil(now.getTime() / 1000);
  if (typeof sent === 'boolean') return sent ? latest : 0;
  return Math.min(sent, latest);
}

type Owner = Pick<User, 'id' | 'registered_at'>;

type PasswordFacts = Pick<PasswordTables['secsuite_passwords'], 'changed_at' | 'strength'>;

export interface KnownPasswords {
  /** Of one that was set before anybody kept it: since they are here. */
  of(user: Owner): Promise<{ readonly since: Date; readonly strength: number | undefined }>;
  /** By the id of the user; users of whom nothing is known are missing. */
  ofAll(users: readonly Pick<User, 'id'>[]): Promise<ReadonlyMap<number, PasswordFacts>>;
  /** It is a new one as of now. */
  changed(user: Owner, strength: number | undefined): Promise<void>;
  /** It was measured when it was typed. */
  measured(user: Owner, strength: number): Promise<void>;
  forget(user: Owner): Promise<void>;
}

interface KnownPasswordDeps {
  readonly store: Store<PasswordTables>;
  readonly clock: Clock;
}

export function createKnownPasswords({ store, clock }: KnownPasswordDeps): KnownPasswords {
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
    async ofAll(users) {
      const rows = await rowsOf(users, (ids) =>
        store.db.selectFrom('secsuite_passwords').selectAll().where('user_id', 'in', ids).execute(),
      );
      return new Map(rows.map(({ user_id, ...facts }) => [user_id, facts]));
    },
    changed: ({ id }, strength = undefined) => keep(id, { changed_at: instant(clock()), strength: strength ?? null }),
    measured: ({ id }, strength) => keep(id, { strength }),
    forget: ({ id }) =>
      store.write(async (tx) => {
        await tx.deleteFrom('secsuite_passwords').where('user_id', '=', id).execute();
      }),
  };
}
