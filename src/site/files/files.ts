// Where files of the site are kept: a folder of this machine, or an object store. Both behave alike. A path is relative, with `/`
// between its parts; what `isFilePath` does not take is refused, whatever was asked. No file may have the path of a folder: a folder of
// this machine refuses it (`path_taken`), an object store would not, so whoever names files sees to it.

import { randomUUID } from 'node:crypto';
import { type FileHandle, lstat, open, readdir, readFile, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Spool, Upload } from '#kernel/upload.ts';
import { hour } from '#lib/spans.ts';
import { makeFolder } from '#store/folder.ts';
import type { Clock } from '../platform/clock.ts';
import { fileErrors } from './errors.ts';
import { told } from './local/ground.ts';

export interface Files {
  /** For people, without a key. */
  readonly place: string;
  /** Whether a file can have the path of a folder, against the rule above. */
  readonly takesBoth: boolean;
  /** Whole or not at all; what had this path before is replaced. Backed up by the reader: memory stays flat whatever the size. */
  put(path: string, body: Body, about?: About): Promise<Entry>;
  /** The same of a file of this machine, which nobody may write to any more: where it can, it becomes that file without a copy. */
  adopt(path: string, place: string, about?: About): Promise<Entry>;
  find(path: string): Promise<Entry | undefined>;
  /**
   * Its bytes, or those of the range; nothing when there is no such file. A range may end beyond the file, not begin there: that is
   * refused with 416. A stream that is not read to its end must be destroyed.
   */
  open(path: string, range?: Range): Promise<Opened | undefined>;
  /**
   * Everything under a folder, `2026/11/`, or everything, in the order of the paths byte by byte. Told is what lies there and is
   * none of ours: a link, or what no path can name.
   */
  list(folder?: string, passed?: (path: string) => void): AsyncIterable<Entry>;
  /** What had the new path is replaced. Refused with 404 when there is no such file. */
  move(from: string, to: string): Promise<void>;
  /** Whether it was there. */
  erase(path: string): Promise<boolean>;
  /** Throws an `Unavailable` when files cannot be reached just now. */
  ping(): Promise<void>;
  /** The same for the same name, of 50 letters, digits and dashes at most. Nothing is made by asking. */
  aside(name: string): Aside;
}

/** Files put beside the others, which nobody finds until they are placed. For one process at a time. */
export interface Aside {
  /** For people. */
  readonly where: string;
  put(path: string, body: Body): Promise<void>;
  list(): AsyncIterable<Entry>;
  /**
   * The first path that cannot be had. Where others are replaced, a file in the way is none: it is replaced, or erased before, and so
   * is a folder that holds nothing but files.
   */
  blocked(replaces: boolean): Promise<string | undefined>;
  /**
   * Gives each its path among the others. What has it already is replaced or, with `kept`, stays, and is told.
   * How many got theirs.
   */
  place(kept?: (path: string) => void): Promise<number>;
  /** Whatever was put and not placed is gone. */
  clear(): Promise<void>;
}

export type Body = Uint8Array | AsyncIterable<Uint8Array>;

export interface About {
  readonly type?: string;
}

export interface Entry {
  readonly path: string;
  readonly size: number;
  readonly modified: Date;
}

/** The first and the last byte, both included. */
export interface Range {
  readonly first: number;
  readonly last: number;
}

/** A file that is read one way or the other. */
export interface Opened extends Entry {
  readonly stream: Readable;
  /**
   * Hands its bytes over piece by piece, in memory that is used again once `take` has resolved: for much at once. Throws `Changed`
   * when they are not those of one file as it was at one moment.
   */
  each(take: (piece: Uint8Array) => Promise<void>): Promise<void>;
}

/** A file was written to while it was read: by somebody else, for what the site puts is whole from the first moment. */
export class Changed extends Error {}

