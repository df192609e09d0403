// The tables of the optimization of images.
import type { Transaction } from 'kysely';
import type { Extension } from '#site/extension.ts';
import type { Instant, JsonText } from '#store/columns.ts';

export interface ImageTable {
  post_id: number;
  status: 'optimized' | 'skipped' | 'failed';
  level: number;
  /** How many files, and their bytes before and after. */
  files: number;
  size_before: number;
  size_after: number;
  /** Bytes that resizing and conversion saved; null if they were not done. */
  resize_bytes: number | null;
  conversion_bytes: number | null;
  /** Bytes of the files in other types beside them. */
  variant_bytes: number;
  optimized_at: Instant;
  /** An `ImageDetails`. */
  details: JsonText;
}

export interface ImageTables {
  /** The presets and the live settings, each one document. */
  imgopt_documents: { name: string; body: JsonText };
  imgopt_images: ImageTable;
}

export type Tx = Transaction<ImageTables>;

export const tables: Extension['tables'] = {
  migrations: [
    {
      name: '0001-images',
      up: async ({ table, column }) => {
        await table('imgopt_documents')
          .addColumn('name', column.text, (c) => c.primaryKey())
          .addColumn('body', column.json, (c) => c.notNull())
          .execute();
        await table('imgopt_images')
          .addColumn('post_id', column.integer, (c) => c.primaryKey().references('posts.id'))
          .addColumn('status', column.text, (c) => c.notNull())
          .addColumn('level', column.integer, (c) => c.notNull())
          .addColumn('files', column.integer, (c) => c.notNull())
          .addColumn('size_before', column.integer, (c) => c.notNull())
          .addColumn('size_after', column.integer, (c) => c.notNull())
          .addColumn('resize_bytes', column.integer)
          .addColumn('conversion_bytes', column.integer)
          .addColumn('variant_bytes', column.integer, (c) => c.notNull())
          .addColumn('optimized_at', column.instant, (c) => c.notNull())
          .addColumn('details', column.json, (c) => c.notNull())
          .execute();
      },
    },
  ],
};
