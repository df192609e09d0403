// An archive that lies in a file: its files are tried byte by byte while they are unpacked.
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { crc32, createInflateRaw } from 'node:zlib';
import { BadZip, readZip, type ZipEntry } from '#lib/zip-reading.ts';
import { packageErrors } from './errors.ts';

export const packageLimits = {
  /** Of the package, in bytes. */
  packed: 50 * 1024 * 1024,
  files: 5000,
  bytes: 200 * 1024 * 1024,
  ratio: 100,
};

export interface Archive {
  readonly entries: readonly ZipEntry[];
  /** Makes the file, which must not be there yet; answers its SHA-256. */
  extract(entry: ZipEntry, to: string): Promise<string>;
  close(): Promise<void>;
}

export async function openPackage(path: string): Promise<Archive> {
  const handle = await open(path);
  try {
    const { size } = await handle.stat();
    if (size > packageLimits.packed) throw new BadZip(`is larger than ${packageLimits.packed} bytes`);
    const entries = await readZip({ size, read: (at, length) => exactly(handle, at, length) }, packageLimits);
    const extract: Archive['extract'] = (entry, to) => extracted(handle, entry, to).catch(refusing);
    return { entries, extract, close: () => handle.close() };
  } catch (error) {
    await handle.close();
    return refusing(error);
  }
}

async function exactly(handle: FileHandle, at: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length);
  const { bytesRead } = await handle.read(bytes, 0, length, at);
  if (bytesRead < length) throw new BadZip('is cut off');
  return bytes;
}

async function extracted(handle: FileHandle, entry: ZipEntry, to: string): Promise<string> {
  const hash = createHash('sha256');
  const tried = async function* (pieces: AsyncIterable<Buffer>) {
    let [size, sum] = [0, 0];
    for await (const piece of pieces) {
      size += piece.length;
      if (size > entry.size) break;
      sum = crc32(piece, sum);
      hash.update(piece);
      yield piece;
    }
    if (size !== entry.size || sum !== entry.sum) throw new BadZip('holds a file that differs from its list');
  };
  const inflate = entry.isDeflated ? [createInflateRaw({ rejectGarbageAfterEnd: true })] : [];
  await pipeline([packedBytes(handle, entry), ...inflate, tried, createWriteStream(to, { flags: 'wx', mode: 0o644 })]);
  return hash.digest('hex');
}

const pieceSize = 64 * 1024;

async function* packedBytes(handle: FileHandle, { start, packed }: ZipEntry): AsyncGenerator<Buffer> {
  for (let at = 0; at < packed; at += pieceSize)
    yield await exactly(handle, start + at, Math.min(pieceSize, packed - at));
}

/** Of what is packed wrongly the library says so by codes of its own. */
const isBroken = ({ code = '' }: NodeJS.ErrnoException): boolean => /^(?:Z_|ERR_TRAILING_JUNK)/.test(code);

function refusing(error: unknown): never {
  if (error instanceof BadZip) throw packageErrors.invalidPackage(`The archive ${error.message}.`);
  if (error instanceof Error && isBroken(error))
    throw packageErrors.invalidPackage('The archive holds a file that cannot be unpacked.');
  throw error;
}
