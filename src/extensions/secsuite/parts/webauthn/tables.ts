// Rows of passkeys, of the handles that authenticators know users by, and of ceremonies under way.
import type { Generated, Selectable } from 'kysely';
import type { Flag, Instant, JsonText } from '#store/columns.ts';
import type { Migration } from '#store/migrate.ts';

export interface WebauthnTables {
  secsuite_webauthn_credentials: CredentialsTable;
  secsuite_webauthn_users: WebauthnUsersTable;
  secsuite_webauthn_tokens: CeremonyTokensTable;
}

interface WebauthnUsersTable {
  user_id: number;
  /** What authenticators call the user: made on first use, and never changed. */
  handle: string;
  /** Whether the user chose to sign in with passkeys, or not to; null: as the site has it. */
  allowed: Flag | null;
}

interface CredentialsTable {
  id: Generated<number>;
  /** base64url, without padding, as all binary values here. */
  credential_id: string;
  user_id: number;
  /** The host that it was registered for: it works at no other. */
  rp_id: string;
  transports: JsonText;
  /** COSE. */
  public_key: string;
  sign_count: number;
  backup_eligible: Flag;
  backed_up: Flag;
  created_at: Instant;
  last_used: Instant | null;
  trashed_at: Instant | null;
  label: string;
}

export type Credential = Selectable<CredentialsTable>;

export type TokenKind = 'creation' | 'request' | 'verified';

interface CeremonyTokensTable {
  id: Generated<number>;
  kind: TokenKind;
  /** Keyed, in hex. */
  hash: string;
  /** Nobody yet, where a sign-in begins without a name. */
  user_id: number | null;
  payload: JsonText;
  created_at: Instant;
  until: Instant;
}

export const webauthnMigrations: readonly Migration[] = [
  {
    name: '0001-suite-webauthn',
    up: async ({ db, table, column }) => {
      await table('secsuite_webauthn_credentials')
        .addColumn('id', column.id)
        .addColumn('credential_id', column.text, (c) => c.notNull().unique())
        .addColumn('user_id', column.integer, (c) => c.notNull())
        .addColumn('rp_id', column.text, (c) => c.notNull())
        .addColumn('transports', column.json, (c) => c.notNull())
        .addColumn('public_key', column.text, (c) => c.notNull())
        .addColumn('sign_count', column.integer, (c) => c.notNull())
        .addColumn('backup_eligible', column.flag, (c) => c.notNull())
        .addColumn('backed_up', column.flag, (c) => c.notNull())
        .addColumn('created_at', column.instant, (c) => c.notNull())
        .addColumn('last_used', column.instant)
        .addColumn('trashed_at', column.instant)
        .addColumn('label', column.text, (c) => c.notNull())
        .execute();
      await table('secsuite_webauthn_users')
        .addColumn('user_id', column.integer, (c) => c.primaryKey())
        .addColumn('handle', column.text, (c) => c.notNull().unique())
        .addColumn('allowed', column.flag)
        .execute();
      await table('secsuite_webauthn_tokens')
        .addColumn('id', column.id)
        .addColumn('kind', column.text, (c) => c.notNull())
        .addColumn('hash', column.text, (c) => c.notNull().unique())
        .addColumn('user_id', column.integer)
        .addColumn('payload', column.json, (c) => c.notNull())
        .addColumn('created_at', column.instant, (c) => c.notNull())
        .addColumn('until', column.instant, (c) => c.notNull())
        .execute();
      const index = (on: string, columns: string[]) =>
        db.schema.createIndex(`${on}_by_${columns[0]}`).on(on).columns(columns).execute();
      await index('secsuite_webauthn_credentials', ['user_id', 'id']);
      await index('secsuite_webauthn_credentials', ['trashed_at']);
      await index('secsuite_webauthn_tokens', ['user_id']);
      await index('secsuite_webauthn_tokens', ['created_at']);
    },
  },
];
