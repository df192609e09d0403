// Roles that users have for a time, beside their own. The role itself is among the roles of the user meanwhile.
import type { Instant } from '#store/columns.ts';
import type { Migration } from '#store/migrate.ts';

export interface LoanTables {
  secsuite_lent_roles: { user_id: number; role: string; lent_by: number; created_at: Instant; until: Instant };
}

export const loanMigrations: readonly Migration[] = [
  {
    name: '0001-suite-lent-roles',
    up: async ({ db, table, column }) => {
      await table('secsuite_lent_roles')
        .addColumn('user_id', column.integer, (c) => c.notNull())
        .addColumn('role', column.text, (c) => c.notNull())
        .addColumn('lent_by', column.integer, (c) => c.notNull())
        .addColumn('created_at', column.instant, (c) => c.notNull())
        .addColumn('until', column.instant, (c) => c.notNull())
        .addPrimaryKeyConstraint('secsuite_lent_roles_key', ['user_id', 'role'])
        .execute();
      await db.schema.createIndex('secsuite_lent_roles_until').on('secsuite_lent_roles').column('until').execute();
    },
  },
];
