// Imported hashes of the older kind: MD5 over and over, with a salt, in a base 64 of its own.
import { hash as digestOf, timingSafeEqual } from 'node:crypto';
import { setImmediate as breath } from 'node:timers/promises';
import { trimmed } from '../composed.ts';
import type { HashKind } from './argon2.ts';

const alphabet = './0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const shape = /^\$[PH]\$[./0-9A-Za-z]{31}$/;

/** The count is a power of two; 13 is usual. */
const fewest = 7;
const most = 16;
const powerOf = (hash: string): number => alphabet.indexOf(hash[3]!);

/** How many digests are made before others get their turn: about a thousandth of a second. */
const slice = 256;

export const phpass: HashKind = {
  reads: (hash) => shape.test(hash) && powerOf(hash) >= fewest && powerOf(hash) <= most,
  fits: async (hash, password) => {
    const made = encoded(await iterated(hash.slice(4, 12), Buffer.from(trimmed(password)), 2 ** powerOf(hash)));
    return timingSafeEqual(Buffer.from(made), Buffer.from(hash.slice(12)));
  },
  outdated: () => true,
};

async function iterated(salt: string, password: Buffer, times: number): Promise<Buffer> {
  let digest = md5(Buffer.concat([Buffer.from(salt), password]));
  const input = Buffer.concat([digest, password]);
  for (let done = 1; done <= times; done += 1) {
    digest.copy(input);
    digest = md5(input);
    if (done % slice === 0) await breath();
  }
  return digest;
}

const md5 = (input: Buffer): Buffer => digestOf('md5', input, 'buffer');

/** Six bits a character, the lowest first. */
function encoded(bytes: Buffer): string {
  let [text, value, bits] = ['', 0, 0];
  for (const byte of bytes) {
    value |= byte << bits;
    bits += 8;
    for (; bits >= 6; bits -= 6, value >>= 6) text += alphabet[value & 63];
  }
  return bits > 0 ? text + alphabet[value & 63] : text;
}
