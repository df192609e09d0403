// What users have set up for two-factor authentication, and who must use it.
import { randomBytes } from 'node:crypto';
import type { Transaction } from 'kysely';
import { day, hour } from '#lib/spans.ts';
import type { Services } from '#site/extension.ts';
import type { User } from '#site/identity/users/user.ts';
import { flag, instant } from '#store/columns.ts';
import type { Store } from '#store/store.ts';
import type { Matchables } from '../../groups/groups.ts';
import type { Logs } from '../../logs/logs.ts';
import type { Send } from '../../notifications/sending.ts';
import type { Settings } from '../../settings/types.ts';
import { createChangeMail } from './change-mail.ts';
import {
  type CodeHash,
  createCodeHash,
  digitsIn,
  emailedCodeLife,
  maxEmailedCodesInAnHour,
  randomCode,
  recoveryCodeCount,
  replaceRecoveryCodes,
} from './codes.ts';
import { type Method, methodIds } from './module.ts';
import type { TwoFactorTables } from './tables.ts';
import { seedLength, stepOf } from './totp.ts';

/** What a user can give a code by. Methods that are not available any more do not count. */
export interface SetUp {
  readonly app: boolean;
  readonly email: boolean;
  /** How many recovery codes are left. */
  readonly codes: number;
}

/** A set-up that is not finished: what the user is shown to finish it. */
export interface Pending {
  readonly seed: Buffer;
  /** Recovery codes; none for a user who has some. */
  readonly codes: readonly string[];
}

/** `waiting`: an emailed code that is still right was sent before. */
export type Emailed = 'sent' | 'waiting' | 'too-many' | 'not-sent';

export interface FactorDeps
  extends Pick<Services, 'clock' | 'keys' | 'seal' | 'rateLimits' | 'mail' | 'about' | 'log'> {
  readonly store: Store<TwoFactorTables>;
  readonly settings: Pick<Settings, 'of'>;
  readonly matches: Matchables['matches'];
  readonly logs: Pick<Logs, 'write'>;
  readonly send: Send;
  /** Whether the module is on, and the suite. */
  isOn(): boolean;
}

type Tx = Transaction<TwoFactorTables>;
type Row = Awaited<ReturnType<typeof findRow>>;

export type Factors = ReturnType<typeof createFactors>;

const pendingLife = hour;
/** A user who declined is asked again after this time. */
const offeredEvery = 30 * day;
/** Passwords that are weaker than this, from 0 to 4, are weak. */
const weakBelow = 3;

const findRow = (db: Pick<Store<TwoFactorTables>['db'], 'selectFrom'>, user: Pick<User, 'id'>) =>
  db.selectFrom('secsuite_two_factor').selectAll().where('user_id', '=', user.id).executeTakeFirst();

