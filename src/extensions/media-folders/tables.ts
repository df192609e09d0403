// The tables of media folders. An owner of 0 is the tree that all accounts share; any other owner is an account with its own tree.
import type { Generated, Transaction } from 'kysely';
import type { ContentTables } from '#site/content/tables.ts';
import type { Extension } from '#site/extension.ts';
import type { IdentityTables } from '#site/identity/tables.ts';
import type { SettingsTables } from '#site/platform/settings/tables.ts';
import type { TotalsTables } from '#site/platform/totals.ts';
import type { Instant, JsonText } from '#store/columns.ts';
import type { Reads } from '#store/handles.ts';

export interface FoldersTable {
  id: Generated<number>;
  owner: number;
  parent: number;
  name: string;
  /** The name as it is compared. */
  name_key: string;
  ord: number;
  color: string;
  /** The version of the tree at which it changed last, so that a reader can ask for what changed since. */
  version: number;
}

export interface FolderTables {
  media_folders: FoldersTable;
  /** Of each owner: `version` grows with every change of the tree, `deleted` is the version at which folders were deleted last. */
  media_folder_trees: { owner: number; version: number; deleted: number };
  media_folder_items: { owner: number; attachment_id: number; folder_id: number };
  /** Settings of one account. */
  media_folder_users: { user_id: number; settings: JsonText };
  /** Folders as they were before something replaced or deleted them. */
  media_folder_backups: { id: Generated<number>; created_at: Instant; reason: string; folders: JsonText };
  /** What was imported and which offers are hidden: `completed terms`, `hidden tree`. */
  media_folder_flags: { name: string };
  /** Folders that were made from legacy folders. */
  media_folder_legacy: { legacy_id: number; folder_id: number };
  /** A source that is being imported. */
  media_folder_snapshots: { user_id: number; prefix: string; created_at: Instant; source: JsonText };
  /** The source `tree`: folders of another tool that an operator copied here. The parent of a root folder is -1. */
  media_folder_sources: { id: number; parent: number; name: string };
  media_folder_source_items: { folder_id: number; attachment_id: number };
}

export type Tables = FolderTables & ContentTables & IdentityTables & TotalsTables & SettingsTables;
export type Db = Reads<Tables>;
export type Tx = Transaction<Tables>;

export const tables: Extension['tables'] = {
  quiet: [
    'media_folder_trees',
    'media_folder_users',
    'media_folder_backups',
    'media_folder_snapshots',
    'media_folder_legacy',
  ],
  migrations: [
    {
      name: '0001-media-folders',
      up: async ({ table, column, db }) => {
        await table('media_folders')
          .addColumn('id', column.id)
          .addColumn('owner', column.integer, (c) => c.notNull())
          .addColumn('parent', column.integer, (c) => c.notNull())
          .addColumn('name', column.text, (c) => c.notNull())
          .addColumn('name_key', column.text, (c) => c.notNull())
          .addColumn('ord', column.integer, (c) => c.notNull())
          .addColumn('color', column.text, (c) => c.notNull())
          .addColumn('version', column.integer, (c) => c.notNull())
          .execute();
        const index = (name: string) => db.schema.createIndex(name).on('media_folders');
        await index('media_folders_named').columns(['owner', 'parent', 'name_key']).unique().execute();
        await index('media_folders_ordered').columns(['parent', 'ord', 'id']).execute();
        await index('media_folders_changed').columns(['owner', 'version']).execute();
        await table('media_folder_trees')
          .addColumn('owner', column.integer, (c) => c.primaryKey())
          .addColumn('version', column.integer, (c) => c.notNull())
          .addColumn('deleted', column.integer, (c) => c.notNull())
          .execute();
        await table('media_folder_items')
          .addColumn('owner', column.integer, (c) => c.notNull())
          .addColumn('attachment_id', column.integer, (c) => c.notNull().references('posts.id'))
          .addColumn('folder_id', column.integer, (c) => c.notNull().references('media_folders.id'))
          .addPrimaryKeyConstraint('media_folder_items_key', ['owner', 'attachment_id'])
          .execute();
        const items = (name: string) => db.schema.createIndex(name).on('media_folder_items');
        await items('media_folder_items_counted').columns(['owner', 'folder_id', 'attachment_id']).execute();
        await items('media_folder_items_in').columns(['folder_id', 'attachment_id']).execute();
        await items('media_folder_items_of').columns(['attachment_id', 'folder_id']).execute();
      },
    },
    {
      name: '0002-media-folder-imports',
      up: async ({ table, column, db }) => {
        await table('media_folder_users')
          .addColumn('user_id', column.integer, (c) => c.primaryKey())
          .addColumn('settings', column.json, (c) => c.notNull())
          .execute();
        await table('media_folder_backups')
          .addColumn('id', column.id)
          .addColumn('created_at', column.instant, (c) => c.notNull())
          .addColumn('reason', column.text, (c) => c.notNull())
          .addColumn('folders', column.json, (c) => c.notNull())
          .execute();
        await table('media_folder_flags')
          .addColumn('name', column.text, (c) => c.primaryKey())
          .execute();
        await table('media_folder_legacy')
          .addColumn('legacy_id', column.integer, (c) => c.primaryKey())
          .addColumn('folder_id', column.integer, (c) => c.notNull())
          .execute();
        await table('media_folder_snapshots')
          .addColumn('user_id', column.integer, (c) => c.notNull())
          .addColumn('prefix', column.text, (c) => c.notNull())
          .addColumn('created_at', column.instant, (c) => c.notNull())
          .addColumn('source', column.json, (c) => c.notNull())
          .addPrimaryKeyConstraint('media_folder_snapshots_key', ['user_id', 'prefix'])
          .execute();
        await table('media_folder_sources')
          .addColumn('id', column.integer, (c) => c.primaryKey())
          .addColumn('parent', column.integer, (c) => c.notNull())
          .addColumn('name', column.text, (c) => c.notNull())
          .execute();
        await table('media_folder_source_items')
          .addColumn('folder_id', column.integer, (c) => c.notNull())
          .addColumn('attachment_id', column.integer, (c) => c.notNull())
          .addPrimaryKeyConstraint('media_folder_source_items_key', ['folder_id', 'attachment_id'])
          .execute();
        await db.schema
          .createIndex('media_folder_source_items_of')
          .on('media_folder_source_items')
          .column('attachment_id')
          .execute();
      },
    },
  ],
};
