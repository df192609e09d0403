// The archive as a file: it has its name only once it is whole and on the disk.
import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ArchiveProblem, unusable } from './problem.ts';
import type { Sink } from './writer.ts';

export async function openArchive(path: string): Promise<FileHandle> {
  const file = await told(path, open(path, 'r'));
  if ((await file.stat()).isFile()) return file;
  await file.close();
  throw new ArchiveProblem(`${path} is no file, and an archive is read more than once.`);
}

/** Writes through `work`, beside the name and readable by this user only. What fails leaves nothing. */
export async function writeArchive<R>(path: string, replace: boolean, work: (sink: Sink) => Promise<R>): Promise<R> {
  await refuseExisting(path, replace);
  const unfinished = `${path}.part`;
  const file = await told(path, fresh(unfinished));
  try {
    const result = await work((pieces) => told(path, written(file, pieces)));
    await told(path, file.sync());
    await refuseExisting(path, replace);
    await told(path, rename(unfinished, path));
    await told(path, settled(dirname(path)));
    return result;
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  } finally {
    await file.close();
  }
}

async function refuseExisting(path: string, replace: boolean): Promise<void> {
  const there = await stat(path).catch(() => undefined);
  if (there?.isDirectory()) throw new ArchiveProblem(`${path} is a folder; name a file in it.`);
  if (there !== undefined && !replace)
    throw new ArchiveProblem(`${path} is there already; add --force to replace it, or name another file.`);
}

/** What a backup that was cut off left is of no use. */
async function fresh(path: string): Promise<FileHandle> {
  await rm(path, { force: true });
  return open(path, 'wx', 0o600);
}

async function written(file: FileHandle, pieces: readonly Uint8Array[]): Promise<void> {
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  const { bytesWritten } = await file.writev(pieces);
  if (bytesWritten < length) await file.writeFile(Buffer.concat(pieces).subarray(bytesWritten));
}

/** The name, too, survives a power cut. */
async function settled(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function told<R>(path: string, work: Promise<R>): Promise<R> {
  try {
    return await work;
  } catch (error) {
    throw unusable(path, error);
  }
}
