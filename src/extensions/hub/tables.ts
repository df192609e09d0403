import { type Generated, sql, type Transaction } from 'kysely';
import type { Extension } from '#site/extension.ts';
import type { IdentityTables } from '#site/identity/tables.ts';
import type { Instant, JsonText } from '#store/columns.ts';

export interface SitesTable {
  id: Generated<number>;
  /** As its owner calls it. */
  name: string;
  /** As it is found and sorted, whatever its capitals and accents. */
  name_key: string;
  /** Of the key that it signs with, which nobody can read again. */
  key_hash: string;
  /** Where it is, from its first sync on. */
  address: string | null;
  /** As it is found, whatever its capitals and accents, and however an international name is written. */
  address_key: string;
  membership: string;
  created_at: Instant;
  synced_at: Instant | null;
  health: string | null;
  version: string | null;
  inventory: JsonText | null;
}

export interface HubTables {
  hub_sites: SitesTable;
  /** What came lately, so that it is not taken a second time. */
  hub_heard: { site_id: number; mark: string; until: Instant };
}

/** A write here that asks again who writes. */
export type Writing = Transaction<HubTables & IdentityTables>;

export const tables: Extension['tables'] = {
  quiet: ['hub_heard'],
  migrations: [
    {
      name: '0001-hub',
      up: async ({ table, column, db }) => {
        await table('hub_sites')
          .addColumn('id', column.id)
          .addColumn('name', column.text, (c) => c.notNull())
          .addColumn('name_key', column.text, (c) => c.notNull().unique())
          .addColumn('key_hash', column.text, (c) => c.notNull().unique())
          .addColumn('address', column.text)
          .addColumn('address_key', column.text, (c) => c.notNull())
          .addColumn('membership', column.text, (c) => c.notNull())
          .addColumn('created_at', column.instant, (c) => c.notNull())
          .addColumn('synced_at', column.instant)
          .addColumn('health', column.text)
          .addColumn('version', column.text)
          .addColumn('inventory', column.json)
          .execute();
        await table('hub_heard')
          .addColumn('site_id', column.integer, (c) => c.notNull())
          .addColumn('mark', column.text, (c) => c.notNull())
          .addColumn('until', column.instant, (c) => c.notNull())
          .addPrimaryKeyConstraint('hub_heard_key', ['site_id', 'mark'])
          .execute();
        await db.schema.createIndex('hub_heard_until').on('hub_heard').column('until').execute();
      },
    },
    {
      name: '0002-hub-limit',
      // Each message left one mark of its signature; a limit counted them.
      up: async ({ db }) => {
        await sql`insert into rate_limits (subject, used, until)
          select 'hub ' || site_id, count(*), max(until) from hub_heard where mark like 'signature %' group by site_id`.execute(
          db,
        );
      },
    },
  ],
};
