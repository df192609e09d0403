// When users were last seen, and which issues of their accounts are muted.
import type { Instant } from '#store/columns.ts';
import type { Migration } from '#store/migrate.ts';

export interface AccountTables {
  secsuite_accounts_seen: {
    user_id: number;
    seen_at: Instant;
  };
  secsuite_accounts_muted: {
    user_id: number;
    /** The kind of issue. */
    component: string;
    muted_by: number;
    muted_at: Instant;
  };
}

export const accountTables = ['secsuite_accounts_seen', 'secsuite_accounts_muted'] as const;

export const accountMigrations: readonly Migration[] = [
  {
    name: '0001-suite-accounts',
    up: async ({ db, table, column }) => {
      await table('secsuite_accounts_seen')
        .addColumn('user_id', column.integer, (c) => c.primaryKey())
        .addColumn('seen_at', column.instant, (c) => c.notNull())
        .execute();
      await db.schema
        .createIndex('secsuite_accounts_seen_by_time')
        .on('secsuite_accounts_seen')
        .column('seen_at')
        .execute();
      await table('secsuite_accounts_muted')
        .addColumn('user_id', column.integer, (c) => c.notNull())
        .addColumn('component', column.text, (c) => c.notNull())
        .addColumn('muted_by', column.integer, (c) => c.notNull())
        .addColumn('muted_at', column.instant, (c) => c.notNull())
        .addPrimaryKeyConstraint('secsuite_accounts_muted_key', ['user_id', 'component'])
        .execute();
    },
  },
];
