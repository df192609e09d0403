import type { Extension } from '#site/extension.ts';
import type { Instant } from '#store/columns.ts';

/** What there is one of. */
export const only = 1;

export interface HubTables {
  /** What is known of the hub. One row, or none. */
  hub_connector_state: {
    id: number;
    /** Which hub it is, asked by which key: what is known of one says nothing of another. */
    target: string;
    /** Of what it was told last that does not change by the hour. */
    hash: string | null;
    /** When it last took what it was told. */
    synced_at: Instant | null;
    /** How often it was asked in vain since. */
    fails: number;
    tried_at: Instant | null;
    /** As it said last; nothing before it said anything. */
    membership: string | null;
    /** As what it knows this site; 0 while nobody knows. */
    hub_site_id: number;
    /** Why it was asked in vain last. */
    refusal: string | null;
  };
}

export const tables: Extension['tables'] = {
  quiet: ['hub_connector_state'],
  migrations: [
    {
      name: '0001-hub',
      up: async ({ table, column }) => {
        await table('hub_connector_state')
          .addColumn('id', column.integer, (c) => c.primaryKey())
          .addColumn('target', column.text, (c) => c.notNull())
          .addColumn('hash', column.text)
          .addColumn('synced_at', column.instant)
          .addColumn('fails', column.integer, (c) => c.notNull())
          .addColumn('tried_at', column.instant)
          .addColumn('membership', column.text)
          .addColumn('hub_site_id', column.integer, (c) => c.notNull())
          .execute();
        await table('hub_connector_turns')
          .addColumn('id', column.integer, (c) => c.primaryKey())
          .addColumn('token', column.text, (c) => c.notNull())
          .addColumn('work', column.text, (c) => c.notNull())
          .addColumn('until', column.instant)
          .addColumn('outcome', column.json)
          .execute();
      },
    },
    {
      name: '0002-hub-refusal',
      up: async ({ db, column }) => {
        await db.schema.alterTable('hub_connector_state').addColumn('refusal', column.text).execute();
      },
    },
    { name: '0003-leases', up: async ({ db }) => void (await db.schema.dropTable('hub_connector_turns').execute()) },
  ],
};
