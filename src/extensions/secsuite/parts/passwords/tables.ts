// What is kept of passwords besides their hashes.
import type { Instant } from '#store/columns.ts';
import type { Migration } from '#store/migrate.ts';

export interface PasswordTables {
  secsuite_passwords: {
    user_id: number;
    /** When it was set; nothing is known of those that were set before the suite was there. */
    changed_at: Instant | null;
    /** From 0 to 4; nothing, where it was not measured since it was set. */
    strength: number | null;
  };
}

export const passwordMigrations: readonly Migration[] = [
  {
    name: '0001-suite-passwords',
    up: async ({ table, column }) => {
      await table('secsuite_passwords')
        .addColumn('user_id', column.integer, (c) => c.primaryKey())
        .addColumn('changed_at', column.instant)
        .addColumn('strength', column.integer)
        .execute();
    },
  },
];
