import type { Extension } from '#site/extension.ts';

export interface EditorTables {
  /** What pages say of themselves, by their address. */
  editor_pages: { key: string; details: string; until: string };
}

export const tables: Extension['tables'] = {
  quiet: ['editor_pages'],
  migrations: [
    {
      name: '0001-pages',
      up: async ({ table, column, db }) => {
        await table('editor_pages')
          .addColumn('key', column.text, (c) => c.primaryKey())
          .addColumn('details', column.json, (c) => c.notNull())
          .addColumn('until', column.instant, (c) => c.notNull())
          .execute();
        await db.schema.createIndex('editor_pages_until').on('editor_pages').column('until').execute();
      },
    },
  ],
};
