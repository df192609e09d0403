// Databases whose tables are made once in a test run; a test site begins with a copy of them.
import { createHash } from 'node:crypto';
import { chmodSync, copyFileSync, existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { allMigrations, type TableOwner } from '#store/migrate.ts';
import { fileOf, migrateStore } from '#store/store.ts';

const silent = { info: () => {}, warn: () => {}, error: () => {} };

const keyOf = (tables: readonly TableOwner[]): string =>
  createHash('sha256')
    .update(JSON.stringify(allMigrations(tables)))
    .digest('hex')
    .slice(0, 16);

/** Makes a folder a data folder whose database has these tables. */
export async function copyPrepared(data: string, tables: readonly TableOwner[]): Promise<void> {
  copyFileSync(await preparedFile(tables), fileOf({ data }));
}

let ownFolder: string | undefined;

/** The runner's, or one that ends with this process. */
function folder(): string {
  const given = process.env.GATEHOUSE_TEST_PREPARED;
  if (given !== undefined) return given;
  if (ownFolder === undefined) {
    const made = mkdtempSync(join(tmpdir(), 'gatehouse-prepared-'));
    process.once('exit', () => rmSync(made, { recursive: true, force: true }));
    ownFolder = made;
  }
  return ownFolder;
}

async function preparedFile(tables: readonly TableOwner[]): Promise<string> {
  const file = join(folder(), `${keyOf(tables)}.db`);
  if (existsSync(file)) return file;
  const data = mkdtempSync(join(folder(), 'making-'));
  await migrateStore({ data, tables, log: silent });
  chmodSync(fileOf({ data }), 0o600);
  // Two processes that make the same one at once replace each other's whole file.
  renameSync(fileOf({ data }), file);
  rmSync(data, { recursive: true });
  return file;
}

/** The name of a database on this server that others are copies of. */
export async function preparedDatabase(server: string, tables: readonly TableOwner[]): Promise<string> {
  const name = `prepared_${keyOf(tables)}`;
  made.set(name, made.get(name) ?? prepare(server, name, tables));
  await made.get(name);
  return name;
}

const made = new Map<string, Promise<void>>();
/** Any number that tests do not lock otherwise. */
const lock = 7_203_411;

async function prepare(server: string, name: string, tables: readonly TableOwner[]): Promise<void> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [lock]);
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [name]);
    if (rowCount !== 0) return;
    const making = `${name}_making`;
    await client.query(`drop database if exists ${making}`);
    await client.query(`create database ${making}`);
    const database = new URL(server);
    database.pathname = `/${making}`;
    await migrateStore({ data: tmpdir(), database: database.href, tables, log: silent });
    await client.query(`alter database ${making} rename to ${name}`);
  } finally {
    await client.end();
  }
}
