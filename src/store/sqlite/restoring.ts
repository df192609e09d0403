// One restore at a time, and nobody opens the database meanwhile: a lock on an empty file beside it, which ends with the process.
import { closeSync, openSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { RestoreLock } from '../engine.ts';
import { makeFolder } from '../folder.ts';
import { Connection } from './connection.ts';
import { isBusy } from './failures.ts';
import { isBarred } from './in-use.ts';
import { sentence } from './open.ts';

const fileOf = (database: string): string => `${database}-restoring`;

/** Longer than somebody needs who only looks whether it is held. */
const WAIT = 500;

/** Nothing when somebody else holds it. */
export function lockFile(database: string): RestoreLock | undefined {
  const file = fileOf(database);
  try {
    makeFolder(dirname(file));
    for (;;) {
      const held = lockedOnce(file);
      if (held !== 'gone') return held;
    }
  } catch (error) {
    throw sentence(error, file);
  }
}

/** Who held it before takes the file away, so that a lock may be had on one that nobody finds any more: that is none. */
function lockedOnce(file: string): RestoreLock | undefined | 'gone' {
  const before = numberOf(file) ?? made(file);
  const connection = new Connection(file, { wait: WAIT });
  try {
    connection.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    connection.close();
    if (isBusy(error)) return undefined;
    throw error;
  }
  if (numberOf(file) === before) return lockOf(file, connection);
  connection.close();
  return 'gone';
}

const lockOf = (file: string, connection: Connection): RestoreLock => ({
  isHeld: async () => connection.inTransaction,
  release: async () => {
    rmSync(file, { force: true });
    connection.close();
  },
});

const numberOf = (file: string): bigint | undefined => statSync(file, { bigint: true, throwIfNoEntry: false })?.ino;

// Never opened like this once it is there: to close it would end a lock of this process.
function made(file: string): bigint | undefined {
  closeSync(openSync(file, 'a', 0o600));
  return numberOf(file);
}

export function isBeingRestored(database: string): boolean {
  const file = fileOf(database);
  if (numberOf(file) === undefined) return false;
  try {
    return isBarred(file, { alone: false });
  } catch (error) {
    if (numberOf(file) === undefined) return false; // it was taken away just now
    throw sentence(error, file);
  }
}
