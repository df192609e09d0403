// What is stored of two-factor authentication. Keys of apps are sealed, codes and devices are keyed hashes.
import type { Generated } from 'kysely';
import type { Flag, Instant, JsonText } from '#store/columns.ts';
import type { Migration } from '#store/migrate.ts';

interface FactorsTable {
  user_id: number;
  /** What everything sealed and hashed here is bound to. It stays if the user gets another id. */
  handle: string;
  /** The sealed key of the app. */
  seed: string | null;
  /** When the app was set up; unknown for apps from before this was stored. */
  seed_since: Instant | null;
  /** The step of the last code of the app that was used: no code of this step or an earlier one is right again. */
  last_step: number;
  /** Whether codes are emailed. */
  email: Flag;
  /** The sealed key and recovery codes of a set-up that is not finished. */
  pending: string | null;
  pending_until: Instant | null;
  /** The hash of the newest emailed code. */
  mailed: string | null;
  mailed_until: Instant | null;
  /** When setting it up was offered and declined. */
  declined_at: Instant | null;
  /** Whether the user wants to be asked for a code after a sign-in without a password, although a group of theirs need not be. */
  kept: Flag | null;
}

interface RecoveryCodesTable {
  id: Generated<number>;
  user_id: number;
  hash: string;
  /** Unknown for codes from before this was stored. */
  created_at: Instant | null;
}

interface RememberedDevicesTable {
  id: Generated<number>;
  user_id: number;
  hash: string;
  /** What the browser said of itself, and its IP address. */
  device: JsonText;
  created_at: Instant;
  used_at: Instant;
  until: Instant;
}

export interface TwoFactorTables {
  secsuite_two_factor: FactorsTable;
  secsuite_two_factor_codes: RecoveryCodesTable;
  secsuite_two_factor_devices: RememberedDevicesTable;
}

export const twoFactorTables = [
  'secsuite_two_factor',
  'secsuite_two_factor_codes',
  'secsuite_two_factor_devices',
] as const;

export const twoFactorMigrations: readonly Migration[] = [
  {
    name: '0001-suite-two-factor',
    up: async ({ db, table, column }) => {
      await table('secsuite_two_factor')
        .addColumn('user_id', column.integer, (c) => c.primaryKey())
        .addColumn('handle', column.text, (c) => c.notNull())
        .addColumn('seed', column.text)
        .addColumn('last_step', column.integer, (c) => c.notNull())
        .addColumn('email', column.flag, (c) => c.notNull())
        .addColumn('pending', column.text)
        .addColumn('pending_until', column.instant)
        .addColumn('mailed', column.text)
        .addColumn('mailed_until', column.instant)
        .addColumn('declined_at', column.instant)
        .execute();
      await table('secsuite_two_factor_codes')
        .addColumn('id', column.id)
        .addColumn('user_id', column.integer, (c) => c.notNull())
        .addColumn('hash', column.text, (c) => c.notNull())
        .execute();
      await table('secsuite_two_factor_devices')
        .addColumn('id', column.id)
        .addColumn('user_id', column.integer, (c) => c.notNull())
        .addColumn('hash', column.text, (c) => c.notNull())
        .addColumn('device', column.json, (c) => c.notNull())
        .addColumn('created_at', column.instant, (c) => c.notNull())
        .addColumn('used_at', column.instant, (c) => c.notNull())
        .addColumn('until', column.instant, (c) => c.notNull())
        .execute();
      for (const one of ['secsuite_two_factor_codes', 'secsuite_two_factor_devices'])
        await db.schema.createIndex(`${one}_by_user`).on(one).columns(['user_id', 'id']).execute();
    },
  },
  {
    name: '0002-suite-two-factor-kept',
    up: async ({ db, column }) => db.schema.alterTable('secsuite_two_factor').addColumn('kept', column.flag).execute(),
  },
  {
    name: '0003-suite-two-factor-since',
    up: async ({ db, column }) => {
      await db.schema.alterTable('secsuite_two_factor').addColumn('seed_since', column.instant).execute();
      await db.schema.alterTable('secsuite_two_factor_codes').addColumn('created_at', column.instant).execute();
    },
  },
];
