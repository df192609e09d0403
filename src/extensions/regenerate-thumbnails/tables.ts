import type { Extension } from '#site/extension.ts';
import type { Instant, JsonText } from '#store/columns.ts';

export interface ThumbnailTables {
  /** How far a run over many pictures has come that has not ended. */
  thumbnail_runs: {
    /** What the run does: two that do the same have the same key. */
    key: string;
    /** The process that does it now. */
    runner: string;
    started_at: Instant;
    /** The last picture and the last post that were done. */
    picture: number;
    post: number;
    done: number;
    posts_changed: number;
    skipped: JsonText;
    skipped_count: number;
  };
  /** Pictures that were the icon of the site. */
  thumbnail_site_icons: {
    attachment: number;
  };
}

export const tables: Extension['tables'] = {
  quiet: ['thumbnail_runs'],
  migrations: [
    {
      name: '0001-thumbnails',
      up: async ({ table, column }) => {
        await table('thumbnail_locks')
          .addColumn('attachment', column.integer, (c) => c.primaryKey())
          .addColumn('token', column.text, (c) => c.notNull())
          .addColumn('until', column.instant, (c) => c.notNull())
          .execute();
        await table('thumbnail_runs')
          .addColumn('key', column.text, (c) => c.primaryKey())
          .addColumn('started_at', column.instant, (c) => c.notNull())
          .addColumn('picture', column.integer, (c) => c.notNull())
          .addColumn('post', column.integer, (c) => c.notNull())
          .addColumn('done', column.integer, (c) => c.notNull())
          .addColumn('posts_changed', column.integer, (c) => c.notNull())
          .addColumn('skipped', column.json, (c) => c.notNull())
          .addColumn('skipped_count', column.integer, (c) => c.notNull())
          .execute();
        await table('thumbnail_site_icons')
          .addColumn('attachment', column.integer, (c) => c.primaryKey().references('posts.id'))
          .execute();
      },
    },
    {
      // The media library has locks for all that changes files of a picture.
      name: '0002-shared-locks',
      up: async ({ db }) => {
        await db.schema.dropTable('thumbnail_locks').execute();
      },
    },
    {
      name: '0003-runner',
      up: async ({ db, column }) => {
        await db.schema
          .alterTable('thumbnail_runs')
          .addColumn('runner', column.text, (c) => c.notNull().defaultTo(''))
          .execute();
      },
    },
  ],
};
