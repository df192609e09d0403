// Whether requests left a trace in what is stored, asked of the database itself and not of the site. Whether anything was
// written at all takes no time to tell; only then is all of what is stored read, as it was and as it is.
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import type { TestEngine } from '#test/databases.ts';
import type { TestSite } from '#test/site.ts';
import { fileOf } from '../../src/store/store.ts';

export interface Traces {
  /** From here on, what is written counts. */
  begin(): Promise<void>;
  /** Whether anything was written; perhaps what was there before. */
  isWritten(): Promise<boolean>;
  /** The tables that are not as they were, and how; nothing when all are. */
  changed(): Promise<string>;
}

export const tracesOf = (engine: TestEngine, site: TestSite): Promise<Traces> =>
  engine.name === 'sqlite' ? inFile(engine, fileOf(site.config)) : onServer(engine, site.config.database!);

/** The rows of a table, each as a text. */
type Rows = (table: string) => Promise<readonly string[]>;

/** They keep requests themselves, refused ones too: those that firewall rules are tried on, and the log, which is written later. */
const ofRequests = /^(?:secsuite_(?:request_shapes|log\w+)|daily_counts)$/;

async function changedIn(tables: Iterable<string>, before: Rows, now: Rows): Promise<string> {
  const told: string[] = [];
  for (const table of tables) {
    if (ofRequests.test(table)) continue;
    const [old, found] = [await before(table), await now(table)];
    if (JSON.stringify(old) === JSON.stringify(found)) continue;
    const [was, is] = [new Set(old), new Set(found)];
    const gone = old.filter((row) => !is.has(row)).map((row) => `\n- ${row.slice(0, 250)}`);
    const come = found.filter((row) => !was.has(row)).map((row) => `\n+ ${row.slice(0, 250)}`);
    told.push(`${table}: ${old.length} rows, now ${found.length}${[...gone, ...come].slice(0, 4).join('')}`);
  }
  return told.join('\n');
}

/** Where SQLite keeps what is searched: under numbers that JavaScript does not have, and with an index that says no more. */
const searchData = /_(?:search|words)_data$/;
const searchIndex = /_(?:search|words)_idx$/;

/** SQLite counts what other connections commit; one that began to read before goes on seeing what was there. */
async function inFile(engine: TestEngine, file: string): Promise<Traces> {
  const [before, now] = [new DatabaseSync(file, { readOnly: true }), new DatabaseSync(file, { readOnly: true })];
  engine.atEnd(async () => {
    before.close();
    now.close();
  });
  const listed = now.prepare(
    String.raw`select name from sqlite_schema where type = 'table' and name not like 'sqlite\_%' escape '\'`,
  );
  const tables = listed.all().map(({ name }) => String(name));
  const rowsOf =
    (database: DatabaseSync): Rows =>
    async (table) => {
      const rows = database.prepare(`select ${searchData.test(table) ? 'block' : '*'} from "${table}"`).all();
      return rows.map((row) => JSON.stringify(row));
    };
  const version = now.prepare('pragma data_version');
  let known: unknown;
  const count = (): unknown => version.get()?.data_version;
  return {
    begin: async () => {
      if (before.isTransaction) before.exec('commit');
      known = count(); // what is committed between this and the next line is seen, and counts: it is not found to differ
      before.exec('begin; select count(*) from sqlite_schema');
    },
    isWritten: async () => count() !== known,
    changed: () =>
      changedIn(
        tables.filter((name) => !searchIndex.test(name)),
        rowsOf(before),
        rowsOf(now),
      ),
  };
}

/** Each statement that writes is noted with its table, and is to be seen when it is committed. */
const noting = `
  create schema noting;
  create table noting.written (name text not null);
  create function noting.note() returns trigger language plpgsql as
    'begin insert into noting.written values (tg_table_name); return null; end';
  do $$ declare name text; begin
    for name in select tablename from pg_tables where schemaname = current_schema() loop
      execute format('create trigger noted after insert or update or delete or truncate on %I
        for each statement execute function noting.note()', name);
    end loop;
  end $$`;

async function onServer(engine: TestEngine, url: string): Promise<Traces> {
  const [before, now] = [new pg.Client({ connectionString: url }), new pg.Client({ connectionString: url })];
  engine.atEnd(() => Promise.all([before.end(), now.end()]));
  await Promise.all([before.connect(), now.connect()]);
  await now.query(noting);
  await before.query('begin');
  const rowsOf =
    (client: pg.Client): Rows =>
    async (table) =>
      (await client.query(`select t::text as row from ${pg.escapeIdentifier(table)} t`)).rows.map(({ row }) => row);
  const tables = new Set<string>();
  const note = async (): Promise<void> => {
    for (const { name } of (await now.query('delete from noting.written returning name')).rows) tables.add(name);
  };
  return {
    begin: async () => {
      await note();
      tables.clear();
      await before.query('commit; begin isolation level repeatable read read only; select 1');
    },
    isWritten: async () => {
      await note();
      return tables.size > 0;
    },
    changed: () => changedIn(tables, rowsOf(before), rowsOf(now)),
  };
}
