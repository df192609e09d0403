// What is kept of what was logged: the entries, what kinds of them there are, and how many of each kind there were each day.
import { sql, type Transaction } from 'kysely';
import type { DailyCountTables } from '#site/platform/daily-counts.ts';
import type { Instant } from '#store/columns.ts';
import type { AnyTables, Reads } from '#store/handles.ts';
import type { SchemaChange, TableOwner } from '#store/migrate.ts';
import type { Entry } from './entry.ts';

/** What nobody looks for. It lies apart: whoever looks through all entries reads half as much, however long it is. */
type Unsought = Pick<Entry, 'parent_id' | 'data' | 'memory_current' | 'memory_peak'>;

export interface LogTables extends DailyCountTables {
  secsuite_logs: Omit<Entry, keyof Unsought> & {
    /** Its module, the head of its code and its type, as one number. */
    readonly kind: number;
  };
  secsuite_logs_data: Unsought & {
    /** Of the entry. */
    readonly id: number;
    /** Its place in the chain, and its keyed hash; null for entries from before there was a chain. */
    readonly seq: number | null;
    readonly seal: string | null;
  };
  secsuite_log_chain: ChainRow;
  /** One row for each day and IP address, as a keyed hash, from which something was logged. */
  secsuite_log_addresses: { address: string; day: string };
  secsuite_log_kinds: { id: number; module: string; head: string; type: string };
  /** The only row: when retention ran last, and since when it deletes nothing because the clock jumped. */
  secsuite_log_retention: { id: number; ran_at: Instant; waits_since: Instant | null };
}

/** All that an entry is. */
export const entryColumns = [
  'secsuite_logs.id',
  'parent_id',
  'module',
  'code',
  'type',
  'data',
  'created_at',
  'started_at',
  'memory_current',
  'memory_peak',
  'url',
  'site',
  'user_id',
  'remote_ip',
] as const;

/** The only row: how far the chain goes, and where the entries that are still there begin. */
export interface ChainRow {
  readonly id: number;
  readonly last_seq: number;
  readonly started_at: Instant;
  /** The last entry that was deleted by retention, or that was there before the chain. */
  readonly base_id: number;
  readonly base_seq: number;
  readonly base_seal: string;
  /** Retention deleted entries that are older than this; empty if it deleted none yet. */
  readonly deleted_before: string;
  /** Keyed hash over all of these but `last_seq`. */
  readonly base_hash: string;
}

/** How many entries of this kind each user caused is counted by the day under this name. */
export const totalOf = (kind: number): string => `secsuite-log ${kind}`;

/** The names of all kinds. */
export const totalsOf = (db: Pick<Reads<LogTables>, 'selectFrom'>) =>
  db.selectFrom('secsuite_log_kinds').select(sql<string>`'secsuite-log ' || id`.as('name'));

/** Nobody keeps an answer that rests on them, so nobody hears of their writes. */
export const quietLogTables = [
  'secsuite_logs',
  'secsuite_logs_data',
  'secsuite_log_kinds',
  'secsuite_log_addresses',
  'secsuite_log_chain',
  'secsuite_log_retention',
];

/**
 * Counted again when a backup is restored: entries may have been left out of it. Until daily counts came into one table these had a table
 * of their own, which no archive holds.
 */
export const derivedLogTables = { secsuite_log_totals: countAll } satisfies TableOwner['derived'];

async function countAll(tx: Transaction<AnyTables>): Promise<void> {
  await sql`delete from daily_counts where name like 'secsuite-log %'`.execute(tx);
  await sql`insert into daily_counts (name, day, subject, count)
    select 'secsuite-log ' || kind, substr(created_at, 1, 10), cast(user_id as text), count(*)
    from secsuite_logs group by 1, 2, 3`.execute(tx);
}

export const logMigrations: TableOwner['migrations'] = [
  { name: '0001-suite-logs', up: (change) => makeTables(change) },
  { name: '0002-suite-log-days', up: (change) => moveTotals(change) },
  { name: '0003-suite-log-addresses', up: (change) => makeAddresses(change) },
  { name: '0004-suite-log-chain', up: (change) => makeChain(change) },
  { name: '0005-suite-log-retention', up: (change) => makeRetention(change) },
];

async function makeRetention({ table, column }: SchemaChange): Promise<void> {
  await table('secsuite_log_retention')
    .addColumn('id', column.integer, (c) => c.primaryKey())
    .addColumn('ran_at', column.instant, (c) => c.notNull())
    .addColumn('waits_since', column.instant)
    .execute();
}

/** The first entry that is written makes the row: a migration has no key. */
async function makeChain({ db, table, column }: SchemaChange): Promise<void> {
  await db.schema.alterTable('secsuite_logs_data').addColumn('seq', column.integer).execute();
  await db.schema.alterTable('secsuite_logs_data').addColumn('seal', column.text).execute();
  await table('secsuite_log_chain')
    .addColumn('id', column.integer, (c) => c.primaryKey())
    .addColumn('last_seq', column.integer, (c) => c.notNull())
    .addColumn('started_at', column.instant, (c) => c.notNull())
    .addColumn('base_id', column.integer, (c) => c.notNull())
    .addColumn('base_seq', column.integer, (c) => c.notNull())
    .addColumn('base_seal', column.text, (c) => c.notNull())
    .addColumn('deleted_before', column.text, (c) => c.notNull())
    .addColumn('base_hash', column.text, (c) => c.notNull())
    .execute();
}

