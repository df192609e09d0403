// Groups of users as they are kept: what a group is in one row, whom it names in one row each.
import type { Generated } from 'kysely';
import type { Instant, JsonText } from '#store/columns.ts';
import type { Migration } from '#store/migrate.ts';

interface GroupsTable {
  /** The order in which they were made. */
  number: Generated<number>;
  /** A UUID. */
  id: string;
  label: string;
  /** A list of names. */
  roles: JsonText;
  /** A list of names. */
  canonical: JsonText;
  min_role: string;
  created_at: Instant;
}

interface MembersTable {
  group_id: string;
  user_id: number;
  /** In the order in which they were named. */
  position: number;
}

export interface GroupTables {
  secsuite_groups: GroupsTable;
  secsuite_group_members: MembersTable;
}

export const groupMigrations: readonly Migration[] = [
  {
    name: '0001-suite-groups',
    up: async ({ table, column, db }) => {
      await table('secsuite_groups')
        .addColumn('number', column.id)
        .addColumn('id', column.text, (c) => c.notNull().unique())
        .addColumn('label', column.text, (c) => c.notNull())
        .addColumn('roles', column.json, (c) => c.notNull())
        .addColumn('canonical', column.json, (c) => c.notNull())
        .addColumn('min_role', column.text, (c) => c.notNull())
        .addColumn('created_at', column.instant, (c) => c.notNull())
        .execute();
      await table('secsuite_group_members')
        .addColumn('group_id', column.text, (c) => c.notNull())
        .addColumn('user_id', column.integer, (c) => c.notNull())
        .addColumn('position', column.integer, (c) => c.notNull())
        .addPrimaryKeyConstraint('secsuite_group_members_key', ['group_id', 'user_id'])
        .execute();
      await db.schema.createIndex('secsuite_groups_of').on('secsuite_group_members').column('user_id').execute();
    },
  },
];
