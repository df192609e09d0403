// Writes an archive, record after record, and never more than two blocks of it in memory.
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
export type Sink = (bytes: Uint8Array) => Promise<void>;

const block = 2 ** 20;
/** Before they are compressed. */
const rowsAtOnce = 2 ** 19;

export class ArchiveWriter {
  readonly #sink: Sink;
  readonly #hash = createHash('sha256');
  /** One is filled while the other is on its way. */
  #filled = Buffer.allocUnsafeSlow(block);
  #other = Buffer.allocUnsafeSlow(block);
  #length = 0;
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
      if (length + line.length > rowsAtOnce && lines.length > 0) {
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
    for (let from = 0; from < bytes.length; from += longest.content)
      await this.#record('content', bytes.subarray(from, from + longest.content));
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
    await this.#send();
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

  async #add(bytes: Uint8Array): Promise<void> {
    for (let from = 0; from < bytes.length; ) {
      const part = bytes.subarray(from, from + block - this.#length);
      this.#filled.set(part, this.#length);
      this.#length += part.length;
      from += part.length;
      if (this.#length === block) await this.#send();
    }
  }

  async #send(): Promise<void> {
    await this.#going;
    this.#going = this.#sink(this.#filled.subarray(0, this.#length));
    this.#going.catch(() => {}); // heard of when the next is sent
    [this.#filled, this.#other, this.#length] = [this.#other, this.#filled, 0];
  }
}
