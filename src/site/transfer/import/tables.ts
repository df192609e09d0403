// Which records came from elsewhere, and as what: so that the same is known again, and what was broken off is finished.
import { sql, type Transaction } from 'kysely';
import type { Flag } from '#store/columns.ts';
import type { TableOwner } from '#store/migrate.ts';
import type { Posts } from '../../content/posts/post.ts';
import type { ContentTables } from '../../content/tables.ts';
import type { IdentityTables } from '../../identity/tables.ts';
import type { LeaseTables } from '../../platform/leases.ts';
import type { TotalsTables } from '../../platform/totals.ts';
import { sentFiles } from './sent/tables.ts';

export interface ArrivedTable {
  post_id: number;
  /** The address of the site it came from. */
  source: string;
  /** Its number there; 0 where nobody said. */
  theirs: number;
  /** What is left of its name for all the world; empty where it had none. */
  guid_key: string;
  /** Its slug there, where that was not free here; else empty. */
  slug: string;
  /** What it lay below there, and the picture it was shown with. */
  parent: number;
  picture: number;
  /** Whether what it points at is still to be looked at. */
  unsettled: Flag;
  /** What it pointed at when that was looked at, and was not here by then; nothing until then. */
  owed: string | null;
}

/** What became of what: by its number there, or by the address that its page or its file had there. */
export interface ArrivedKeysTable {
  source: string;
  key: string;
  post_id: number;
  /** Which move brought it last. */
  run: number;
}

export interface MovingTables {
  arrived: ArrivedTable;
  arrived_keys: ArrivedKeysTable;
}

export type MovingStore = ContentTables & TotalsTables & IdentityTables & LeaseTables & MovingTables;
export type Writing = Transaction<MovingStore>;

export const movingTables: TableOwner = {
  owner: 'moving',
  migrations: [
    {
      name: '0001-arrived',
      up: async ({ db, table, column }) => {
        await table('arrived')
          .addColumn('post_id', column.integer, (c) => c.primaryKey().references('posts.id'))
          .addColumn('source', column.text, (c) => c.notNull())
          .addColumn('theirs', column.integer, (c) => c.notNull())
          .addColumn('guid_key', column.text, (c) => c.notNull())
          .addColumn('slug', column.text, (c) => c.notNull())
          .addColumn('parent', column.integer, (c) => c.notNull())
          .addColumn('picture', column.integer, (c) => c.notNull())
          .addColumn('unsettled', column.flag, (c) => c.notNull())
          .execute();
        await db.schema.createIndex('arrived_as').on('arrived').column('guid_key').execute();
        await db.schema
          .createIndex('arrived_unsettled')
          .on('arrived')
          .column('post_id')
          .where(sql<boolean>`unsettled = 1`)
          .execute();
      },
    },
    sentFiles,
    {
      name: '0003-arrived-keys',
      up: async ({ db, table, column }) => {
        await table('arrived_keys')
          .addColumn('source', column.text, (c) => c.notNull())
          .addColumn('key', column.text, (c) => c.notNull())
          .addColumn('post_id', column.integer, (c) => c.notNull().references('posts.id'))
          .addColumn('run', column.integer, (c) => c.notNull())
          .addPrimaryKeyConstraint('arrived_keys_key', ['source', 'key'])
          .execute();
        await db.schema.createIndex('arrived_keys_of').on('arrived_keys').column('post_id').execute();
        await sql`insert into arrived_keys (source, key, post_id, run)
          select source, cast(theirs as text), min(post_id), 0 from arrived where theirs > 0 and source <> '' group by source, theirs`.execute(
          db,
        );
      },
    },
    {
      name: '0004-moving-turns',
      up: async ({ table, column }) => {
        await table('moving_turns')
          .addColumn('name', column.text, (c) => c.primaryKey())
          .addColumn('token', column.text, (c) => c.notNull())
          .addColumn('holder', column.text, (c) => c.notNull())
          .addColumn('what', column.text, (c) => c.notNull())
          .addColumn('since', column.instant, (c) => c.notNull())
          .addColumn('leased_until', column.instant, (c) => c.notNull())
          .execute();
      },
    },
    {
      name: '0005-arrived-owed',
      up: async ({ db, column }) => {
        await db.schema.alterTable('arrived').addColumn('owed', column.text).execute();
      },
    },
    { name: '0006-leases', up: async ({ db }) => void (await db.schema.dropTable('moving_turns').execute()) },
  ],
  // How far an import has come is no change of content.
  quiet: ['sent_files', 'arrived_keys'],
};

/** What is known of where a record came from goes with it. */
export function forgetArrived(posts: Pick<Posts, 'parting'>): void {
  posts.parting(async (tx, { id }) => {
    const moving = tx as unknown as Writing;
    await moving.deleteFrom('arrived').where('post_id', '=', id).execute();
    await moving.deleteFrom('arrived_keys').where('post_id', '=', id).execute();
  });
}
