// A file of the folder, read as a stream, or piece by piece into memory that is used again.
import { constants, type Dirent, type Stats } from 'node:fs';
import { type FileHandle, open, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { byBytes, Changed, type Entry, isFilePath, type Opened, type Range, unfinished, within } from '../files.ts';
import { fileAt, type Ground, told, unlessAbsent } from './ground.ts';

const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;

export const entryOf = (path: string, { size, mtime }: Stats): Entry => ({ path, size, modified: mtime });

export async function opened(ground: Ground, path: string, range?: Range): Promise<Opened | undefined> {
  const place = await ground.place(path);
  // A pipe that lies there would keep us waiting for its other end.
  const handle = place && (await unlessAbsent(open(place, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)));
  if (!handle) return undefined;
  try {
    const there = await handle.stat();
    if (there.isFile()) return readable(handle, entryOf(path, there), range);
  } catch (error) {
    await handle.close();
    throw error;
  }
  await handle.close();
  return undefined;
}

function readable(handle: FileHandle, entry: Entry, range: Range | undefined): Opened {
  const { first, last } = range ? within(range, entry.size) : { first: 0, last: entry.size - 1 };
  return {
    ...entry,
    get stream() {
      return streamOf(handle, entry, first, last);
    },
    each: (take) => told('read', pieces(handle, entry, first, last, take)),
  };
}

const streamed = 256 * 1024;

/** Never fewer bytes than were promised, as if that were all: a file that is cut short meanwhile is a fault. */
function streamOf(handle: FileHandle, { path }: Entry, first: number, last: number): Readable {
  let at = first;
  const next = async (): Promise<Uint8Array | null> => {
    if (at > last) return null;
    const room = Buffer.allocUnsafe(Math.min(streamed, last + 1 - at));
    const { bytesRead } = await told('read', handle.read(room, 0, room.length, at));
    if (bytesRead === 0) throw new Changed(`${path} became shorter while it was read.`);
    at += bytesRead;
    return room.subarray(0, bytesRead);
  };
  return new Readable({
    highWaterMark: streamed,
    read() {
      next().then(
        (bytes) => this.push(bytes),
        (fault) => this.destroy(fault),
      );
    },
    destroy: (fault, done) => void handle.close().then(() => done(fault), done),
  });
}

type Take = Parameters<Opened['each']>[0];
const piece = 2 ** 20;
/** Pairs of pieces that nobody reads into just now. Made anew for each file, they would keep the collector busy. */
const spare: Buffer[][] = [];
const mostSpare = 4;

const small = 2 ** 16;

async function pieces(handle: FileHandle, entry: Entry, first: number, last: number, take: Take): Promise<void> {
  if (last - first >= small) return manyPieces(handle, entry, first, last, take);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(last + 1 - first), 0, last + 1 - first, first);
    if (bytesRead > 0) await take(buffer.subarray(0, bytesRead));
    await refuseChanged(handle, entry);
  } finally {
    await handle.close();
  }
}

/** The next piece is read while one is taken. */
async function manyPieces(handle: FileHandle, entry: Entry, first: number, last: number, take: Take) {
  const pair = spare.pop() ?? [Buffer.allocUnsafeSlow(piece), Buffer.allocUnsafeSlow(piece)];
  let coming: Promise<Buffer> = Promise.resolve(pair[0]!.subarray(0, 0));
  try {
    let at = first;
    const next = async (room: Buffer): Promise<Buffer> => {
      if (at > last) return room.subarray(0, 0);
      const { bytesRead } = await handle.read(room, 0, Math.min(room.length, last + 1 - at), at);
      at += bytesRead;
      return room.subarray(0, bytesRead);
    };
    coming = next(pair[0]!);
    for (let turn = 1; ; turn++) {
      const here = await coming;
      if (here.length === 0) return await refuseChanged(handle, entry);
      coming = next(pair[turn % 2]!);
      coming.catch(() => {}); // heard of in the next turn, unless it is not taken any more
      await take(here);
    }
  } finally {
    await coming.catch(() => {});
    if (spare.length < mostSpare) spare.push(pair);
    await handle.close();
  }
}

async function refuseChanged(handle: FileHandle, { path, size, modified }: Entry): Promise<void> {
  const now = await handle.stat();
  if (now.size !== size || now.mtime.getTime() !== modified.getTime())
    throw new Changed(`${path} was changed while it was read.`);
}

/** A path with the place it has; with a slash after it when it is a folder: that is where its files stand among the others. */
interface Waiting {
  readonly path: string;
  readonly place: string;
}
type Passed = ((path: string) => void) | undefined;

/** One folder's names are in memory at a time, with those of the folders above it. */
export async function* listing(ground: Ground, folder: string, passed?: Passed): AsyncGenerator<Entry> {
  const waiting: Waiting[] = await namesIn(ground, folder, passed);
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { path, place } = next;
    if (path.endsWith('/')) {
      for (const inside of await namesIn(ground, path, passed)) waiting.push(inside);
      continue;
    }
    const there = await told('read', fileAt(place));
    if (there) yield entryOf(path, there);
  }
}

/** The last first. What is neither file nor folder, and what no path could name, is none of ours. */
async function namesIn(ground: Ground, folder: string, passed: Passed): Promise<Waiting[]> {
  const inside = await told('read', ground.place(`${folder}x`));
  if (inside === undefined) return [];
  const place = dirname(inside);
  const found = (await told('read', unlessAbsent(readdir(place, { withFileTypes: true })))) ?? [];
  const ours: Waiting[] = [];
  for (const one of found) {
    const path = `${folder}${one.name}`;
    if (isOurs(one, path)) ours.push({ path: one.isDirectory() ? `${path}/` : path, place: join(place, one.name) });
    else if (path !== unfinished) passed?.(path);
  }
  return byBytes(ours, ({ path }) => path).reverse();
}

const isOurs = (one: Dirent, path: string): boolean => (one.isFile() || one.isDirectory()) && isFilePath(path);
