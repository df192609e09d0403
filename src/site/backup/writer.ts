// Writes an archive, record after record, and never more than a block of it in memory.
import { createHash } from 'node:crypto';
import {
  type End,
  type FileEntry,
  firstLine,
  headerOf,
  type Kind,
  longest,
  type Manifest,
  type TableEntry,
} from './format.ts';
import { lineOf, packed, type Row } from './rows.ts';

/** Where the bytes go. */
export type Sink = (pieces: readonly Uint8Array[]) => Promise<void>;

const flushAt = 2 ** 20;
/** So few bytes are copied sooner than they are waited for. */
const copied = 2 ** 16;
/** Of rows, before they are compressed. */
const block = 2 ** 19;

export class ArchiveWriter {
  readonly #sink: Sink;
  readonly #hash = createHash('sha256');
  #waiting: Uint8Array[] = [];
  #length = 0;
  /** What is on its way while more is read. */
  #going: Promise<void> = Promise.resolve();
  #rows: number[] = [];
  #files = 0;
  #bytes = 0;

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  async begin(manifest: Manifest): Promise<void> {
    const line = firstLine();
    this.#hash.update(line);
    await this.#add(line);
    await this.#json('manifest', manifest);
  }

  /** The next table of the manifest, with all its rows. */
  async table(table: TableEntry, rows: AsyncIterable<Row>): Promise<void> {
    await this.#json('table', table.name);
    let count = 0;
    let lines: string[] = [];
    let length = 0;
    for await (const row of rows) {
      const line = lineOf(table, row);
      if (length + line.length > block && lines.length > 0) {
        await this.#record('rows', packed(lines));
        [lines, length] = [[], 0];
      }
      lines.push(line);
      length += line.length;
      count += 1;
    }
    if (lines.length > 0) await this.#record('rows', packed(lines));
    this.#rows.push(count);
  }

  file(file: FileEntry): Promise<void> {
    return this.#json('file', file);
  }

  /** The memory of these bytes is not needed any more once this resolves. */
  async content(bytes: Uint8Array): Promise<void> {
    if (bytes.length <= copied) return this.#record('content', Buffer.from(bytes));
    for (let from = 0; from < bytes.length; from += longest.content)
      await this.#record('content', bytes.subarray(from, from + longest.content));
    await this.#flush();
    await this.#going;
  }

  async whole({ size }: FileEntry): Promise<void> {
    await this.#record('whole', new Uint8Array());
    this.#files += 1;
    this.#bytes += size;
  }

  async void(): Promise<void> {
    await this.#record('void', new Uint8Array());
  }

  async end(): Promise<End> {
    const end = { rows: this.#rows, files: this.#files, bytes: this.#bytes, digest: this.#hash.copy().digest('hex') };
    await this.#json('end', end);
    await this.#flush();
    await this.#going;
    return end;
  }

  #json(kind: Kind, value: unknown): Promise<void> {
    return this.#record(kind, Buffer.from(JSON.stringify(value)));
  }

  async #record(kind: Kind, payload: Uint8Array): Promise<void> {
    const header = headerOf(kind, payload);
    this.#hash.update(header);
    await this.#add(header);
    await this.#add(payload);
  }

  async #add(piece: Uint8Array): Promise<void> {
    this.#waiting.push(piece);
    this.#length += piece.length;
    if (this.#length >= flushAt) await this.#flush();
  }

  /** Waits for what went before, so that no more than two blocks are ever held. */
  async #flush(): Promise<void> {
    const pieces = this.#waiting;
    [this.#waiting, this.#length] = [[], 0];
    await this.#going;
    this.#going = this.#sink(pieces);
    this.#going.catch(() => {}); // heard of at the next flush
  }
}
