// Files and folders that are only looked at. What is not there, or closed to this user, reads as nothing.
import { type Dirent, existsSync } from 'node:fs';
import { open, readdir, readFile, realpath, stat } from 'node:fs/promises';

export const exists = (path: string): boolean => existsSync(path);

/** Nothing if it is longer. */
export async function readText(path: string, most: number): Promise<string | undefined> {
  const there = await stat(path).catch(() => undefined);
  if (!there?.isFile() || there.size > most) return undefined;
  return readFile(path, 'utf8').catch(() => undefined);
}

/** The first bytes of a file. */
export async function readStart(path: string, most: number): Promise<Buffer | undefined> {
  const file = await open(path).catch(() => undefined);
  if (file === undefined) return undefined;
  try {
    const { size } = await file.stat();
    const bytes = Buffer.alloc(Math.min(size, most));
    const { bytesRead } = await file.read(bytes, 0, bytes.length, 0);
    return bytes.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/** In bytes. */
export const sizeOf = async (path: string): Promise<number> => (await stat(path).catch(() => undefined))?.size ?? 0;

export const isFolder = async (path: string): Promise<boolean> =>
  (await stat(path).catch(() => undefined))?.isDirectory() === true;

export const entriesOf = (path: string): Promise<Dirent[]> => readdir(path, { withFileTypes: true }).catch(() => []);

/** Without links. */
export const realPath = (path: string): Promise<string | undefined> => realpath(path).catch(() => undefined);
