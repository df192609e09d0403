// Export files that were sent to the site to be moved in, by the job that does it.
import type { SchemaChange } from '#store/migrate.ts';

export interface SentFilesTable {
  job: string;
  /** What it was called where it came from. */
  name: string;
  /** Where it lies among the files of the site. */
  path: string;
  /** How far it has come; nothing until it has begun. */
  counts: string | null;
}

export interface SentTables {
  sent_files: SentFilesTable;
}

export const sentFiles = {
  name: '0002-sent-files',
  up: async ({ table, column }: SchemaChange) => {
    await table('sent_files')
      .addColumn('job', column.text, (c) => c.primaryKey())
      .addColumn('name', column.text, (c) => c.notNull())
      .addColumn('path', column.text, (c) => c.notNull())
      .addColumn('counts', column.text)
      .execute();
  },
};
