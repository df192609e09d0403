// The site's own keys: in the store, wrapped by the secret, so that neither opens anything without the other.
import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { TableOwner } from '#store/migrate.ts';
import { StoreProblem } from '#store/problem.ts';
import type { Store } from '#store/store.ts';
import type { Clock } from './clock.ts';
import { closed, opened } from './seal.ts';

export interface KeysTables {
  keys: { name: string; wrapped: string; created_at: string };
}

type Wrapped = Pick<KeysTables['keys'], 'name' | 'wrapped'>;

/** Each for one purpose: who learns one, or changes one, has nothing of the others. */
const names = ['sessions', 'application_passwords', 'encryption'] as const;
export type Keys = Readonly<Record<(typeof names)[number], Buffer>>;

export const keyTables: TableOwner = {
  owner: 'keys',
  migrations: [
    {
      name: '0001-keys',
      up: async ({ table, column }) => {
        await table('keys')
          .addColumn('name', column.text, (c) => c.primaryKey())
          .addColumn('wrapped', column.text, (c) => c.notNull())
          .addColumn('created_at', column.instant, (c) => c.notNull())
          .execute();
      },
    },
  ],
};

/**
 * The keys, those made that the site has not got yet. Of processes that start together one makes them. Nothing is made beside
 * keys that this secret does not open: the right one would not open what it made.
 */
export async function openKeys(store: Store<KeysTables>, secret: string, clock: Clock): Promise<Keys> {
  const stored = await storedKeys(store, secret);
  const missing = missingKeys(stored);
  if (missing.length === 0) return stored as Keys;
  return unwrapped(await make(store, missing, secret, clock), secret, store.place) as Keys;
}

/** The keys there are; nothing is made. */
export const storedKeys = async (store: Store<KeysTables>, secret: string): Promise<Partial<Keys>> =>
  unwrapped(await store.db.selectFrom('keys').selectAll().execute(), secret, store.place);

/** Those that are made when the site is opened next. */
export const missingKeys = (stored: Partial<Keys>): string[] => names.filter((name) => stored[name] === undefined);

/** Whether it is the secret that wrapped them, wherever they are kept. */
export function opensKeys(secret: string, keys: readonly Wrapped[]): boolean {
  try {
    unwrapped(keys, secret, '');
    return true;
  } catch {
    return false;
  }
}

const unwrapped = (stored: readonly Wrapped[], secret: string, place: string): Partial<Keys> =>
  Object.fromEntries(stored.map(({ name, wrapped }) => [name, unwrap(name, wrapped, secret, place)]));

function make(store: Store<KeysTables>, missing: readonly string[], secret: string, clock: Clock) {
  const created_at = clock().toISOString();
  const rows = missing.map((name) => ({ name, wrapped: wrap(name, randomBytes(32), secret), created_at }));
  return store.write(async (tx) => {
    await tx
      .insertInto('keys')
      .values(rows)
      .onConflict((on) => on.column('name').doNothing())
      .execute();
    return tx.selectFrom('keys').selectAll().execute();
  });
}

const version = 'v1';

const wrapping = (secret: string, salt: Buffer): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, salt, 'gatehouse keys', 32));

/** As `keys.wrapped` stores it. */
export function wrap(name: string, key: Buffer, secret: string): string {
  const salt = randomBytes(16);
  return [version, salt.toString('base64url'), closed(wrapping(secret, salt), key, name)].join('.');
}

function unwrap(name: string, wrapped: string, secret: string, place: string): Buffer {
  const [is, salt = '', ...sealed] = wrapped.split('.');
  if (is !== version) {
    const fault = `The key for ${name} in the database ${place} has a format that this version cannot read`;
    throw new StoreProblem(fault, 'run the version that wrote it, or restore a backup');
  }
  try {
    return opened(wrapping(secret, Buffer.from(salt, 'base64url')), sealed.join('.'), name);
  } catch (cause) {
    const fault = `The secret does not decrypt the keys in the database ${place}`;
    throw new StoreProblem(fault, 'give the secret that this site was first started with', { cause });
  }
}

/**
 * How the store keeps what lets somebody in: as a hash that only the site's key can make. What is kept is long and random, so a fast hash
 * keeps it well.
 */
export const keyedHash = (key: Buffer, text: string): string => createHmac('sha256', key).update(text).digest('hex');

/** Takes as long wherever they differ. */
export function isSame(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}

/** The secret that wraps the site's keys, where the data folder keeps it. */
export const secretFile = (data: string): string => join(data, 'secret');

/** What is wrong with the file that holds the secret, if anything is: others may read it, or it holds too little. */
export function secretFault(data: string): string | undefined {
  const file = secretFile(data);
  if ((statSync(file).mode & 0o077) !== 0) {
    return `Other users can read the secret in ${file}; run "chmod 600 ${file}".`;
  }
  if (readFileSync(file, 'utf8').trim().length < 32) {
    return `The secret in ${file} is shorter than 32 characters; restore the right secret.`;
  }
  return undefined;
}

/** The secret that is given, or the one in the data folder; nothing where there is none, or this user may not read it. */
export function secretOf({
  secret,
  data,
}: {
  readonly secret?: string | undefined;
  readonly data: string;
}): string | undefined {
  try {
    return secret ?? readFileSync(secretFile(data), 'utf8').trim();
  } catch {
    return undefined;
  }
}