export function createFactors(deps: FactorDeps) {
  const { store, clock, settings, matches, seal, log } = deps;
  const hash = createCodeHash(deps.keys);
  const tellChange = createChangeMail(deps);

  const isAvailable = (method: Method): boolean => {
    const { available_methods, custom_available_methods } = settings.of('two-factor');
    if (available_methods === 'custom') return custom_available_methods.includes(method);
    return methodIds.includes(method) && (available_methods === 'all' || method !== 'Two_Factor_Email');
  };

  async function setUpOf(user: Pick<User, 'id' | 'email'>): Promise<SetUp> {
    const row = await findRow(store.db, user);
    if (row === undefined) return { app: false, email: false, codes: 0 };
    const codes = store.db.selectFrom('secsuite_two_factor_codes').where('user_id', '=', user.id);
    const { left } = await codes.select((all) => all.fn.countAll<number>().as('left')).executeTakeFirstOrThrow();
    return {
      app: row.seed !== null && isAvailable('Two_Factor_Totp'),
      email: row.email === 1 && user.email !== '' && isAvailable('Two_Factor_Email'),
      codes: isAvailable('Two_Factor_Backup_Codes') ? Number(left) : 0,
    };
  }

  async function isRequired(user: Pick<User, 'id' | 'roles'>): Promise<boolean> {
    if (!deps.isOn() || !isAvailable('Two_Factor_Email')) return false;
    const { protect_user_group, protect_vulnerable_users, exclude_group } = settings.of('two-factor');
    if (matches(protect_user_group, user)) return true;
    if (!protect_vulnerable_users || matches(exclude_group, user)) return false;
    const strength = await strengthOf(store, user);
    return strength !== null && strength < weakBelow;
  }

  /** A write about one user at a time. */
  const write = <R>(user: Pick<User, 'id'>, work: (tx: Tx, row: NonNullable<Row>) => Promise<R>): Promise<R> =>
    store.write(async (tx, { lock }) => {
      await lock(`secsuite two-factor ${user.id}`);
      const fresh = {
        user_id: user.id,
        handle: randomBytes(16).toString('base64url'),
        last_step: 0,
        email: flag(false),
      };
      await tx
        .insertInto('secsuite_two_factor')
        .values(fresh)
        .onConflict((on) => on.column('user_id').doNothing())
        .execute();
      return work(tx, (await findRow(tx, user))!);
    });
  const change = (tx: Tx, { id }: Pick<User, 'id'>, values: Partial<NonNullable<Row>>) =>
    tx.updateTable('secsuite_two_factor').set(values).where('user_id', '=', id).execute();

  const opened = (row: NonNullable<Row>, sealed: string, what: 'seed' | 'pending'): string | undefined => {
    try {
      return seal.open(sealed, aboutSealed(what, row));
    } catch (error) {
      log.error({ err: error }, 'A key for two-factor authentication could not be opened');
      return undefined;
    }
  };
  const pendingIn = (row: NonNullable<Row>): Pending | undefined => {
    if (row.pending === null || (row.pending_until ?? '') <= instant(clock())) return undefined;
    const text = opened(row, row.pending, 'pending');
    if (text === undefined) return undefined;
    const { seed, codes } = JSON.parse(text) as { readonly seed: string; readonly codes: readonly string[] };
    return { seed: Buffer.from(seed, 'base64url'), codes };
  };

  /** Turns a method on with the recovery codes that were shown, where the user had none. */
  async function finish(tx: Tx, user: User, row: NonNullable<Row>, values: Partial<NonNullable<Row>>): Promise<void> {
    const { codes = [] } = pendingIn(row) ?? {};
    if (codes.length > 0) await replaceRecoveryCodes(tx, user.id, hashesOf(hash, row, codes));
    await change(tx, user, { ...values, pending: null, pending_until: null });
  }

  const takeEmailed = (tx: Tx, user: Pick<User, 'id'>, row: NonNullable<Row>, code: string) =>
    tx
      .updateTable('secsuite_two_factor')
      .set({ mailed: null, mailed_until: null })
      .where('user_id', '=', user.id)
      .where('mailed', '=', hash(row.handle, 'emailed', code))
      .where('mailed_until', '>', instant(clock()))
      .returning('user_id')
      .executeTakeFirst();

  /** Of two answers with one code, one is right: the step is claimed by the same statement that reads it. */
  async function takeAppCode(user: Pick<User, 'id'>, row: NonNullable<Row>, code: string): Promise<boolean> {
    const { seed: sealed } = row;
    if (sealed === null) return false;
    const seed = opened(row, sealed, 'seed');
    const step = seed === undefined ? undefined : stepOf(Buffer.from(seed, 'base64url'), code, clock());
    if (step === undefined) return false;
    const claimed = await store.write((tx) =>
      tx
        .updateTable('secsuite_two_factor')
        .set({ last_step: step })
        .where('user_id', '=', user.id)
        .where('seed', '=', sealed)
        .where('last_step', '<', step)
        .returning('user_id')
        .executeTakeFirst(),
    );
    return claimed !== undefined;
  }

  return {
    isAvailable,
    isRequired,
    setUpOf,
    isOn: deps.isOn,

    /** The method that a code is right for. It is used up. */
    async verify(user: User, typed: string): Promise<Method | undefined> {
      const code = digitsIn(typed);
      const row = await findRow(store.db, user);
      if (row === undefined || !/^\d+$/.test(code)) return undefined;
      if (code.length === 6)
        return isAvailable('Two_Factor_Totp') && (await takeAppCode(user, row, code)) ? 'Two_Factor_Totp' : undefined;
      if (code.length !== 8) return undefined;
      const isEmailed = await store.write(async (tx) => (await takeEmailed(tx, user, row, code)) !== undefined);
      if (isEmailed) return 'Two_Factor_Email';
      if (!isAvailable('Two_Factor_Backup_Codes')) return undefined;
      const used = await store.write((tx) =>
        tx
          .deleteFrom('secsuite_two_factor_codes')
          .where('user_id', '=', user.id)
          .where('hash', '=', hash(row.handle, 'recovery', code))
          .returning('id')
          .executeTakeFirst(),
      );
      if (used === undefined) return undefined;
      const { codes } = await setUpOf(user);
      await tellChange(user, 'recovery-used', String(codes));
      return 'Two_Factor_Backup_Codes';
    },

    /** Emails a code, unless one is on its way that is still right. `isNew`: sends another one in any case. */
    async emailCode(
      user: User,
      slug: 'two-factor-email' | 'two-factor-confirm-email',
      isNew = false,
    ): Promise<Emailed> {
      const code = randomCode();
      const outcome = await write(user, async (tx, row) => {
        const isWaiting = row.mailed !== null && (row.mailed_until ?? '') > instant(clock());
        if (isWaiting && !isNew) return 'waiting';
        if (!(await deps.rateLimits.take(`two-factor code ${user.id}`, maxEmailedCodesInAnHour, hour)))
          return 'too-many';
        const mailed_until = instant(new Date(clock().getTime() + emailedCodeLife));
        await change(tx, user, { mailed: hash(row.handle, 'emailed', code), mailed_until });
        return 'sent';
      });
      if (outcome !== 'sent') return outcome;
      const tags = { username: user.login, display_name: user.name };
      const text = `${code}\n\nThe code works once, for 15 minutes. If you did not ask for it, somebody knows your password: change it.`;
      const count = await deps.send(slug, { to: user.email, tags, text, awaited: true }).catch(() => 0);
      return count > 0 ? 'sent' : 'not-sent';
    },

    /** The set-up under way, or a new one. All tabs show the same one. */
    async pending(user: User): Promise<Pending> {
      const { codes: left } = await setUpOf(user);
      return write(user, async (tx, row) => {
        const found = pendingIn(row);
        if (found !== undefined) return found;
        const isWanted = left === 0 && isAvailable('Two_Factor_Backup_Codes');
        const made = { seed: randomBytes(seedLength), codes: isWanted ? newCodes() : [] };
        const text = JSON.stringify({ seed: made.seed.toString('base64url'), codes: made.codes });
        const pending_until = instant(new Date(clock().getTime() + pendingLife));
        await change(tx, user, { pending: seal.close(text, aboutSealed('pending', row)), pending_until });
        return made;
      });
    },

    /** Turns the app of the pending set-up on if the code is right. `use`: done in the same write. */
    async turnOnApp(user: User, typed: string, use?: () => Promise<void>): Promise<boolean> {
      const isOn = await write(user, async (tx, row) => {
        const { seed } = pendingIn(row) ?? {};
        const code = digitsIn(typed);
        const step = seed && /^\d{6}$/.test(code) ? stepOf(seed, code, clock()) : undefined;
        if (seed === undefined || step === undefined) return false;
        await use?.();
        const sealed = seal.close(seed.toString('base64url'), aboutSealed('seed', row));
        await finish(tx, user, row, { seed: sealed, last_step: step });
        return true;
      });
      if (isOn) await tellChange(user, 'app-on');
      return isOn;
    },

    /** Turns emailed codes on if the code is right. `proven`: the address was proven already, so no code is asked for. */
    async turnOnEmail(user: User, typed: string | 'proven', use?: () => Promise<void>): Promise<boolean> {
      const isOn = await write(user, async (tx, row) => {
        const code = digitsIn(typed);
        const isRight = typed === 'proven' || (await takeEmailed(tx, user, row, code)) !== undefined;
        if (!isRight) return false;
        await use?.();
        await finish(tx, user, row, { email: 1 });
        return true;
      });
      if (isOn) await tellChange(user, 'email-on');
      return isOn;
    },

    /** New recovery codes in the place of the old ones. They cannot be shown again. */
    async renewCodes(user: User): Promise<readonly string[]> {
      const codes = newCodes();
      await write(user, (tx, row) => replaceRecoveryCodes(tx, user.id, hashesOf(hash, row, codes)));
      await tellChange(user, 'codes');
      return codes;
    },

    /** Turns one method off, or all of it. Nothing is left once no method is. */
    async turnOff(user: User, what: 'app' | 'email' | 'all' | 'reset'): Promise<void> {
      await write(user, async (tx, row) => {
        const isLast = what === 'app' ? row.email === 0 : what !== 'email' || row.seed === null;
        if (isLast) await deleteAll(tx, user);
        else await change(tx, user, what === 'app' ? { seed: null, last_step: 0 } : { email: 0 });
      });
      await tellChange(user, what === 'app' || what === 'email' ? `${what}-off` : what === 'all' ? 'off' : 'reset');
    },

    /** Whether the user is offered to set it up at this sign-in. */
    async isOffered(user: User): Promise<boolean> {
      const { exclude_group, disable_first_login } = settings.of('two-factor');
      if (matches(exclude_group, user)) return false;
      const row = await findRow(store.db, user);
      if (row === undefined && disable_first_login) {
        await write(user, async () => {});
        return false;
      }
      return (row?.declined_at ?? '') <= instant(new Date(clock().getTime() - offeredEvery));
    },
    decline: (user: User): Promise<unknown> => write(user, (tx) => change(tx, user, { declined_at: instant(clock()) })),

    forget: (user: Pick<User, 'id'>): Promise<void> => store.write((tx) => deleteAll(tx, user)),
  };
}

