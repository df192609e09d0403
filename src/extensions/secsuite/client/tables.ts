// Addresses that are let in for a while; by a visit and by whoever holds the machine each for itself.
import type { Instant } from '#store/columns.ts';
import type { Migration } from '#store/migrate.ts';

export interface ClientTables {
  secsuite_authorised: {
    address: string;
    until: Instant;
    /** A visit of a manager, or whoever holds the machine. */
    by: 'visit' | 'operator';
  };
}

export const clientMigrations: readonly Migration[] = [
  {
    name: '0001-suite-clients',
    up: async ({ table, column }) => {
      await table('secsuite_authorised')
        .addColumn('address', column.text, (c) => c.notNull())
        .addColumn('until', column.instant, (c) => c.notNull())
        .addColumn('by', column.text, (c) => c.notNull())
        .addPrimaryKeyConstraint('secsuite_authorised_key', ['address', 'by'])
        .execute();
    },
  },
];
