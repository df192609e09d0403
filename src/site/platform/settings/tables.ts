// Settings as they are kept: one row for each that differs from its default.
import type { TableOwner } from '#store/migrate.ts';

export interface SettingsTables {
  /** `value`: a document; one that is confidential is sealed inside it. */
  settings: { group_name: string; name: string; value: string };
}

export const settingsTable: TableOwner = {
  owner: 'settings',
  migrations: [
    {
      name: '0001-settings',
      up: async ({ table, column }) => {
        await table('settings')
          .addColumn('group_name', column.text, (c) => c.notNull())
          .addColumn('name', column.text, (c) => c.notNull())
          .addColumn('value', column.json, (c) => c.notNull())
          .addPrimaryKeyConstraint('settings_key', ['group_name', 'name'])
          .execute();
      },
    },
  ],
};
