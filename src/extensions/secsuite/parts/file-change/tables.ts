// What was in each file when it was looked at last.
import type { Migration } from '#store/migrate.ts';

export interface FileTables {
  secsuite_files: {
    /** `program/package.json` */
    path: string;
    hash: string;
  };
}

export const fileMigrations: readonly Migration[] = [
  {
    name: '0001-suite-files',
    up: async ({ table, column }) => {
      await table('secsuite_files')
        .addColumn('path', column.text, (c) => c.primaryKey())
        .addColumn('hash', column.text, (c) => c.notNull())
        .execute();
    },
  },
];

/** They hold nothing that is served. */
export const quietFileTables = ['secsuite_files'] as const;
