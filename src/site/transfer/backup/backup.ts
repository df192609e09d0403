// A site as it is at one moment, written into one archive: its rows first, then its files. A file that a row speaks of was there
// before the row, so it is found unless it was erased since.
import { slugOf } from '#store/packaged.ts';
import type { Snapshot } from '#store/snapshot.ts';
import { Changed, type Entry, type Files, type Opened } from '../../files/files.ts';
import type { End, FileEntry, Manifest, TableEntry } from './format.ts';
import { ArchiveWriter, type Sink } from './writer.ts';

interface BackupOptions {
  /** Runs the work on the database as it is now. */
  readonly snapshot: <R>(work: (snapshot: Snapshot) => Promise<R>) => Promise<R>;
  /** Why tables of packages are not in it, by their owners. */
  readonly absent?: ReadonlyMap<string, string>;
  /** Nothing: the archive is without files. */
  readonly files?: Files | undefined;
  readonly version: string;
  readonly now: Date;
  readonly sink: Sink;
  /** Something the person should know. */
  note(line: string): void;
  /** So many rows and bytes of files are in it by now. */
  progress?(rows: number, bytes: number): void;
}

interface Written {
  readonly manifest: Manifest;
  readonly end: End;
}

export async function backUp(options: BackupOptions): Promise<Written> {
  const writer = new ArchiveWriter(options.sink);
  const manifest = await options.snapshot((snapshot) => writeRows(writer, snapshot, options));
  if (options.files !== undefined) await writeFiles(writer, options.files, options);
  return { manifest, end: await writer.end() };
}

/** Where each database has its own; a new one makes them itself. */
export const notKept = new Set(['changes', 'migrations']);

async function writeRows(writer: ArchiveWriter, snapshot: Snapshot, options: BackupOptions): Promise<Manifest> {
  for (const owner of snapshot.strangers) options.note(absence(owner, options));
  const tables: TableEntry[] = [];
  const shapes = snapshot.tables.filter(({ name }) => !notKept.has(name));
  for (const shape of shapes) tables.push({ ...shape, highest: await snapshot.highest(shape) });
  const manifest: Manifest = {
    version: options.version,
    created_at: options.now.toISOString(),
    engine: snapshot.engine,
    migrations: snapshot.migrations.map(({ owner, name }) => `${owner}/${name}`),
    tables,
    media: options.files !== undefined,
  };
  await writer.begin(manifest);
  let rows = 0;
  const counted = () => {
    rows += 1;
    if (rows % 1000 === 0) options.progress?.(rows, 0);
  };
  for (const [at, table] of tables.entries()) await writer.table(table, counting(snapshot.rows(shapes[at]!), counted));
  options.progress?.(rows, 0);
  return manifest;
}

function absence(owner: string, { absent }: BackupOptions): string {
  const slug = slugOf(owner);
  if (slug === undefined)
    return `The tables of ${owner} are not in the archive, because this version of Gatehouse does not have ${owner}.`;
  const why =
    absent?.get(owner) ?? 'they are from a newer version than the installed one, or were created during the backup';
  return `The tables of the extension ${slug} are not in the archive: ${why}.`;
}

async function* counting<T>(all: AsyncIterable<T>, counted: () => void): AsyncGenerator<T> {
  for await (const one of all) {
    counted();
    yield one;
  }
}

async function writeFiles(writer: ArchiveWriter, files: Files, options: BackupOptions): Promise<void> {
  let bytes = 0;
  const passed = new Passed();
  for await (const coming of ahead(files, passed)) {
    const added = await writeFile(writer, files, coming, (more) => options.progress?.(0, bytes + more));
    if (typeof added === 'string') options.note(added);
    else bytes += added.size;
  }
  for (const line of passed.lines()) options.note(line);
}

const tries = 3;

/** What was written; or why the file is not in the archive. */
async function writeFile(
  writer: ArchiveWriter,
  files: Files,
  { path, reading }: Coming,
  progress: (bytes: number) => void,
): Promise<FileEntry | string> {
  for (let turn = 0; turn < tries; turn++) {
    const read = await (turn === 0 ? reading : files.open(path));
    if (read === undefined) return `${path} was deleted during the backup, so it is not in the archive.`;
    const file = { path, size: read.size, modified: read.modified.toISOString() };
    await writer.file(file).catch((error) => letGo(read, error));
    if (await written(writer, read, progress)) {
      await writer.whole(file);
      return file;
    }
    await writer.void();
  }
  return `${path} changed each time it was read, so it is not in the archive.`;
}

