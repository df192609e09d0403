// Whose password was set anew by which order, so that an order that is taken up again sets none twice.
import type { Instant } from '#store/columns.ts';
import type { Migration } from '#store/migrate.ts';

export interface UserActionTables {
  secsuite_user_resets: {
    /** The order. */
    order_id: string;
    user_id: number;
    done_at: Instant;
  };
}

export const userActionMigrations: readonly Migration[] = [
  {
    name: '0001-suite-user-resets',
    up: async ({ table, column }) => {
      await table('secsuite_user_resets')
        .addColumn('order_id', column.text, (c) => c.notNull())
        .addColumn('user_id', column.integer, (c) => c.notNull())
        .addColumn('done_at', column.instant, (c) => c.notNull())
        .addPrimaryKeyConstraint('secsuite_user_resets_key', ['order_id', 'user_id'])
        .execute();
    },
  },
];

/** Nobody keeps an answer that rests on it. */
export const quietUserActionTables: readonly (keyof UserActionTables)[] = ['secsuite_user_resets'];
