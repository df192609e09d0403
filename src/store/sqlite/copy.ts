import { closeSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { Connection } from './connection.ts';

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
