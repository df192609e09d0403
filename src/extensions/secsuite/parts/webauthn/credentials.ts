// The rows behind passkeys: handles, credentials with their trash, and the one-time tokens of ceremonies. Functions of the open write.
import { randomBytes } from 'node:crypto';
import type { Transaction } from 'kysely';
import { day, minute } from '#lib/spans.ts';
import { type Keys, keyedHash } from '#site/platform/keys.ts';
import { flag, instant } from '#store/columns.ts';
import type { Reads } from '#store/handles.ts';
import type { AttestedCredential } from './ceremony.ts';
import type { Credential, TokenKind, WebauthnTables } from './tables.ts';

export type Tx = Transaction<WebauthnTables>;
type Db = Reads<WebauthnTables>;

export const base64url = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url');

/** The bytes of a value that may be padded; undefined if it is not base64url. */
export function bytesOf(value: unknown): Buffer | undefined {
  if (typeof value !== 'string' || !/^[\w-]*={0,2}$/.test(value)) return undefined;
  const bare = value.replace(/=+$/, '');
  const bytes = Buffer.from(bare, 'base64url');
  return base64url(bytes) === bare ? bytes : undefined;
}

// Handles: what authenticators call users.

/** Made on first use. */
export async function ensureHandle(tx: Tx, user: number): Promise<string> {
  const row = { user_id: user, handle: base64url(randomBytes(32)) };
  await tx
    .insertInto('secsuite_webauthn_users')
    .values({ ...row, allowed: null })
    .onConflict((on) => on.column('user_id').doNothing())
    .execute();
  const { handle } = await tx
    .selectFrom('secsuite_webauthn_users')
    .select('handle')
    .where('user_id', '=', user)
    .executeTakeFirstOrThrow();
  return handle;
}

export const findHandle = (db: Db, user: number) =>
  db.selectFrom('secsuite_webauthn_users').selectAll().where('user_id', '=', user).executeTakeFirst();

// Credentials.

export const isTrashed = ({ trashed_at }: Pick<Credential, 'trashed_at'>): boolean => trashed_at !== null;

/** Oldest first, with those in the trash. */
export const listCredentials = (db: Db, user: number): Promise<Credential[]> =>
  db
    .selectFrom('secsuite_webauthn_credentials')
    .selectAll()
    .where('user_id', '=', user)
    .orderBy('created_at')
    .orderBy('id')
    .execute();

export const findCredential = (db: Db | Tx, credential_id: string): Promise<Credential | undefined> =>
  (db as Db)
    .selectFrom('secsuite_webauthn_credentials')
    .selectAll()
    .where('credential_id', '=', credential_id)
    .executeTakeFirst();

/** How many are registered for each other host than this one. */
export async function countForeign(db: Db, rpId: string): Promise<{ readonly host: string; readonly many: number }[]> {
  const rows = await db
    .selectFrom('secsuite_webauthn_credentials')
    .select((all) => ['rp_id as host', all.fn.countAll<number>().as('many')])
    .where('rp_id', '!=', rpId)
    .where('trashed_at', 'is', null)
    .groupBy('rp_id')
    .orderBy('rp_id')
    .execute();
  return rows.map(({ host, many }) => ({ host, many: Number(many) }));
}

interface NewCredential extends AttestedCredential {
  readonly user: number;
  readonly rpId: string;
  readonly transports: readonly string[];
  readonly label: string;
}

/** Undefined if the id is taken, by whomever and also in the trash. */
export const insertCredential = (tx: Tx, made: NewCredential, now: Date): Promise<Credential | undefined> =>
  tx
    .insertInto('secsuite_webauthn_credentials')
    .values({
      credential_id: base64url(made.id),
      user_id: made.user,
      rp_id: made.rpId,
      transports: JSON.stringify(made.transports),
      public_key: base64url(made.publicKey),
      sign_count: made.signCount,
      backup_eligible: flag(made.backupEligible),
      backed_up: flag(made.backedUp),
      created_at: instant(now),
      last_used: null,
      trashed_at: null,
      label: made.label,
    })
    .onConflict((on) => on.column('credential_id').doNothing())
    .returningAll()
    .executeTakeFirst();

export const updateCredential = (tx: Tx, id: number, values: Partial<Credential>): Promise<Credential | undefined> =>
  tx.updateTable('secsuite_webauthn_credentials').set(values).where('id', '=', id).returningAll().executeTakeFirst();

export const deleteCredential = (tx: Tx, id: number): Promise<unknown> =>
  tx.deleteFrom('secsuite_webauthn_credentials').where('id', '=', id).execute();

export async function deleteAllOf(tx: Tx, user: number): Promise<void> {
  for (const table of ['secsuite_webauthn_tokens', 'secsuite_webauthn_credentials', 'secsuite_webauthn_users'] as const)
    await tx.deleteFrom(table).where('user_id', '=', user).execute();
}

/** Trash and tokens go after this time. */
const keptFor = 7 * day;

export async function purge(tx: Tx, now: Date): Promise<void> {
  const before = instant(new Date(now.getTime() - keptFor));
  await tx.deleteFrom('secsuite_webauthn_credentials').where('trashed_at', '<', before).execute();
  await tx.deleteFrom('secsuite_webauthn_tokens').where('created_at', '<', before).execute();
}

// Tokens of ceremonies: only their keyed hash is stored.

const lives: Readonly<Record<TokenKind, number>> = {
  creation: 30 * minute,
  request: 30 * minute,
  verified: 3 * minute,
};
const tokenForm = /^[\w-]{43}$/;

export type CeremonyToken = ReturnType<typeof createCeremonyTokens>;

export interface FoundToken {
  readonly kind: TokenKind;
  readonly user: number | null;
  readonly payload: unknown;
  readonly isExpired: boolean;
}

/** `keys.sessions`: renewing that key ends all ceremonies as well. */
export function createCeremonyTokens({ keys, clock }: { readonly keys: Pick<Keys, 'sessions'>; clock(): Date }) {
  const hashOf = (token: string): string => keyedHash(keys.sessions, `webauthn ${token}`);
  return {
    isWellFormed: (token: string): boolean => tokenForm.test(token),
    async insert(tx: Tx, kind: TokenKind, user: number | null, payload: unknown): Promise<string> {
      const token = base64url(randomBytes(32));
      const now = clock();
      const until = instant(new Date(now.getTime() + lives[kind]));
      const row = { kind, user_id: user, hash: hashOf(token), payload: JSON.stringify(payload) };
      await tx
        .insertInto('secsuite_webauthn_tokens')
        .values({ ...row, created_at: instant(now), until })
        .execute();
      return token;
    },
    async find(db: Db, token: string): Promise<FoundToken | undefined> {
      const row = await db
        .selectFrom('secsuite_webauthn_tokens')
        .selectAll()
        .where('hash', '=', hashOf(token))
        .executeTakeFirst();
      if (row === undefined) return undefined;
      const { kind, user_id: user, payload, until } = row;
      return { kind, user, payload: JSON.parse(payload), isExpired: until <= instant(clock()) };
    },
    /** Of two that use it at once, one does. */
    async consume(tx: Tx, token: string): Promise<boolean> {
      const row = await tx
        .deleteFrom('secsuite_webauthn_tokens')
        .where('hash', '=', hashOf(token))
        .returning('id')
        .executeTakeFirst();
      return row !== undefined;
    },
  };
}
