// How many pictures were made by prompt, by week and in all.
import type { Extension } from '#site/extension.ts';

export interface GalleryTables {
  gallery_ai_counts: {
    /** `2026-W47`, or `total`. */
    period: string;
    images: number;
  };
}

export const tables: Extension['tables'] = {
  quiet: ['gallery_ai_counts'],
  migrations: [
    {
      name: '0001-gallery-ai',
      up: async ({ table, column }) => {
        await table('gallery_ai_counts')
          .addColumn('period', column.text, (c) => c.primaryKey())
          .addColumn('images', column.integer, (c) => c.notNull())
          .execute();
      },
    },
  ],
};
