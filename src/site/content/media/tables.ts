// Which names below the uploads are taken, each from before its file is written: two that come at once never get the same.

import type { TableOwner } from '#store/migrate.ts';

export const mediaTables: TableOwner = {
  owner: 'media',
  migrations: [
    {
      name: '0001-media-paths',
      up: async ({ db, table, column }) => {
        await table('media_paths')
          .addColumn('path', column.text, (c) => c.primaryKey())
          .addColumn('post_id', column.integer, (c) => c.references('posts.id'))
          .addColumn('taken_at', column.instant, (c) => c.notNull())
          .execute();
        await db.schema.createIndex('media_paths_of').on('media_paths').columns(['post_id', 'taken_at']).execute();
      },
    },
    {
      name: '0002-claims',
      up: async ({ db, column }) => {
        await db.schema.alterTable('media_paths').addColumn('claim', column.text).execute();
      },
    },
    {
      name: '0003-replaced-files',
      up: async ({ table, column }) => {
        await table('media_locks')
          .addColumn('post_id', column.integer, (c) => c.primaryKey())
          .addColumn('token', column.text, (c) => c.notNull())
          .addColumn('until', column.instant, (c) => c.notNull())
          .execute();
        await table('media_redirects')
          .addColumn('path', column.text, (c) => c.primaryKey())
          .addColumn('target', column.text, (c) => c.notNull())
          .addColumn('post_id', column.integer, (c) => c.notNull().references('posts.id'))
          .execute();
      },
    },
  ],
};
