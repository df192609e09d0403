// An authenticator app: it takes the key that a page shows, and shows codes.
import assert from 'node:assert/strict';
import { hotp, stepAt } from '../../src/extensions/secsuite/parts/two-factor/totp.ts';

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** The bytes of a key in Base32. */
export function base32Bytes(key: string): Buffer {
  const bits = [...key].map((one) => alphabet.indexOf(one).toString(2).padStart(5, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

/** With the key that stands on the page. */
export function authenticator(page: string, clock: () => Date) {
  const key = /id="two-factor-key">([^<]+)</.exec(page)?.[1];
  assert.ok(key, 'The page shows no key.');
  const seed = base32Bytes(key.replaceAll(' ', ''));
  return { code: (step = 0) => hotp(seed, stepAt(clock()) + step) };
}

export const recoveryCodesIn = (page: string): string[] =>
  [...page.matchAll(/<li><code>(\d{4} \d{4})<\/code>/g)].map(([, code]) => code!);
