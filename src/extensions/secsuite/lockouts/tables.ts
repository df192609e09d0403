// What is kept of lockouts, and of what leads to them and out of them.
import { type Generated, sql } from 'kysely';
import { minute } from '#lib/spans.ts';
import type { DailyCountTables } from '#site/platform/daily-counts.ts';
import { type Flag, type Instant, instant, type JsonText } from '#store/columns.ts';
import type { Migration, SchemaChange } from '#store/migrate.ts';

export interface LockoutTables extends DailyCountTables {
  secsuite_lockouts: LockoutsTable;
  /** What is counted: one for each subject of each attempt. Forgotten after a day. */
  secsuite_lockout_events: { id: Generated<number>; type: string; subject: string; at: Instant };
  /** How far somebody came: with the changes of lockouts, and with counting them. */
  secsuite_lockout_marks: { name: 'change' | 'counted'; value: number };
  /** Who is not locked out from there for a while: they came by such a link. `address`: of IPv6 the /64. */
  secsuite_lockouts_spared: { user_id: number; address: string; until: Instant };
}

interface LockoutsTable {
  id: Generated<number>;
  /** The reason, by name. */
  type: string;
  start: Instant;
  /** In 1970, where it met somebody who is always let in. */
  expire: Instant;
  /** One of these three. */
  host: string | null;
  /** What is kept out with the address: itself, or of IPv6 its /64. */
  subnet: string | null;
  user_id: number | null;
  /** As it was typed; nobody goes by it. */
  username: string | null;
  /** Not any more, once it is released. */
  active: Flag;
  /** What led to it. */
  context: JsonText;
  /** Counts what happens to lockouts, so that other processes read what is new to them. */
  change: number;
}

export const lockoutMigrations: readonly Migration[] = [
  { name: '0001-suite-lockouts', up: (change) => makeTables(change) },
  { name: '0002-suite-unlock-tokens', up: (change) => moveUnlockLinks(change) },
  { name: '0003-suite-lockout-days', up: (change) => moveDays(change) },
];

async function makeTables(change: SchemaChange): Promise<void> {
  await makeLockouts(change);
  const { table, column } = change;
  await table('secsuite_lockout_days')
    .addColumn('day', column.text, (c) => c.notNull())
    .addColumn('host', column.text, (c) => c.notNull())
    .addColumn('lockouts', column.integer, (c) => c.notNull())
    .addPrimaryKeyConstraint('secsuite_lockout_days_key', ['day', 'host'])
    .execute();
  await table('secsuite_lockout_marks')
    .addColumn('name', column.text, (c) => c.primaryKey())
    .addColumn('value', column.integer, (c) => c.notNull())
    .execute();
  await table('secsuite_unlock_links')
    .addColumn('hash', column.text, (c) => c.primaryKey())
    .addColumn('user_id', column.integer, (c) => c.notNull())
    .addColumn('created_at', column.instant, (c) => c.notNull())
    .addColumn('used', column.flag, (c) => c.notNull())
    .execute();
  await table('secsuite_lockouts_spared')
    .addColumn('user_id', column.integer, (c) => c.notNull())
    .addColumn('address', column.text, (c) => c.notNull())
    .addColumn('until', column.instant, (c) => c.notNull())
    .addPrimaryKeyConstraint('secsuite_lockouts_spared_key', ['user_id', 'address'])
    .execute();
}

/** The life of an unlock link when links had a table of their own. */
const formerLinkLife = 30 * minute;

/** Links that were sent before the update stay valid. Used ones still count towards the limit of the hour. */
async function moveUnlockLinks({ db }: SchemaChange): Promise<void> {
  const links = await db
    .selectFrom('secsuite_unlock_links')
    .selectAll()
    .where('user_id', 'in', db.selectFrom('users').select('id'))
    .execute();
  for (const { user_id, hash, created_at, used } of links) {
    const until = instant(new Date(Date.parse(String(created_at)) + formerLinkLife));
    const token = { purpose: 'unlock', user_id, hash, payload: null, created_at, until, used };
    await db.insertInto('one_time_tokens').values(token).execute();
  }
  await db.schema.dropTable('secsuite_unlock_links').execute();
}

/** How often each address was locked out is counted by the day under this name, of the lockouts up to the mark `counted`. */
export const lockoutDays = 'secsuite-lockouts';

async function moveDays({ db }: SchemaChange): Promise<void> {
  await sql`insert into daily_counts (name, day, subject, count)
    select ${lockoutDays}, substr(day, 1, 10), host, lockouts from secsuite_lockout_days`.execute(db);
  await db.schema.dropTable('secsuite_lockout_days').execute();
}

async function makeLockouts({ db, table, column }: SchemaChange): Promise<void> {
  await table('secsuite_lockouts')
    .addColumn('id', column.id)
    .addColumn('type', column.text, (c) => c.notNull())
    .addColumn('start', column.instant, (c) => c.notNull())
    .addColumn('expire', column.instant, (c) => c.notNull())
    .addColumn('host', column.text)
    .addColumn('subnet', column.text)
    .addColumn('user_id', column.integer)
    .addColumn('username', column.text)
    .addColumn('active', column.flag, (c) => c.notNull())
    .addColumn('context', column.json, (c) => c.notNull())
    .addColumn('change', column.integer, (c) => c.notNull())
    .execute();
  await table('secsuite_lockout_events')
    .addColumn('id', column.id)
    .addColumn('type', column.text, (c) => c.notNull())
    .addColumn('subject', column.text, (c) => c.notNull())
    .addColumn('at', column.instant, (c) => c.notNull())
    .execute();
  const index = (on: string, name: string, columns: string[]) =>
    db.schema.createIndex(`${on}_by_${name}`).on(on).columns(columns).execute();
  await index('secsuite_lockouts', 'subnet', ['subnet', 'expire']);
  await index('secsuite_lockouts', 'user', ['user_id', 'expire']);
  await index('secsuite_lockouts', 'username', ['username', 'expire']);
  await index('secsuite_lockouts', 'start', ['active', 'start', 'id']);
  await index('secsuite_lockouts', 'expire', ['expire']);
  await index('secsuite_lockouts', 'change', ['change']);
  await index('secsuite_lockout_events', 'subject', ['type', 'subject', 'at']);
  await index('secsuite_lockout_events', 'age', ['at']);
}

/** No answer that is kept rests on them, and nobody waits for word of them. */
export const quietLockoutTables: readonly (keyof LockoutTables)[] = [
  'secsuite_lockout_events',
  'secsuite_lockout_marks',
];
