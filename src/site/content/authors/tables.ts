// Of whom something is still to be handed over or deleted who are themselves gone already.
import type { TableOwner } from '#store/migrate.ts';

interface EstatesTable {
  author: number;
  /** Who gets it; nothing where it goes. */
  heir: number | null;
}

export interface AuthorTables {
  estates: EstatesTable;
}

export const authorTables: TableOwner = {
  owner: 'authors',
  migrations: [
    {
      name: '0001-estates',
      up: async ({ db, table, column }) => {
        await table('estates')
          .addColumn('author', column.integer, (c) => c.primaryKey())
          .addColumn('heir', column.integer)
          .execute();
        await db.schema.createIndex('estates_by_heir').on('estates').column('heir').execute();
      },
    },
  ],
};
