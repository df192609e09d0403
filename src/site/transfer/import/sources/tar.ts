// An archive of files as `tar` writes it, plain or packed by gzip. Where each file begins is read once; then each is read by itself.
import { createReadStream } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { createGunzip } from 'node:zlib';
import type { Problem } from '#kernel/problem.ts';
import type { Spool } from '#kernel/upload.ts';
import { isFilePath } from '../../../files/files.ts';
import { transferErrors } from '../../errors.ts';

interface Place {
  readonly at: number;
  readonly size: number;
}

const block = 512;
const most = { files: 2_000_000, words: 1_048_576 };

/** A packed one is unpacked aside first. */
export async function openTar(path: string, spool: Spool): Promise<Shelf> {
  const file = (await isPacked(path)) ? await openUnpacked(path, spool) : await open(path);
  try {
    const places = await placesIn(file);
    return {
      close: () => file.close(),
      async find(wanted) {
        const place = places.get(wanted);
        return place && { size: place.size, read: () => piecesOf(file, place) };
      },
      async *paths() {
        yield* places.keys();
      },
    };
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** Its name is gone once it is open: whatever ends this process, it leaves nothing. */
async function openUnpacked(path: string, spool: Spool): Promise<FileHandle> {
  const { size } = await stat(path);
  const unpacked = await spool(unpackedOf(path, Math.max(swelling.least, swelling.times * size)));
  try {
    return await open(unpacked.path);
  } finally {
    await unpacked.release();
  }
}

/** Uploads of people are packed by little: what swells beyond this is made to fill a disk. */
const swelling = { times: 50, least: 64 * 2 ** 20 };

async function* unpackedOf(path: string, limit: number): AsyncGenerator<Uint8Array> {
  let size = 0;
  try {
    for await (const piece of createReadStream(path).pipe(createGunzip())) {
      size += piece.length;
      if (size > limit)
        throw transferErrors.noUploads(
          `The archive of files grows to more than ${swelling.times} times its size when unpacked. Unpack it, and give the folder.`,
        );
      yield piece;
    }
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code?.startsWith('Z_') ? noArchive() : error;
  }
}

async function isPacked(path: string): Promise<boolean> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(2), 0, 2, 0);
    return bytesRead === 2 && buffer[0] === 0x1f && buffer[1] === 0x8b;
  } finally {
    await file.close();
  }
}

const noArchive = (): Problem =>
  transferErrors.noUploads('The archive of files is not a tar archive, or it is damaged.');

/** By path. What is no file, or has a path that no file can have, is passed over. */
async function placesIn(file: FileHandle): Promise<Map<string, Place>> {
  const places = new Map<string, Place>();
  const { size: end } = await file.stat();
  let said: Record<string, string> = {};
  for (let at = 0; at + block <= end; ) {
    const head = (await file.read(Buffer.alloc(block), 0, block, at)).buffer;
    if (head.every((byte) => byte === 0)) break;
    const kind = String.fromCharCode(head[156]!);
    const content = { at: at + block, size: sizeIn(head, said.size) };
    if (content.at + content.size > end) throw noArchive();
    if (about.has(kind)) said = { ...said, ...(await wordsOf(file, kind, content)) };
    else {
      if (places.size < most.files) keep(places, kind, head, said, content);
      said = {};
    }
    at = content.at + Math.ceil(content.size / block) * block;
  }
  return places;
}

/** `said`: what an extended header before this one says. */
function sizeIn(head: Buffer, said: string | undefined): number {
  const size = said === undefined ? numberIn(head, 124, 12) : Number(said);
  if (!isHead(head) || !Number.isSafeInteger(size) || size < 0) throw noArchive();
  return size;
}

/** Files, another name of one that came before, and what is said about the next. */
const [plain, linked, about] = [new Set(['0', '\0']), '1', new Set(['x', 'L', 'K'])];

function keep(places: Map<string, Place>, kind: string, head: Buffer, said: Record<string, string>, own: Place): void {
  const path = bare(said.path ?? nameIn(head));
  const other = kind === linked ? places.get(bare(said.linkpath ?? textIn(head, 157, 100))) : undefined;
  const place = plain.has(kind) ? own : other;
  if (place !== undefined && isFilePath(path)) places.set(path, place);
}

const bare = (path: string): string => path.replace(/^(?:\.?\/)+/, '');

/** Its sum counts its own eight bytes as blanks. */
function isHead(head: Buffer): boolean {
  const sum = head.reduce((all, byte, at) => all + (at >= 148 && at < 156 ? 32 : byte), 0);
  return sum === numberIn(head, 148, 8);
}

/** In eights, or, where it is too large for that, in bytes. */
function numberIn(head: Buffer, at: number, length: number): number {
  if ((head[at]! & 0x80) !== 0) return Number(BigInt(`0x${head.toString('hex', at + 1, at + length)}`));
  const digits = textIn(head, at, length).trim();
  return digits === '' ? 0 : /^[0-7]+$/.test(digits) ? Number.parseInt(digits, 8) : Number.NaN;
}

const textIn = (head: Buffer, at: number, length: number): string =>
  head.toString('utf8', at, at + length).replace(/\0[\s\S]*$/, '');

function nameIn(head: Buffer): string {
  const prefix = textIn(head, 257, 5) === 'ustar' && head[262] === 0 ? textIn(head, 345, 155) : '';
  const name = textIn(head, 0, 100);
  return prefix === '' ? name : `${prefix}/${name}`;
}

/** What stands before a file about it: a longer name, or several words. */
async function wordsOf(file: FileHandle, kind: string, { at, size }: Place): Promise<Record<string, string>> {
  if (size > most.words) throw noArchive();
  const text = (await file.read(Buffer.alloc(size), 0, size, at)).buffer.toString('utf8');
  if (kind !== 'x') return { [kind === 'L' ? 'path' : 'linkpath']: text.replace(/\0[\s\S]*$/, '') };
  const words = text.split('\n').map((line) => /^\d+ (path|linkpath|size)=(.*)$/.exec(line));
  return Object.fromEntries(words.flatMap((word) => (word === null ? [] : [[word[1]!, word[2]!]])));
}

const atOnce = 2 ** 18;

async function* piecesOf(file: FileHandle, { at, size }: Place): AsyncGenerator<Uint8Array> {
  for (let done = 0; done < size; ) {
    const length = Math.min(atOnce, size - done);
    const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(length), 0, length, at + done);
    if (bytesRead === 0) throw noArchive();
    done += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

// Where files of another site stand: a folder or an archive.

/** One that is there. */
export interface Found {
  readonly size: number;
  read(): AsyncIterable<Uint8Array>;
}

/** Files by their paths below the uploads. */
export interface Shelf {
  /** Nothing where there is none. */
  find(path: string): Promise<Found | undefined>;
  /** Every path, for whoever only knows a name. */
  paths(): AsyncIterable<string>;
  close(): Promise<void>;
}
