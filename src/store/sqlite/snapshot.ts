// One consistent view of a SQLite database for backups and restores, and the copy that is saved before a migration.
import { closeSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { CompiledQuery } from 'kysely';
import type { Row, Run, Shape, View } from '../engine.ts';
import { pointsAtNothing } from '../problem.ts';
import { Connection } from './connection.ts';
import { translate } from './failures.ts';

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** On a connection of its own: the log of the database grows meanwhile, and nobody waits. */
export async function inSnapshot<R>(path: string, work: (view: View) => Promise<R>): Promise<R> {
  const connection = new Connection(path, { readOnly: true, wait: 5000 });
  try {
    connection.exec('PRAGMA query_only=ON; PRAGMA trusted_schema=OFF; BEGIN');
    const run: Run = async (query) => translated(() => connection.run(query));
    return await work({
      run,
      rows: (table) => rowsOf(connection, table),
      highest: async (table) => highestOf(run, table),
    });
  } finally {
    connection.close();
  }
}

function translated<R>(work: () => R): R {
  try {
    return work();
  } catch (error) {
    throw translate(error);
  }
}

async function* rowsOf(connection: Connection, { name, columns }: Shape): AsyncIterable<Row> {
  const names = columns.map((column) => quoted(column.name)).join(', ');
  try {
    yield* connection.each(`select ${names} from ${quoted(name)}`);
  } catch (error) {
    throw translate(error);
  }
}

async function highestOf(run: Run, table: string): Promise<number> {
  const { rows } = await run(CompiledQuery.raw('select seq from sqlite_sequence where name = ?', [table]));
  return (rows[0] as { seq: number } | undefined)?.seq ?? 0;
}

/** Rows that are written under explicit numbers move the sequence by themselves, but never back down. */
export async function startAbove(run: Run, table: string, highest: number): Promise<void> {
  const text = 'update sqlite_sequence set seq = max(seq, ?) where name = ? returning seq';
  if ((await run(CompiledQuery.raw(text, [highest, table]))).rows.length > 0) return;
  await run(CompiledQuery.raw('insert into sqlite_sequence (name, seq) values (?, ?)', [table, highest]));
}

export async function loosely(run: Run, work: () => Promise<void>): Promise<void> {
  await run(CompiledQuery.raw('PRAGMA defer_foreign_keys=ON'));
  await work();
  const [dangling] = (await run(CompiledQuery.raw('PRAGMA foreign_key_check'))).rows as { table: string }[];
  if (dangling !== undefined) throw pointsAtNothing(dangling.table);
}

/**
 * Saves what is committed now beside the database, under the moment's name, and waits until the disk has it. It appears under its
 * name only when it is whole.
 */
export function saveCopy(path: string, now: Date): string {
  const copy = `${path.replace(/\.db$/, '')}-before-migration-${now.toISOString().replaceAll(':', '')}.db`;
  const unfinished = `${copy}.unfinished`;
  try {
    closeSync(openSync(unfinished, 'wx', 0o600)); // the mode the database has; VACUUM INTO takes an empty file
    vacuumInto(path, unfinished);
    flush(unfinished);
    renameSync(unfinished, copy);
    flush(dirname(path));
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw error;
  }
  return copy;
}

function vacuumInto(path: string, target: string): void {
  const source = new Connection(path, { readOnly: true, wait: 1000 });
  try {
    source.rows('VACUUM INTO ?', target);
  } finally {
    source.close();
  }
}

function flush(path: string): void {
  const file = openSync(path, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
