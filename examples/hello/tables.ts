import type { Generated } from 'kysely';
import type { Extension } from '#site/extension.ts';

export interface GreetingsTable {
  id: Generated<number>;
  author: number;
  text: string;
  mood: string;
  note: string;
  in_reply_to: number;
  created_at: string;
}

export interface HelloTables {
  hello_greetings: GreetingsTable;
}

export const tables: Extension['tables'] = {
  migrations: [
    {
      name: '0001-greetings',
      up: async ({ table, column, db }) => {
        await table('hello_greetings')
          .addColumn('id', column.id)
          .addColumn('author', column.integer, (c) => c.notNull())
          .addColumn('text', column.text, (c) => c.notNull())
          .addColumn('mood', column.text, (c) => c.notNull())
          .addColumn('note', column.text, (c) => c.notNull())
          .addColumn('in_reply_to', column.integer, (c) => c.notNull())
          .addColumn('created_at', column.instant, (c) => c.notNull())
          .execute();
        await db.schema.createIndex('hello_replies').on('hello_greetings').columns(['in_reply_to', 'id']).execute();
      },
    },
  ],
};