async function makeTables(change: SchemaChange): Promise<void> {
  await makeEntries(change);
  await makeIndexes(change);
  const { table, column } = change;
  await table('secsuite_log_kinds')
    .addColumn('id', column.id)
    .addColumn('module', column.text, (c) => c.notNull())
    .addColumn('head', column.text, (c) => c.notNull())
    .addColumn('type', column.text, (c) => c.notNull())
    .addUniqueConstraint('secsuite_log_kinds_of', ['module', 'head', 'type'])
    .execute();
  await table('secsuite_log_totals')
    .addColumn('day', column.text, (c) => c.notNull())
    .addColumn('kind', column.integer, (c) => c.notNull())
    .addColumn('user_id', column.integer, (c) => c.notNull())
    .addColumn('entries', column.integer, (c) => c.notNull())
    .addPrimaryKeyConstraint('secsuite_log_totals_key', ['day', 'kind', 'user_id'])
    .execute();
}

async function moveTotals({ db }: SchemaChange): Promise<void> {
  await sql`insert into daily_counts (name, day, subject, count)
    select 'secsuite-log ' || kind, day, cast(user_id as text), entries from secsuite_log_totals`.execute(db);
  await db.schema.dropTable('secsuite_log_totals').execute();
}

async function makeAddresses({ db, table, column }: SchemaChange): Promise<void> {
  await table('secsuite_log_addresses')
    .addColumn('address', column.text, (c) => c.notNull())
    .addColumn('day', column.text, (c) => c.notNull())
    .addPrimaryKeyConstraint('secsuite_log_addresses_key', ['address', 'day'])
    .execute();
  await db.schema
    .createIndex('secsuite_log_addresses_by_day')
    .on('secsuite_log_addresses')
    .columns(['day', 'address'])
    .execute();
  await sql`insert into secsuite_log_addresses (address, day)
    select distinct remote_ip, substr(created_at, 1, 10) from secsuite_logs where remote_ip <> ''`.execute(db);
  await sql`insert into daily_counts (name, day, subject, count)
    select 'secsuite-address-gaps', day, before, count(*) from (
      select day, coalesce(lag(day) over (partition by address order by day), '') as before from secsuite_log_addresses
    ) as days group by day, before`.execute(db);
  for (const [event, module, head, type] of eventsOfKinds)
    await sql`insert into daily_counts (name, day, subject, count)
      select 'secsuite-events', day, ${event}, sum(count) from daily_counts where name in (
        select 'secsuite-log ' || id from secsuite_log_kinds
        where module = ${module} and head = ${head} and (type = ${type} or ${type} = '')
      ) group by day
      on conflict (name, day, subject) do update set count = daily_counts.count + excluded.count`.execute(db);
}

/** Entries that were kept before events were counted count as well, as far as their kinds tell. */
const eventsOfKinds = [
  ['local-brute-force', 'brute_force', 'invalid-login', ''],
  ['local-brute-force', 'brute_force', 'auto-ban-admin-username', ''],
  ['network-brute-force', 'ipcheck', 'failed-login-by-blocked-ip', ''],
  ['network-brute-force', 'ipcheck', 'successful-login-by-blocked-ip', ''],
  ['lockout-host', 'lockout', 'host-lockout', ''],
  ['lockout-user', 'lockout', 'user-lockout', ''],
  ['lockout-username', 'lockout', 'username-lockout', ''],
  ['firewall-block', 'firewall', 'BLOCK', 'action'],
] as const;

async function makeEntries({ table, column }: SchemaChange): Promise<void> {
  await table('secsuite_logs')
    .addColumn('id', column.id)
    .addColumn('kind', column.integer, (c) => c.notNull())
    .addColumn('user_id', column.integer, (c) => c.notNull())
    .addColumn('site', column.integer, (c) => c.notNull())
    .addColumn('created_at', column.instant, (c) => c.notNull())
    .addColumn('remote_ip', column.text, (c) => c.notNull())
    .addColumn('url', column.text, (c) => c.notNull())
    .addColumn('code', column.text, (c) => c.notNull())
    .addColumn('module', column.text, (c) => c.notNull())
    .addColumn('type', column.text, (c) => c.notNull())
    .addColumn('started_at', column.instant, (c) => c.notNull())
    .execute();
  await table('secsuite_logs_data')
    .addColumn('id', column.integer, (c) => c.primaryKey())
    .addColumn('parent_id', column.integer, (c) => c.notNull())
    .addColumn('memory_current', column.integer, (c) => c.notNull())
    .addColumn('memory_peak', column.integer, (c) => c.notNull())
    .addColumn('data', column.json, (c) => c.notNull())
    .execute();
}

/**
 * Indexed alone and in pairs: module, the head of the code and the type with one another, with the user, the address and the time;
 * the user with the address and the time; the address with the time; the whole code with the time. What an index does not lead to
 * stands in it all the same, so that it alone answers, and counts.
 */
const indexes = {
  time: ['created_at', 'id', 'remote_ip', 'url', 'kind', 'user_id', 'code'],
  kind: ['kind', 'created_at', 'id', 'user_id', 'remote_ip'],
  user: ['user_id', 'kind', 'created_at', 'id', 'remote_ip'],
  address: ['remote_ip', 'kind', 'created_at', 'id', 'user_id'],
  code: ['code', 'created_at', 'id', 'kind', 'user_id', 'remote_ip'],
} as const;

async function makeIndexes({ db }: SchemaChange): Promise<void> {
  for (const [name, columns] of Object.entries(indexes))
    await db.schema
      .createIndex(`secsuite_logs_by_${name}`)
      .on('secsuite_logs')
      .columns([...columns])
      .execute();
}
