// What managers set: a document for each module, without what is as it usually is.
import type { JsonText } from '#store/columns.ts';
import type { TableOwner } from '#store/migrate.ts';

export interface SettingsTables {
  secsuite_settings: {
    module: string;
    /** What differs from the defaults, with the secrets in it sealed. */
    stored: JsonText;
  };
}

export const settingsMigrations: TableOwner['migrations'] = [
  {
    name: '0001-suite-settings',
    up: async ({ table, column }) => {
      await table('secsuite_settings')
        .addColumn('module', column.text, (c) => c.primaryKey())
        .addColumn('stored', column.json, (c) => c.notNull())
        .execute();
    },
  },
];
