import { closeSync, fsyncSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeFolder } from '../folder.ts';
import { StoreProblem } from '../problem.ts';
import { Connection } from './connection.ts';
import { codeOf, isBusy } from './failures.ts';

/** `Gate`, kept in the file's header: it tells our file from another program's. */
const OURS = 0x47617465;

// FULL waits for the disk at every commit; fullfsync makes a Mac's disk really write. LIKE minds capitals, as PostgreSQL's does.
const ALWAYS =
  'PRAGMA synchronous=FULL; PRAGMA fullfsync=ON; PRAGMA checkpoint_fullfsync=ON; PRAGMA foreign_keys=ON; PRAGMA case_sensitive_like=ON; PRAGMA trusted_schema=OFF; PRAGMA temp_store=MEMORY;';

export interface Connections {
  readonly writer: Connection;
  readonly reader: Connection;
}

/** Opens the file, making it when it is not there. Nothing is written into a file that is not ours. */
export function openFile(path: string): Connections {
  try {
    makePlace(path);
    const writer = openWriter(path);
    return { writer, reader: openReader(path, writer) };
  } catch (error) {
    throw sentence(error, path);
  }
}

function makePlace(path: string): void {
  makeFolder(dirname(path));
  if (statSync(path, { throwIfNoEntry: false })) return;
  closeSync(openSync(path, 'a', 0o600)); // SQLite takes an empty file for a new database, and its mode for the files beside it
  const folder = openSync(dirname(path), 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

function openWriter(path: string): Connection {
  const writer = new Connection(path, { wait: 1000 });
  try {
    refuseForeign(writer, path);
    writer.exec(`${ALWAYS} PRAGMA journal_mode=WAL; PRAGMA journal_size_limit=67108864;`);
    if (writer.pragma('journal_mode') !== 'wal') {
      const fault = `The database ${path} cannot use a write-ahead log`;
      throw new StoreProblem(fault, 'move the data folder to a local disk');
    }
    writer.exec('PRAGMA busy_timeout=10'); // from here on the write group does the waiting
    refuseReadOnly(writer);
    return writer;
  } catch (error) {
    writer.close();
    throw error;
  }
}

// SQLite opens a file that may only be read all the same, and refuses what writes, which BEGIN IMMEDIATE does not.
function refuseReadOnly(writer: Connection): void {
  try {
    writer.exec(`BEGIN IMMEDIATE; PRAGMA application_id=${OURS}; ROLLBACK`);
  } catch (error) {
    if (!isBusy(error)) throw error; // another process writes it just now, so it can be written
  }
}

function openReader(path: string, writer: Connection): Connection {
  try {
    const reader = new Connection(path, { wait: 1000 });
    reader.exec(`${ALWAYS} PRAGMA query_only=ON; PRAGMA cache_size=-16000;`);
    return reader;
  } catch (error) {
    writer.close();
    throw error;
  }
}

// Tables first, mark second: whoever makes this database at the same moment marks it before its first table.
function refuseForeign(writer: Connection, path: string): void {
  const tables = writer.rows("SELECT count(*) AS n FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%'")[0]?.n;
  const mark = writer.pragma('application_id');
  if (mark === OURS) return;
  if (mark !== 0 || tables !== 0) {
    throw new StoreProblem(`The database ${path} belongs to another program`, 'name another data folder');
  }
  writer.exec(`PRAGMA application_id=${OURS}`);
}

type Told = readonly [fault: string, remedy: string];

const SENTENCES: Record<number, (path: string) => Told> = {
  3: (path) => [`The database ${path} is not readable`, 'allow this system user to read and write it'],
  8: (path) => [`The database ${path} is not writable`, 'allow this system user to write the file and its folder'],
  10: (path) => [`The disk that holds ${path} reports errors`, 'check the disk'],
  11: (path) => [`The database ${path} is damaged and was not changed`, 'restore the last good copy'],
  13: (path) => [`The disk that holds ${path} is full`, 'free some space and start again'],
  14: (path) => [
    `The database ${path} cannot be opened`,
    'allow this system user to read and write the file and its folder',
  ],
  26: (path) => [
    `The file ${path} is not a database`,
    'restore the last good copy, or move the file away to start with an empty site',
  ],
};

const FOLDER_SENTENCES: Record<string, Told> = {
  EACCES: ['this system user cannot write there', 'change its owner or name another folder'],
  EPERM: ['this system user cannot write there', 'change its owner or name another folder'],
  EROFS: ['the disk is read-only', 'name another folder'],
  ENOSPC: ['the disk is full', 'free some space and start again'],
  ENOENT: ['a folder cannot be created there', 'name another folder'],
  ENOTDIR: ['a part of the path is a file', 'name another folder'],
  EEXIST: ['a file has that name', 'name another folder'],
};

/** One plain sentence for whatever kept the file from being opened. */
export function sentence(error: unknown, path: string): unknown {
  if (error instanceof StoreProblem) return error;
  const [fault, remedy] = told(error, path) ?? [];
  return fault && remedy ? new StoreProblem(fault, remedy, { cause: error }) : error;
}

function told(error: unknown, path: string): Told | undefined {
  if (isBusy(error)) return [`The database ${path} is in use by another program`, 'stop that program and start again'];
  const code = codeOf(error);
  if (code !== undefined) return SENTENCES[code & 0xff]?.(path);
  const folder = FOLDER_SENTENCES[String((error as NodeJS.ErrnoException | undefined)?.code)];
  return folder && [`The data folder ${dirname(path)} cannot be used: ${folder[0]}`, folder[1]];
}
