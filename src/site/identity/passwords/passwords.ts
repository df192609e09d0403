// How passwords are kept: argon2id, off the main thread, so many at a time and no more in line.

import { createHmac } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { kernelErrors } from '#kernel/errors.ts';
import { FairQueue } from '#lib/fair-queue.ts';
import { loadBcrypt } from '#lib/native.ts';
import { trimmed } from './composed.ts';
import { argon2, decoy, type HashKind, hashed } from './hashes/argon2.ts';
import { phpass } from './hashes/phpass.ts';

// Imported hashes: bcrypt as such, and bcrypt over a digest, which sites of the classic kind have made since 2025.

/** Each step doubles the cost; with 13 a check takes longer than a refusal, which would show that there is somebody. */
const most = 12;
const digested = '$wp';

const costOf = (hash: string): number => Number(/^(?:\$wp)?\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{53}$/.exec(hash)?.[1]);

/** bcrypt reads 72 bytes and no more; the digest carries all of a long password into them. */
const digest = (password: string): string =>
  createHmac('sha384', 'wp-sha384').update(trimmed(password)).digest('base64');

const bcrypt: HashKind = {
  reads: (hash) => costOf(hash) >= 4 && costOf(hash) <= most,
  async fits(hash, password) {
    const { verify } = loadBcrypt();
    return hash.startsWith(digested) ? verify(digest(password), hash.slice(digested.length)) : verify(password, hash);
  },
  outdated: () => true,
};

export interface Verdict {
  readonly fits: boolean;
  /** Made in an older way: to be hashed anew while the password is at hand. */
  readonly outdated: boolean;
  /** How long it waited in line, in milliseconds. */
  readonly waited: number;
}

export interface Passwords {
  /** `who`: for whom it is done. Those for whom much is done at once wait for each other, and nobody else for them. */
  hash(password: string, who: string): Promise<string>;
  /** An empty hash fits nothing, and takes as long as any other. */
  verify(hash: string, password: string, who: string): Promise<Verdict>;
}

/** Somebody known, wherever they come from. Strangers are known by their address alone. */
export const partyOf = ({ id }: { readonly id: number }): string => `user ${id}`;

interface Bounds {
  readonly together: number;
  readonly waiting: number;
}

const kinds = [argon2, bcrypt, phpass];

/** Long enough for any sentence; more only costs time. */
const longest = 1024;

// One core stays free for everybody else, and so does one of the four threads that files and names wait for too.
const usual: Bounds = { together: Math.max(1, Math.min(3, availableParallelism() - 1)), waiting: 300 };

export function createPasswords(bounds: Bounds = usual): Passwords {
  const line = new FairQueue({
    ...bounds,
    full: () => kernelErrors.tooBusy('Many users are signing in at the moment.'),
  });
  const nobodys = decoy();
  return {
    hash: (password, who) => line.serve(who, () => hashed(password)),
    async verify(hash, password, who) {
      const kind = password.length > longest ? undefined : kinds.find((one) => one.reads(hash));
      const asked = performance.now();
      return line.serve(who, async () => {
        const waited = performance.now() - asked;
        if (await (kind ?? argon2).fits(kind ? hash : nobodys, password.slice(0, longest)))
          return { fits: true, outdated: kind?.outdated(hash) === true, waited };
        return { fits: false, outdated: false, waited };
      });
    },
  };
}

// Signs that no field of a sign-in page takes would lock their owner out.
const unwritable = /\p{Cc}/u;

/** What is wrong with a password as such, as a sentence. */
export function passwordFault(password: string): string | undefined {
  if (password === '') return 'The password cannot be empty. Choose a password.';
  if (password.includes('\\')) return 'A password cannot contain a backslash (\\). Choose another character.';
  if (password.length > longest) return `A password can have at most ${longest} characters. Choose a shorter one.`;
  if (unwritable.test(password) || !password.isWellFormed())
    return 'A password cannot contain control characters, such as a line break.';
  return undefined;
}
