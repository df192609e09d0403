// Which modules somebody switched on or off. One without a row is as the deployment or the module itself says.
import type { Flag } from '#store/columns.ts';
import type { TableOwner } from '#store/migrate.ts';

export interface SwitchTables {
  secsuite_modules: { id: string; is_on: Flag };
}

export const switchMigrations: TableOwner['migrations'] = [
  {
    name: '0001-suite-modules',
    up: async ({ table, column }) => {
      await table('secsuite_modules')
        .addColumn('id', column.text, (c) => c.primaryKey())
        .addColumn('is_on', column.flag, (c) => c.notNull())
        .execute();
    },
  },
];
