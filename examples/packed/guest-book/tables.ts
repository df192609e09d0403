import type { Generated, Selectable } from 'kysely';
import type { Extension } from '#site/extension.ts';

interface LineRow {
  id: Generated<number>;
  name: string;
  words: string;
  said_at: string;
}

export interface LinesTables {
  guest_book_lines: LineRow;
}

export type Line = Selectable<LineRow>;

export const tables: Extension['tables'] = {
  migrations: [
    {
      name: '0001-lines',
      up: async ({ table, column }) => {
        await table('guest_book_lines')
          .addColumn('id', column.id)
          .addColumn('name', column.text, (c) => c.notNull())
          .addColumn('words', column.text, (c) => c.notNull())
          .addColumn('said_at', column.instant, (c) => c.notNull())
          .execute();
      },
    },
  ],
};
