// Whether users let links sign them in. Users who did not choose have no row. The links themselves are one-time tokens of the site.
import type { Flag } from '#store/columns.ts';
import type { Migration } from '#store/migrate.ts';

export interface PasswordlessTables {
  secsuite_sign_in_links: { user_id: number; allowed: Flag };
}

export const passwordlessMigrations: readonly Migration[] = [
  {
    name: '0001-suite-sign-in-links',
    up: async ({ table, column }) => {
      await table('secsuite_sign_in_links')
        .addColumn('user_id', column.integer, (c) => c.primaryKey())
        .addColumn('allowed', column.flag, (c) => c.notNull())
        .execute();
    },
  },
];
