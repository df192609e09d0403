// What became of notices: for everybody, by what they are called.
import type { Instant } from '#store/columns.ts';
import type { Migration } from '#store/migrate.ts';

export interface NoticeTables {
  secsuite_notices: {
    id: string;
    /** Not shown before this moment. */
    hidden_until: Instant | null;
    /** What happened up to then is not shown; of a notice that is of no moment, it is not shown any more. */
    dismissed_at: Instant | null;
    muted: 0 | 1;
  };
}

export const noticeMigrations: readonly Migration[] = [
  {
    name: '0001-suite-notices',
    up: async ({ table, column }) => {
      await table('secsuite_notices')
        .addColumn('id', column.text, (c) => c.primaryKey())
        .addColumn('hidden_until', column.instant)
        .addColumn('dismissed_at', column.instant)
        .addColumn('muted', column.flag, (c) => c.notNull())
        .execute();
    },
  },
];
