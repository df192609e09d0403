// Codes that the site makes: recovery codes, which are shown once, and codes that are emailed. Both have 8 digits, work once, and are
// stored as hashes that only the key of the site can make.
import { randomInt } from 'node:crypto';
import type { Transaction } from 'kysely';
import { minute } from '#lib/spans.ts';
import { type Keys, keyedHash } from '#site/platform/keys.ts';
import type { Instant } from '#store/columns.ts';
import type { TwoFactorTables } from './tables.ts';

export const recoveryCodeCount = 10;
export const emailedCodeLife = 15 * minute;
export const maxEmailedCodesInAnHour = 10;

export const randomCode = (): string => String(randomInt(10 ** 8)).padStart(8, '0');

/** `1234 5678`. */
export const spacedCode = (code: string): string => code.replace(/^(.{4})/, '$1 ');

/** The digits that were typed; users add spaces, and some keyboards have digits of their own width. */
export const digitsIn = (typed: string): string => typed.slice(0, 100).normalize('NFKC').replace(/[\s-]/g, '');

/** `handle`: what the codes of a user are bound to. */
export type CodeHash = (handle: string, kind: 'recovery' | 'emailed', code: string) => string;

export function createCodeHash({ encryption }: Pick<Keys, 'encryption'>): CodeHash {
  const key = Buffer.from(keyedHash(encryption, 'secsuite two-factor codes'), 'hex');
  return (handle, kind, code) => keyedHash(key, `${kind} ${handle} ${code}`);
}

type Tx = Transaction<TwoFactorTables>;

/** Puts these in the place of all recovery codes of the user. */
export async function replaceRecoveryCodes(
  tx: Tx,
  user: number,
  hashes: readonly string[],
  created_at: Instant,
): Promise<void> {
  await tx.deleteFrom('secsuite_two_factor_codes').where('user_id', '=', user).execute();
  const rows = hashes.map((hash) => ({ user_id: user, hash, created_at }));
  if (rows.length > 0) await tx.insertInto('secsuite_two_factor_codes').values(rows).execute();
}
