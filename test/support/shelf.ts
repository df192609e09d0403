import type { Generated } from 'kysely';
import type { Flag } from '#store/columns.ts';
import type { TableOwner } from '#store/migrate.ts';

/** Two small tables for tests of the store: books are watched, loans are quiet. */
export interface ShelfTables {
  books: { id: Generated<number>; title: string; lent: Generated<Flag> };
  loans: { id: Generated<number>; book: number };
}

export const shelf: TableOwner = {
  owner: 'shelf',
  quiet: ['loans'],
  migrations: [
    {
      name: '0001-shelf',
      up: async ({ table, column }) => {
        await table('books')
          .addColumn('id', column.id)
          .addColumn('title', column.text, (c) => c.notNull().unique())
          .addColumn('lent', column.flag, (c) => c.notNull().defaultTo(0))
          .execute();
        await table('loans')
          .addColumn('id', column.id)
          .addColumn('book', column.integer, (c) => c.notNull().references('books.id'))
          .execute();
      },
    },
  ],
};
