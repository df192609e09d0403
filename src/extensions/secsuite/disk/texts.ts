// Small files of text that the suite writes for other programs: whole or not at all.
// Listeners hear of a file before it is written, so that the search for changed files does not report what the suite itself did.

import { randomUUID } from 'node:crypto';
import type { Stats } from 'node:fs';
import { open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';
import { Unavailable } from '#lib/failures.ts';

/** No file of rules is longer. */
const most = 8 * 1024 * 1024;

/** What stands in the file; nothing where there is none. */
export async function read(path: string): Promise<string | undefined> {
  const there = await found(path);
  if (there === undefined) return undefined;
  if (!there.isFile() || there.size > most) throw unusable(path, 'it is not a file, or is too large');
  return readFile(path, 'utf8').catch((error) => {
    throw unusable(path, error.code);
  });
}

/** The server in front of the site reads it as another user. */
const readable = 0o644;

/** Beside its name first. It keeps the rights it had. */
export async function replace(path: string, text: string): Promise<void> {
  const mode = (await found(path))?.mode ?? readable;
  const unfinished = join(dirname(path), `.gatehouse-${randomUUID()}.part`);
  try {
    const file = await open(unfinished, 'wx', mode & 0o777);
    try {
      await file.writeFile(text);
      await file.chmod(mode & 0o777);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(unfinished, path);
  } catch (error) {
    await rm(unfinished, { force: true }).catch(() => {});
    throw unusable(path, (error as NodeJS.ErrnoException).code);
  }
}

/** Whether the path leads into this folder, as far as its text says. */
export const isWithin = (folder: string, path: string): boolean => resolve(path).startsWith(resolve(folder) + sep);

const found = (path: string): Promise<Stats | undefined> =>
  stat(path).catch((error) => {
    if (error.code === 'ENOENT') return undefined;
    throw unusable(path, error.code);
  });

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'it or its folder does not exist',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of its path is not a folder',
  EACCES: 'the user of Gatehouse has no right to it',
};

const unusable = (path: string, why: string | undefined): Unavailable =>
  new Unavailable(`${path} cannot be used (${reasons[why ?? ''] ?? why ?? 'it does not answer'}).`);

type WriteListener = (path: string, text: string) => Promise<void>;

export interface FileWriter {
  /** Replaces the whole file once every listener knows of it. */
  replace(path: string, text: string): Promise<void>;
  beforeWrite(listener: WriteListener): void;
}

export function createFileWriter(): FileWriter {
  const listeners: WriteListener[] = [];
  return {
    async replace(path, text) {
      for (const listener of listeners) await listener(path, text);
      await replace(path, text);
    },
    beforeWrite: (listener) => void listeners.push(listener),
  };
}

// The beginning of a file that came with a request: as much of it as anybody looks at.

export async function beginningOf(path: string, most: number): Promise<Buffer> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const bytes = Buffer.alloc(Math.min(size, most));
    const { bytesRead } = await file.read(bytes, 0, bytes.length, 0);
    return bytes.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/** A file, or a stream. Of more than so many bytes, one byte more is read, by which its reader refuses it. */
export async function readAll(source: string | NodeJS.ReadableStream, most: number): Promise<Buffer> {
  if (typeof source === 'string')
    return beginningOf(source, most + 1).catch((error) => {
      throw unusable(source, error.code);
    });
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of source) {
    pieces.push(Buffer.from(piece));
    size += piece.length;
    if (size > most) break;
  }
  return Buffer.concat(pieces);
}

/** Readable by the user alone who runs the program. */
const ownOnly = 0o600;

/** A file that is not there yet, unless it may be replaced. */
export async function writeNew(path: string, text: string, isReplaced: boolean): Promise<void> {
  try {
    await writeFile(path, text, { flag: isReplaced ? 'w' : 'wx', mode: ownOnly, flush: true });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw unusable(path, code === 'EEXIST' ? 'it exists already; add --force to replace it' : code);
  }
}