/** What a range means for a file of this size: its end may lie beyond the file's, its beginning not. */
export function within({ first, last }: Range, size: number): Range {
  const sound = Number.isSafeInteger(first) && Number.isSafeInteger(last) && first >= 0 && first <= last;
  if (!sound || first >= size) throw fileErrors.rangeNotSatisfiable();
  return { first, last: Math.min(last, size - 1) };
}

// Where the bytes of uploads lie while they arrive: a folder of this machine beside the site's data, whatever keeps the files.

interface SpoolOptions {
  readonly folder: string;
  readonly clock: Clock;
}

/** Longer than any upload takes, and than whatever is made of one. */
const longest = 2 * hour;

export function createSpool({ folder, clock }: SpoolOptions): Spool {
  let swept = Number.NEGATIVE_INFINITY;
  const ready = async (): Promise<void> => {
    makeFolder(folder);
    const now = clock().getTime();
    if (now - swept < longest) return;
    swept = now;
    await sweep(folder, clock());
  };
  return async (bytes) => {
    await told('written', ready());
    const path = join(folder, randomUUID());
    const handle = await told('written', open(path, 'wx', 0o600));
    const release = () => unlink(path).catch(() => {});
    try {
      await poured(handle, bytes);
    } catch (error) {
      await release();
      throw error;
    } finally {
      await handle.close();
    }
    return { path, release };
  };
}

/** What breaks off stays as it is told; only what the disk says is told in our words. */
async function poured(handle: FileHandle, bytes: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const piece of bytes) await told('written', handle.writeFile(piece));
}

/** What a process left that died meanwhile. What was written to of late is another's, still at work. */
async function sweep(folder: string, now: Date): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const left = await lstat(join(folder, name)).catch(() => undefined);
    if (left?.isFile() && now.getTime() - left.mtimeMs > longest) await unlink(join(folder, name)).catch(() => {});
  }
}

// Which texts are paths of files. The same everywhere, so that what fits a folder fits an object store and a backup.

/** Where a folder keeps what is not written to its end; no file has a path in there. */
export const unfinished = '.unfinished';

const longestPath = { path: 900, segment: 255 };
/** What no path holds: separators of other systems, controls, and signs that XML cannot carry. */
const foreign = /[\\\p{Cc}\u{FFFE}\u{FFFF}]/u;

const bytes = (text: string): number => Buffer.byteLength(text);

function isSegment(segment: string): boolean {
  return (
    segment !== '' && segment === segment.trim() && !segment.endsWith('.') && bytes(segment) <= longestPath.segment
  );
}

export function isFilePath(text: string): boolean {
  const segments = text.split('/');
  return (
    text.isWellFormed() &&
    !foreign.test(text) &&
    bytes(text) <= longestPath.path &&
    segments[0] !== unfinished &&
    segments.every(isSegment)
  );
}

/** The path itself, or a refusal. Whoever makes a path of what people give cleans it first: this is the last wall. */
export function filePath(text: string): string {
  if (isFilePath(text)) return text;
  throw fileErrors.invalidPath('This is not a valid path of a file.');
}

/** A folder to be listed: `2026/11/`, or nothing for everything. */
export function folderPath(text: string): string {
  if (text === '' || (text.endsWith('/') && isFilePath(text.slice(0, -1)))) return text;
  throw fileErrors.invalidPath('This is not a valid path of a folder.');
}

/** In the order that every store lists by: the bytes of the whole path, which is not the order of JavaScript's text. */
export function byBytes<T>(things: readonly T[], pathOf: (thing: T) => string): T[] {
  return things
    .map((thing) => ({ thing, key: Buffer.from(pathOf(thing)) }))
    .sort((a, b) => Buffer.compare(a.key, b.key))
    .map(({ thing }) => thing);
}

/** The bytes of a file that came with a request, for files that are small enough for memory. */
export const uploadedBytes = ({ path }: Pick<Upload, 'path'>): Promise<Uint8Array> => readFile(path);
