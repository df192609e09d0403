// Exports that are kept: one document each.
import type { Instant, JsonText } from '#store/columns.ts';
import type { Migration } from '#store/migrate.ts';

export interface ExportTables {
  secsuite_exports: { id: string; exported_at: Instant; document: JsonText };
}

export const exportMigrations: readonly Migration[] = [
  {
    name: '0001-suite-exports',
    up: async ({ table, column }) => {
      await table('secsuite_exports')
        .addColumn('id', column.text, (c) => c.primaryKey())
        .addColumn('exported_at', column.instant, (c) => c.notNull())
        .addColumn('document', column.json, (c) => c.notNull())
        .execute();
    },
  },
];
