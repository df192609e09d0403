// Imported hashes: bcrypt as such, and bcrypt over a digest, which sites of the classic kind have made since 2025.
import { createHmac } from 'node:crypto';
import { verify } from '@node-rs/bcrypt';
import type { HashKind } from './kind.ts';
import { trimmed } from './trimmed.ts';

/** Each step doubles the cost; with 13 a check takes longer than a refusal, which would show that there is somebody. */
const most = 12;
const digested = '$wp';

const costOf = (hash: string): number => Number(/^(?:\$wp)?\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{53}$/.exec(hash)?.[1]);

/** bcrypt reads 72 bytes and no more; the digest carries all of a long password into them. */
const digest = (password: string): string =>
  createHmac('sha384', 'wp-sha384').update(trimmed(password)).digest('base64');

export const bcrypt: HashKind = {
  reads: (hash) => costOf(hash) >= 4 && costOf(hash) <= most,
  fits: (hash, password) =>
    hash.startsWith(digested) ? verify(digest(password), hash.slice(digested.length)) : verify(password, hash),
  outdated: () => true,
};
