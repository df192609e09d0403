// Two-factor authentication of users: what they have set up, and who must use it.
import { type RawBuilder, type SqlBool, sql, type Transaction } from 'kysely';
import { day } from '#lib/spans.ts';
import type { Services } from '#site/extension.ts';
import type { SignInWay } from '#site/identity/checks.ts';
import type { User } from '#site/identity/users/user.ts';
import { flag, instant } from '#store/columns.ts';
import type { Store } from '#store/store.ts';
import { rowsOf } from '../../accounts/accounts.ts';
import type { Matchables } from '../../groups/groups.ts';
import type { Logs } from '../../logs/logs.ts';
import type { Send } from '../../notifications/sending.ts';
import { createChangeMail } from './change-mail.ts';
import type { Method } from './module.ts';
import { createEmailCode, verifyCode } from './proof.ts';
import { createRows, type RowDeps, type Rows } from './rows.ts';
import { createSetUp, pendingSetUp } from './set-up.ts';
import { type TwoFactorTables, twoFactorTables } from './tables.ts';

/** What a user can give a code by. Methods that are not available any more do not count. */
export interface SetUp {
  readonly app: boolean;
  readonly email: boolean;
  /** How many recovery codes are left. */
  readonly codes: number;
}

export interface FactorDeps extends RowDeps, Pick<Services, 'rateLimits' | 'mail' | 'about'> {
  readonly matches: Matchables['matches'];
  readonly logs: Pick<Logs, 'write'>;
  readonly send: Send;
  /** Whether the module is on, and the suite. */
  isOn(): boolean;
  isRunning(module: string): boolean;
}

/** Those of the users who can give a code by an app or by email. */
async function withMethod({ store, isAvailable }: Rows, users: readonly Pick<User, 'id' | 'email'>[]) {
  const rows = await rowsOf(users, (ids) =>
    store.db
      .selectFrom('secsuite_two_factor')
      .select(['user_id', 'seed', 'email'])
      .where('user_id', 'in', ids)
      .execute(),
  );
  const [byApp, byEmail] = [isAvailable('Two_Factor_Totp'), isAvailable('Two_Factor_Email')];
  const mailed = new Set(users.filter(({ email }) => email !== '').map(({ id }) => id));
  const can = rows.filter(
    ({ user_id, seed, email }) => (byApp && seed !== null) || (byEmail && email === 1 && mailed.has(user_id)),
  );
  return new Set(can.map(({ user_id }) => user_id));
}

/** Such users, as a condition on `users`. */
const methodCondition = ({ isAvailable }: Rows): RawBuilder<SqlBool> => {
  const app = isAvailable('Two_Factor_Totp') ? sql`seed is not null` : sql`1 = 0`;
  const email = isAvailable('Two_Factor_Email') ? sql`(email = 1 and users.email <> '')` : sql`1 = 0`;
  return sql<SqlBool>`users.id in (select user_id from secsuite_two_factor where ${app} or ${email})`;
};

export type Factors = ReturnType<typeof createFactors>;

/** A user who declined is asked again after this time. */
const offeredEvery = 30 * day;
/** Passwords that are weaker than this, from 0 to 4, are weak. */
const weakBelow = 3;

async function setUpOf({ store, find, isAvailable }: Rows, user: Pick<User, 'id' | 'email'>): Promise<SetUp> {
  const row = await find(user);
  if (row === undefined) return { app: false, email: false, codes: 0 };
  const codes = store.db.selectFrom('secsuite_two_factor_codes').where('user_id', '=', user.id);
  const { left } = await codes.select((all) => all.fn.countAll<number>().as('left')).executeTakeFirstOrThrow();
  return {
    app: row.seed !== null && isAvailable('Two_Factor_Totp'),
    email: row.email === 1 && user.email !== '' && isAvailable('Two_Factor_Email'),
    codes: isAvailable('Two_Factor_Backup_Codes') ? Number(left) : 0,
  };
}

/** As it was measured last; nothing if it was not. The table belongs to the part that measures. */
async function strengthOf({ store }: Rows, { id }: Pick<User, 'id'>): Promise<number | null> {
  const { db } = store as unknown as Store<{ secsuite_passwords: { user_id: number; strength: number | null } }>;
  const row = db.selectFrom('secsuite_passwords').select('strength').where('user_id', '=', id);
  return (await row.executeTakeFirst())?.strength ?? null;
}

