// Reads the records of an archive one after the other. Whatever stands in the file, no more than one record is in memory.
import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import {
  ArchiveProblem,
  bound,
  damaged,
  firstLinePattern,
  format,
  headerLength,
  type Kind,
  kinds,
  longestFirstLine,
  sumOf,
} from './format.ts';

export interface Rec {
  readonly kind: Kind;
  readonly payload: Buffer;
  /** SHA-256 of the first line and of every header before it. */
  digest(): string;
}

const kindOf = new Map(Object.entries(kinds).map(([kind, sign]) => [sign as string, kind as Kind]));
const window = 2 ** 20;

export async function* records(file: FileHandle): AsyncGenerator<Rec> {
  const bytes = new Bytes(file, (await file.stat()).size);
  const hash = createHash('sha256');
  hash.update(await firstLineOf(bytes));
  for (;;) {
    const header = await bytes.take(headerLength);
    if (header.length === 0) return;
    if (header.length < headerLength) throw cutOff();
    const { kind, length } = announced(header);
    const payload = await bytes.take(length);
    if (payload.length < length) throw cutOff();
    if (sumOf(header, payload) !== header.readUInt32BE(5)) throw damaged('a checksum is wrong');
    yield { kind, payload, digest: () => hash.copy().digest('hex') };
    hash.update(header);
  }
}

export const cutOff = (): ArchiveProblem => damaged('it is cut off');

async function firstLineOf(bytes: Bytes): Promise<Buffer> {
  const head = await bytes.peek(longestFirstLine);
  const [line, version] = firstLinePattern.exec(head.toString('latin1')) ?? [];
  if (line === undefined)
    throw new ArchiveProblem('This is not an archive of Gatehouse, or its first line is damaged.');
  if (Number(version) > format)
    throw new ArchiveProblem('The archive was written by a newer version of Gatehouse; use that version.');
  if (Number(version) < 1 || line !== `gatehouse-backup ${Number(version)}\n`)
    throw damaged('its first line is not valid');
  return bytes.take(line.length);
}

function announced(header: Buffer): { kind: Kind; length: number } {
  const kind = kindOf.get(header.toString('latin1', 0, 1));
  const length = header.readUInt32BE(1);
  if (kind === undefined) throw damaged('it holds a record of an unknown kind');
  if (length > bound(kind)) throw damaged('a record is too long');
  return { kind, length };
}

/** The bytes of a file in the order they stand. */
class Bytes {
  readonly #file: FileHandle;
  readonly #size: number;
  #at = 0;
  #held = Buffer.alloc(0);

  constructor(file: FileHandle, size: number) {
    this.#file = file;
    this.#size = size;
  }

  /** So many, or what there is up to the end. */
  async take(length: number): Promise<Buffer> {
    const taken = await this.peek(length);
    this.#held = this.#held.subarray(taken.length);
    return taken;
  }

  async peek(length: number): Promise<Buffer> {
    if (length > this.#held.length && this.#at < this.#size) await this.#hold(length);
    return this.#held.subarray(0, length);
  }

  /** Room is made for what is there, and not for what is said to be. */
  async #hold(length: number): Promise<void> {
    const room = Math.min(Math.max(length, window), this.#held.length + this.#size - this.#at);
    const larger = Buffer.allocUnsafe(room);
    let filled = this.#held.copy(larger);
    while (filled < Math.min(length, room)) {
      const { bytesRead } = await this.#file.read(larger, filled, room - filled, this.#at);
      if (bytesRead === 0) break;
      filled += bytesRead;
      this.#at += bytesRead;
    }
    this.#held = larger.subarray(0, filled);
  }
}
