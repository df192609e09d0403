// Codes that users type: which method one is right for, and codes that are emailed.
import { hour } from '#lib/spans.ts';
import type { User } from '#site/identity/users/user.ts';
import type { RateLimits } from '#site/platform/rate-limits.ts';
import { instant } from '#store/columns.ts';
import type { Send } from '../../notifications/sending.ts';
import { digitsIn, emailedCodeLife, maxEmailedCodesInAnHour, randomCode } from './codes.ts';
import type { Method } from './module.ts';
import type { Row, Rows, Tx } from './rows.ts';
import { stepOf } from './totp.ts';

/** `waiting`: an emailed code that is still right was sent before. */
export type Emailed = 'sent' | 'waiting' | 'too-many' | 'not-sent';

export const takeEmailedCode = ({ hash, now }: Rows, tx: Tx, row: Row, code: string) =>
  tx
    .updateTable('secsuite_two_factor')
    .set({ mailed: null, mailed_until: null })
    .where('user_id', '=', row.user_id)
    .where('mailed', '=', hash(row.handle, 'emailed', code))
    .where('mailed_until', '>', instant(now()))
    .returning('user_id')
    .executeTakeFirst();

const takeRecoveryCode = ({ hash }: Rows, tx: Tx, row: Row, code: string) =>
  tx
    .deleteFrom('secsuite_two_factor_codes')
    .where('user_id', '=', row.user_id)
    .where('hash', '=', hash(row.handle, 'recovery', code))
    .returning('id')
    .executeTakeFirst();

/** Of two answers with one code, one is right: the step is claimed by the statement that compares it with the last one. */
const takeAppCode = ({ seedIn, now }: Rows, tx: Tx, row: Row, code: string) => {
  const seed = seedIn(row);
  const step = seed && stepOf(seed, code, now());
  if (step === undefined) return undefined;
  return tx
    .updateTable('secsuite_two_factor')
    .set({ last_step: step })
    .where('user_id', '=', row.user_id)
    .where('seed', '=', row.seed)
    .where('last_step', '<', step)
    .returning('user_id')
    .executeTakeFirst();
};

/** A user who has an app alone is not let in by an email: whoever reads their emails does not have the app. */
const mayUseEmail = ({ isAvailable }: Rows, { email, seed }: Row): boolean =>
  isAvailable('Two_Factor_Email') && (email === 1 || seed === null || !isAvailable('Two_Factor_Totp'));

/** The method that a code is right for. It is used up. */
export async function verifyCode(rows: Rows, user: Pick<User, 'id'>, typed: string): Promise<Method | undefined> {
  const code = digitsIn(typed);
  const { length } = code;
  const row = await rows.find(user);
  if (row === undefined || !/^\d+$/.test(code) || (length !== 6 && length !== 8)) return undefined;
  return rows.store.write(async (tx) => {
    if (length === 6)
      return rows.isAvailable('Two_Factor_Totp') && (await takeAppCode(rows, tx, row, code))
        ? 'Two_Factor_Totp'
        : undefined;
    if (mayUseEmail(rows, row) && (await takeEmailedCode(rows, tx, row, code))) return 'Two_Factor_Email';
    return rows.isAvailable('Two_Factor_Backup_Codes') && (await takeRecoveryCode(rows, tx, row, code))
      ? 'Two_Factor_Backup_Codes'
      : undefined;
  });
}

interface EmailDeps {
  readonly rows: Rows;
  readonly rateLimits: Pick<RateLimits, 'take'>;
  readonly send: Send;
}

/** Emails a code, unless one is on its way that is still right. `isNew`: sends another one in any case. */
export const createEmailCode =
  ({ rows, rateLimits, send }: EmailDeps) =>
  async (user: User, slug: 'two-factor-email' | 'two-factor-confirm-email', isNew = false): Promise<Emailed> => {
    const code = randomCode();
    const outcome = await rows.write(user, async (tx, row) => {
      const now = rows.now();
      const isWaiting = row.mailed !== null && (row.mailed_until ?? '') > instant(now);
      if (isWaiting && !isNew) return 'waiting';
      if (!(await rateLimits.take(`two-factor code ${user.id}`, maxEmailedCodesInAnHour, hour))) return 'too-many';
      const mailed = rows.hash(row.handle, 'emailed', code);
      await rows.change(tx, user, { mailed, mailed_until: instant(new Date(now.getTime() + emailedCodeLife)) });
      return 'sent';
    });
    if (outcome !== 'sent') return outcome;
    const tags = { username: user.login, display_name: user.name };
    const text = `${code}\n\nThe code works once, within 15 minutes. If you did not request it, another person knows your password: change it.`;
    const count = await send(slug, { to: user.email, tags, text, awaited: true }).catch(() => 0);
    if (count > 0) return 'sent';
    // The next one is sent at once.
    await rows.write(user, (tx) => rows.change(tx, user, { mailed: null, mailed_until: null }));
    return 'not-sent';
  };
