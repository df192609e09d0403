// Setting two-factor authentication up, and turning it off. Users are told of each change by email.
import { randomBytes } from 'node:crypto';
import { hour } from '#lib/spans.ts';
import type { User } from '#site/identity/users/user.ts';
import { type Instant, instant } from '#store/columns.ts';
import type { FactorChange } from './change-mail.ts';
import { digitsIn, randomCode, recoveryCodeCount, replaceRecoveryCodes } from './codes.ts';
import { takeEmailedCode } from './proof.ts';
import type { Pending, Row, Rows, Tx } from './rows.ts';
import { seedLength, stepOf } from './totp.ts';

const pendingLife = hour;

export interface SetUpDeps {
  readonly rows: Rows;
  tellChange(user: User, change: FactorChange): Promise<void>;
}

const newCodes = (): string[] => Array.from({ length: recoveryCodeCount }, randomCode);

const hashesOf = ({ hash }: Rows, { handle }: Row, codes: readonly string[]): string[] =>
  codes.map((code) => hash(handle, 'recovery', code));

/** The set-up under way, or a new one. All tabs show the same one. `needsCodes`: the user has no recovery codes. */
export const pendingSetUp = (rows: Rows, user: User, needsCodes: boolean): Promise<Pending> =>
  rows.write(user, async (tx, row) => {
    const found = rows.pendingIn(row);
    if (found !== undefined) return found;
    const made = { seed: randomBytes(seedLength), codes: needsCodes ? newCodes() : [] };
    const pending_until = instant(new Date(rows.now().getTime() + pendingLife));
    await rows.change(tx, user, { pending: rows.sealPending(row, made), pending_until });
    return made;
  });

/** Turns a method on with the recovery codes that were shown, where the user had none. */
async function finish(rows: Rows, tx: Tx, user: User, row: Row, values: Partial<Row>): Promise<void> {
  const { codes = [] } = rows.pendingIn(row) ?? {};
  if (codes.length > 0) await replaceRecoveryCodes(tx, user.id, hashesOf(rows, row, codes), instant(rows.now()));
  await rows.change(tx, user, { ...values, pending: null, pending_until: null });
}

const noApp = { seed: null, seed_since: null, last_step: 0 };
const noEmail = { email: 0, mailed: null, mailed_until: null } as const;
/** What can be turned off: what is stored then, and what users are told. */
const turnedOff = {
  app: { values: noApp, change: 'app-off' },
  email: { values: noEmail, change: 'email-off' },
  all: { values: { ...noApp, ...noEmail }, change: 'off' },
  reset: { values: { ...noApp, ...noEmail }, change: 'reset' },
} as const;

export const createSetUp = ({ rows, tellChange }: SetUpDeps) => ({
  /** Turns the app of the pending set-up on if the code is right. `use`: done in the same write. */
  async turnOnApp(user: User, typed: string, use?: () => Promise<void>): Promise<boolean> {
    const code = digitsIn(typed);
    const isOn = await rows.write(user, async (tx, row) => {
      const { seed } = rows.pendingIn(row) ?? {};
      const step = seed && /^\d{6}$/.test(code) ? stepOf(seed, code, rows.now()) : undefined;
      // At a sign-in, the first app that is set up stays.
      if (seed === undefined || step === undefined || (use !== undefined && row.seed !== null)) return false;
      await use?.();
      const seed_since = instant(rows.now());
      await finish(rows, tx, user, row, { seed: rows.sealSeed(row, seed), seed_since, last_step: step });
      return true;
    });
    if (isOn) await tellChange(user, 'app-on');
    return isOn;
  },

  /** Turns emailed codes on if the code is right. `proven`: the address was proven already, so no code is asked for. */
  async turnOnEmail(user: User, typed: string | 'proven', use?: () => Promise<void>): Promise<boolean> {
    const isOn = await rows.write(user, async (tx, row) => {
      const isRight = typed === 'proven' || (await takeEmailedCode(rows, tx, row, digitsIn(typed))) !== undefined;
      if (!isRight) return false;
      await use?.();
      await finish(rows, tx, user, row, { email: 1 });
      return true;
    });
    if (isOn) await tellChange(user, 'email-on');
    return isOn;
  },

  /** New recovery codes in the place of the old ones. They cannot be shown again. */
  async renewCodes(user: User): Promise<readonly string[]> {
    const codes = newCodes();
    await rows.write(user, (tx, row) =>
      replaceRecoveryCodes(tx, user.id, hashesOf(rows, row, codes), instant(rows.now())),
    );
    await tellChange(user, 'codes');
    return codes;
  },

  /** Turns one method off, or all of it. Codes and devices are deleted with the last method. After a reset it is offered again at once. */
  async turnOff(user: User, what: keyof typeof turnedOff): Promise<void> {
    await rows.write(user, async (tx, row) => {
      await rows.change(tx, user, turnedOff[what].values);
      const isLast = (what !== 'email' || row.seed === null) && (what !== 'app' || row.email === 0);
      if (!isLast) return;
      await forgetRest(tx, user, rows, what === 'reset' ? null : instant(rows.now()));
    });
    await tellChange(user, turnedOff[what].change);
  },

  /**
   * Ends an app and recovery codes that were set up since then, and a set-up that is not finished, because another person may have seen its
   * key. Emailed codes stay: they go to the owner of the account. True if an app or codes ended. The caller tells the user.
   */
  async endSince(user: User, since: Instant): Promise<boolean> {
    if ((await rows.find(user)) === undefined) return false;
    return rows.write(user, async (tx, row) => {
      const isAppNew = row.seed_since !== null && row.seed_since >= since;
      const { numDeletedRows } = await tx
        .deleteFrom('secsuite_two_factor_codes')
        .where('user_id', '=', user.id)
        .where('created_at', '>=', since)
        .executeTakeFirstOrThrow();
      await rows.change(tx, user, { ...(isAppNew && noApp), pending: null, pending_until: null });
      if (isAppNew && row.email === 0) await forgetRest(tx, user, rows, null);
      return isAppNew || numDeletedRows > 0n;
    });
  },
});

/** With the last method. `declined_at`: null offers it again at once. */
async function forgetRest(tx: Tx, user: User, rows: Rows, declined_at: Instant | null): Promise<void> {
  await rows.change(tx, user, { pending: null, declined_at });
  await replaceRecoveryCodes(tx, user.id, [], instant(rows.now()));
  await tx.deleteFrom('secsuite_two_factor_devices').where('user_id', '=', user.id).execute();
}
