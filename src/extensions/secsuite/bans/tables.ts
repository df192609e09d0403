// What is kept of bans.
import type { Generated, Selectable } from 'kysely';
import type { Instant } from '#store/columns.ts';
import type { Migration } from '#store/migrate.ts';

export interface BanTables {
  secsuite_bans: BansTable;
  /** Bans that were lifted, in the order they were: how other processes hear of it. The oldest are forgotten. */
  secsuite_bans_lifted: { id: Generated<number>; ban: number; key: string };
}

interface BansTable {
  id: Generated<number>;
  /** The address or network as it is shown. */
  host: string;
  /** The same as it sorts: see `keys.ts`. */
  key: string;
  type: 'ip' | 'range';
  /** To the second. */
  created_at: Instant;
  actor_type: string | null;
  actor_id: string | null;
  comment: string;
}

export type Ban = Selectable<BansTable>;

export const banMigrations: readonly Migration[] = [
  {
    name: '0001-bans',
    up: async ({ db, table, column }) => {
      await table('secsuite_bans')
        .addColumn('id', column.id)
        .addColumn('host', column.text, (c) => c.notNull().unique())
        .addColumn('key', column.text, (c) => c.notNull())
        .addColumn('type', column.text, (c) => c.notNull())
        .addColumn('created_at', column.instant, (c) => c.notNull())
        .addColumn('actor_type', column.text)
        .addColumn('actor_id', column.text)
        .addColumn('comment', column.text, (c) => c.notNull())
        .execute();
      const index = (name: string, columns: readonly string[]) =>
        db.schema
          .createIndex(`secsuite_bans_${name}`)
          .on('secsuite_bans')
          .columns([...columns])
          .execute();
      await index('by_key', ['key', 'id']);
      await index('by_age', ['created_at', 'id']);
      await index('by_actor', ['actor_type', 'actor_id', 'created_at', 'id']);
      await table('secsuite_bans_lifted')
        .addColumn('id', column.id)
        .addColumn('ban', column.integer, (c) => c.notNull())
        .addColumn('key', column.text, (c) => c.notNull())
        .execute();
    },
  },
];

/** Heard of together with the bans themselves. */
export const quietBanTables: readonly (keyof BanTables)[] = ['secsuite_bans_lifted'];