async function isRequired(deps: FactorDeps, rows: Rows, user: Pick<User, 'id' | 'roles'>): Promise<boolean> {
  const { settings, matches, isOn, isRunning } = deps;
  if (!isOn() || !rows.isAvailable('Two_Factor_Email')) return false;
  const { protect_user_group, exclude_group, protect_vulnerable_site, protect_vulnerable_users } =
    settings.of('two-factor');
  if (matches(protect_user_group, user)) return true;
  if (matches(exclude_group, user)) return false;
  const { is_software_outdated } = settings.of('version-management');
  if (protect_vulnerable_site && is_software_outdated && isRunning('version-management')) return true;
  const strength = protect_vulnerable_users ? await strengthOf(rows, user) : null;
  return strength !== null && strength < weakBelow;
}

export function createFactors(deps: FactorDeps) {
  const { settings, matches, isOn } = deps;
  const rows = createRows(deps);
  const { isAvailable } = rows;
  const tellChange = createChangeMail(deps);
  const setUp = (user: Pick<User, 'id' | 'email'>) => setUpOf(rows, user);
  const mayBypass = (user: Pick<User, 'id' | 'roles'>): boolean =>
    matches(settings.of('passwordless-login')['2fa_bypass_group'], user);
  return {
    ...createSetUp({ rows, tellChange }),
    emailCode: createEmailCode({ ...deps, rows }),
    isOn,
    isAvailable,
    /** The user denied a device: an app or codes ended. */
    tellDenied: (user: User) => tellChange(user, 'denied'),
    setUpOf: setUp,
    withMethod: (users: readonly Pick<User, 'id' | 'email'>[]) => withMethod(rows, users),
    methodCondition: () => methodCondition(rows),
    /** The method that a code is right for. It is used up. */
    async verify(user: User, typed: string): Promise<Method | undefined> {
      const method = await verifyCode(rows, user, typed);
      if (method === 'Two_Factor_Backup_Codes') await tellChange(user, 'recovery-used', (await setUp(user)).codes);
      return method;
    },
    pending: async (user: User) => {
      const { codes } = await setUp(user);
      return pendingSetUp(rows, user, codes === 0 && isAvailable('Two_Factor_Backup_Codes'));
    },
    isRequired: (user: Pick<User, 'id' | 'roles'>): Promise<boolean> => isRequired(deps, rows, user),
    /** Whether a sign-in without a password asks this user for nothing more. */
    isBypassed: async (user: Pick<User, 'id' | 'roles'>, by: SignInWay): Promise<boolean> =>
      by !== 'password' && mayBypass(user) && (await rows.find(user))?.kept !== 1,
    /** Whether the user may choose to be asked for nothing more. */
    mayBypass,
    isKept: async (user: Pick<User, 'id' | 'roles'>): Promise<boolean> =>
      !mayBypass(user) || (await rows.find(user))?.kept === 1,
    async keep(user: User, isKept: boolean): Promise<void> {
      const isChanged = await rows.write(user, async (tx, { kept }) => {
        await rows.change(tx, user, { kept: flag(isKept) });
        return (kept === 1) !== isKept;
      });
      if (isChanged) await tellChange(user, isKept ? 'kept' : 'unkept');
    },
    /** Whether the user is offered to set it up at this sign-in. */
    async isOffered(user: User): Promise<boolean> {
      const { exclude_group, disable_first_login } = settings.of('two-factor');
      if (matches(exclude_group, user)) return false;
      const row = await rows.find(user);
      if (row === undefined && disable_first_login) await rows.write(user, async () => {});
      if (row === undefined) return !disable_first_login;
      return (row.declined_at ?? '') <= instant(new Date(rows.now().getTime() - offeredEvery));
    },
    decline: (user: User) => rows.write(user, (tx) => rows.change(tx, user, { declined_at: instant(rows.now()) })),
    /** A thief with the old password can have seen the key and the recovery codes of a set-up that is not finished. */
    dropPending: (user: Pick<User, 'id'>) =>
      deps.store.write((tx) => rows.change(tx, user, { pending: null, pending_until: null })),
    forget: (user: Pick<User, 'id'>) => deps.store.write((tx) => deleteAll(tx, user)),
  };
}

async function deleteAll(tx: Transaction<TwoFactorTables>, { id }: Pick<User, 'id'>): Promise<void> {
  for (const table of twoFactorTables) await tx.deleteFrom(table).where('user_id', '=', id).execute();
}
