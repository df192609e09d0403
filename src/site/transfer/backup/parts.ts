// What the records of an archive say, in the only order there is: a manifest, the tables with their rows, the files, an end.
import type { FileHandle } from 'node:fs/promises';
import { isFilePath } from '../../files/files.ts';
import { damaged, type End, type FileEntry, type Manifest, type TableEntry } from './format.ts';
import { endOf, fileOf, manifestOf, textOf } from './heads.ts';
import { cutOff, type Rec, records } from './reader.ts';
import { type Row, unpacked } from './rows.ts';

export type Part =
  | { readonly is: 'manifest'; readonly manifest: Manifest }
  /** The next rows of a table; uncompressed and looked at when they are asked for. */
  | { readonly is: 'rows'; readonly table: TableEntry; rows(): Row[] }
  | { readonly is: 'file'; readonly file: FileEntry; readonly content: AsyncIterable<Buffer> }
  | { readonly is: 'end'; readonly end: End };

/** The file changed while it was backed up: what was read of it counts for nothing. */
export class Withdrawn extends Error {}

/** A damaged archive is refused at the first record that tells; one that is read to its end is whole. */
export async function* parts(file: FileHandle): AsyncGenerator<Part> {
  const reading = new Reading(records(file));
  const manifest = manifestOf(await reading.next('manifest'));
  yield { is: 'manifest', manifest };
  const counts: number[] = [];
  for (const table of manifest.tables) {
    if (textOf(await reading.next('table')) !== table.name) throw damaged('its tables are in the wrong order');
    let count = 0;
    for (let rec = await reading.ifNext('rows'); rec; rec = await reading.ifNext('rows')) {
      const { payload } = rec;
      let read: Row[] | undefined;
      const rows = (): Row[] => {
        read ??= unpacked(payload, table);
        return read;
      };
      yield { is: 'rows', table, rows };
      count += rows().length;
    }
    counts.push(count);
  }
  const files = yield* filesOf(reading, manifest);
  const last = await reading.next('end');
  const end = endOf(last);
  const told = end.rows.join() === counts.join() && end.files === files.count && end.bytes === files.bytes;
  if (!told || end.digest !== last.digest()) throw damaged('its end does not match its content');
  await reading.over();
  yield { is: 'end', end };
}

async function* filesOf(reading: Reading, { media }: Manifest): AsyncGenerator<Part, { count: number; bytes: number }> {
  const all = { count: 0, bytes: 0 };
  let last: Buffer = Buffer.alloc(0);
  for (let rec = await reading.ifNext('file'); rec; rec = await reading.ifNext('file')) {
    const file = fileOf(rec);
    const path = Buffer.from(file.path);
    if (!media) throw damaged('it says that it holds no files, but it holds some');
    if (!isFilePath(file.path)) throw damaged('it holds a file whose path is not valid');
    // Each path once; what was withdrawn may come again.
    if (Buffer.compare(path, last) <= 0) throw damaged('its files are not in order');
    const content = contentOf(reading, file);
    yield { is: 'file', file, content };
    if (!(await isWhole(content))) continue;
    last = path;
    all.count += 1;
    all.bytes += file.size;
  }
  return all;
}

interface Content extends AsyncIterable<Buffer> {
  readonly state: { ended?: 'whole' | 'void' };
}

/** Read once; whoever stops early leaves the rest to be skipped. */
function contentOf(reading: Reading, { size }: FileEntry): Content {
  const state: Content['state'] = {};
  let length = 0;
  async function* rest(): AsyncGenerator<Buffer> {
    while (state.ended === undefined) {
      const rec = await reading.any();
      length += rec.payload.length;
      if (rec.kind === 'content' && length <= size) yield rec.payload;
      else state.ended = endOfFile(rec, length === size);
    }
    if (state.ended === 'void') throw new Withdrawn();
  }
  return { state, [Symbol.asyncIterator]: rest };
}

function endOfFile({ kind }: Rec, isComplete: boolean): 'whole' | 'void' {
  if (kind !== 'whole' && kind !== 'void') throw damaged('a file in it has no end');
  if (kind === 'whole' && !isComplete) throw damaged('a file in it is too short');
  return kind;
}

async function isWhole(content: Content): Promise<boolean> {
  try {
    for await (const _ of content);
  } catch (error) {
    if (!(error instanceof Withdrawn)) throw error;
  }
  return content.state.ended === 'whole';
}

/** The records, one ahead. */
class Reading {
  readonly #records: AsyncGenerator<Rec>;
  #ahead: Rec | undefined;

  constructor(all: AsyncGenerator<Rec>) {
    this.#records = all;
  }

  async any(): Promise<Rec> {
    const rec = await this.#peek();
    this.#ahead = undefined;
    return rec;
  }

  async ifNext(kind: Rec['kind']): Promise<Rec | undefined> {
    const { kind: is } = await this.#peek();
    return is === kind ? this.any() : undefined;
  }

  async next(kind: Rec['kind']): Promise<Rec> {
    const rec = await this.any();
    if (rec.kind !== kind) throw damaged('its records are in a wrong order');
    return rec;
  }

  async over(): Promise<void> {
    if (!(await this.#records.next()).done) throw damaged('it has data after its end');
  }

  async #peek(): Promise<Rec> {
    if (this.#ahead !== undefined) return this.#ahead;
    const { value, done } = await this.#records.next();
    if (done) throw cutOff();
    this.#ahead = value;
    return value;
  }
}

/** An archive read from its first byte to its last, before anything is done with it. */
export interface Inspected {
  readonly manifest: Manifest;
  readonly end: End;
}

/** Who else wants to see what goes by. */
export interface Watching {
  manifest?(manifest: Manifest): void | Promise<void>;
  row?(row: Row, table: TableEntry): void;
  /** Its content can be read, once. */
  file?(file: FileEntry, content: AsyncIterable<Uint8Array>): void | Promise<void>;
  progress?(rows: number, bytes: number): void;
}

/** Refuses whatever is damaged or cut off, wherever it is. */
export async function inspect(archive: FileHandle, watching: Watching = {}): Promise<Inspected> {
  let manifest: Manifest | undefined;
  const seen = { rows: 0, bytes: 0 };
  for await (const part of parts(archive)) {
    if (part.is === 'manifest') {
      manifest = part.manifest;
      await watching.manifest?.(manifest);
    }
    if (part.is === 'rows') {
      for (const row of part.rows()) watching.row?.(row, part.table);
      seen.rows += part.rows().length;
    }
    if (part.is === 'file') {
      await watching.file?.(part.file, part.content);
      seen.bytes += part.file.size;
    }
    watching.progress?.(seen.rows, seen.bytes);
    if (part.is === 'end' && manifest !== undefined) return { manifest, end: part.end };
  }
  throw damaged('it has no end');
}