const newCodes = (): string[] => Array.from({ length: recoveryCodeCount }, randomCode);

const hashesOf = (hash: CodeHash, { handle }: NonNullable<Row>, codes: readonly string[]): string[] =>
  codes.map((code) => hash(handle, 'recovery', code));

const aboutSealed = (what: 'seed' | 'pending', { handle }: NonNullable<Row>): string => `two-factor ${what} ${handle}`;

async function deleteAll(tx: Tx, { id }: Pick<User, 'id'>): Promise<void> {
  await tx.deleteFrom('secsuite_two_factor').where('user_id', '=', id).execute();
  await tx.deleteFrom('secsuite_two_factor_codes').where('user_id', '=', id).execute();
  await tx.deleteFrom('secsuite_two_factor_devices').where('user_id', '=', id).execute();
}

/** As it was measured last; nothing if it was not. The table belongs to the part that measures. */
async function strengthOf(store: Store<TwoFactorTables>, { id }: Pick<User, 'id'>): Promise<number | null> {
  const { db } = store as unknown as Store<{ secsuite_passwords: { user_id: number; strength: number | null } }>;
  const row = db.selectFrom('secsuite_passwords').select('strength').where('user_id', '=', id);
  return (await row.executeTakeFirst())?.strength ?? null;
}
