// What is kept of extensions: which people switched, which were installed from packages, which are being installed just now,
// and how new the catalogues were that they came from.
import type { Transaction } from 'kysely';
import type { Flag, Instant, JsonText } from '#store/columns.ts';
import type { TableOwner } from '#store/migrate.ts';
import type { IdentityTables } from '../identity/tables.ts';
import type { LeaseTables } from '../platform/leases.ts';

export interface ExtensionsTable {
  slug: string;
  active: Flag;
  /** Nothing from here on of one that comes with the program: that has a row once somebody switched it. */
  version: string | null;
  /** Of the package. */
  sha256: string | null;
  size: number | null;
  manifest: JsonText | null;
  /** Each file with its size and hash. */
  files: JsonText | null;
  installed_at: Instant | null;
  installed_by: number | null;
  /** Names of migrations of a later version, which was taken back: this one ran beside them. */
  beside: JsonText | null;
  /** The version before this one, while the site is looked at after an update. */
  earlier: JsonText | null;
}

export interface CataloguesTable {
  /** The public key of a publisher. */
  key: string;
  /** Of the newest catalogue of theirs that was accepted. */
  issued: Instant;
}

export interface PackageTables {
  extensions: ExtensionsTable;
  extension_catalogues: CataloguesTable;
}

/** What the store has written down of tables, whoever they are of. */
interface StoreTables {
  migrations: { owner: string; name: string };
}

export type PackageStore = PackageTables & IdentityTables & LeaseTables & StoreTables;
export type Writing = Transaction<PackageStore>;

export const packageTables: TableOwner = {
  owner: 'extensions',
  migrations: [
    {
      name: '0001-extensions',
      up: async ({ table, column }) => {
        await table('extensions')
          .addColumn('slug', column.text, (c) => c.primaryKey())
          .addColumn('active', column.flag, (c) => c.notNull())
          .addColumn('version', column.text)
          .addColumn('sha256', column.text)
          .addColumn('size', column.integer)
          .addColumn('manifest', column.json)
          .addColumn('files', column.json)
          .addColumn('installed_at', column.instant)
          .addColumn('installed_by', column.integer)
          .execute();
        await table('extension_installs')
          .addColumn('slug', column.text, (c) => c.primaryKey())
          .addColumn('token', column.text, (c) => c.notNull())
          .addColumn('holder', column.text, (c) => c.notNull())
          .addColumn('leased_until', column.instant, (c) => c.notNull())
          .execute();
      },
    },
    {
      name: '0002-catalogues',
      up: async ({ table, column }) => {
        await table('extension_catalogues')
          .addColumn('key', column.text, (c) => c.primaryKey())
          .addColumn('issued', column.instant, (c) => c.notNull())
          .execute();
      },
    },
    {
      name: '0003-beside',
      up: async ({ db, column }) => {
        await db.schema.alterTable('extensions').addColumn('beside', column.json).execute();
      },
    },
    { name: '0004-leases', up: async ({ db }) => void (await db.schema.dropTable('extension_installs').execute()) },
    {
      name: '0005-earlier',
      up: async ({ db, column }) => {
        await db.schema.alterTable('extensions').addColumn('earlier', column.json).execute();
      },
    },
  ],
  quiet: ['extension_catalogues'],
};