/** What was opened is closed by reading it, be it not to its end. */
async function letGo(read: Pick<Opened, 'each'>, error: unknown): Promise<never> {
  await read.each(() => Promise.reject(error)).catch(() => {});
  throw error;
}

/** Whether it was read as it was at one moment. */
async function written(writer: ArchiveWriter, read: Pick<Opened, 'each' | 'size'>, progress: (bytes: number) => void) {
  let length = 0;
  try {
    await read.each(async (piece) => {
      length += piece.length;
      await writer.content(piece);
      progress(length);
    });
  } catch (error) {
    if (error instanceof Changed) return false;
    throw error;
  }
  return length === read.size;
}

// The files of a site one after the other, the next few opened while one is written, and those that are small read.

type Read = Pick<Opened, 'size' | 'modified' | 'each'>;

/** A file with the way to its bytes; nothing when it was erased. */
interface Coming {
  readonly path: string;
  readonly reading: Promise<Read | undefined>;
}

const most = 16;
/** What is no longer is read whole before its turn; of what is longer, the beginning. */
const small = 2 ** 16;

interface Ahead extends Coming {
  readonly size: number;
  close(): Promise<void>;
}

async function* ahead(files: Files, passed: Passed): AsyncGenerator<Coming> {
  const waiting: Ahead[] = [];
  try {
    for await (const entry of files.list('', (path) => passed.add(path))) {
      waiting.push(begun(files, entry));
      // Of files that are long only one is open ahead: an object store does not wait for long.
      while (waiting.length > most || (waiting.length > 1 && waiting.at(-1)!.size > small)) yield waiting.shift()!;
    }
    while (waiting.length > 0) yield waiting.shift()!;
  } finally {
    for (const one of waiting) await one.close();
  }
}

type Take = Parameters<Opened['each']>[0];

function begun(files: Files, { path, size }: Entry): Ahead {
  const turn = Promise.withResolvers<Take>();
  turn.promise.catch(() => {}); // nobody asks for it when nothing was read
  const opening = files.open(path);
  const reading = opening.then((opened) => opened && (opened.size <= small ? readWhole(opened) : readOn(opened, turn)));
  reading.catch(() => {}); // heard of when it is its turn
  const close = async (): Promise<void> => {
    turn.reject(new Error('The backup has ended.'));
    await (await reading.catch(() => undefined))?.each(nothing).catch(nothing);
  };
  return { path, size, reading, close };
}

const nothing = async (): Promise<void> => {};

/** What is wrong with it is told when its bytes are asked for. */
async function readWhole(opened: Opened): Promise<Read> {
  const pieces: Buffer[] = [];
  let fault: { readonly error: unknown } | undefined;
  try {
    await opened.each(async (piece) => void pieces.push(Buffer.from(piece)));
  } catch (error) {
    fault = { error };
  }
  const each: Opened['each'] = async (take) => {
    for (const piece of pieces) await take(piece);
    if (fault) throw fault.error;
  };
  return { size: opened.size, modified: opened.modified, each };
}

/** Reads as far as it can until its turn comes. */
function readOn(opened: Opened, turn: PromiseWithResolvers<Take>): Read {
  const over = opened.each(async (piece) => (await turn.promise)(piece));
  over.catch(nothing); // heard of when its bytes are asked for
  const each: Opened['each'] = (take) => {
    turn.resolve(take);
    return over;
  };
  return { size: opened.size, modified: opened.modified, each };
}

const named = 10;

/** What lies among the files and is none, so that nobody takes it for backed up. */
class Passed {
  readonly #paths: string[] = [];
  #more = 0;

  add(path: string): void {
    if (this.#paths.length < named) this.#paths.push(path);
    else this.#more += 1;
  }

  lines(): string[] {
    const lines = this.#paths.map(
      (path) => `${path} is a link, or has a name that is not valid for files of a site, so it is not in the archive.`,
    );
    return this.#more === 0 ? lines : [...lines, `This is true for ${this.#more} more files.`];
  }
}
