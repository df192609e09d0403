// The archive as a file: it has its name only once it is whole and on the disk.
import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, link, open, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { removedWhenStopped } from '../../platform/temporary.ts';
import { ArchiveProblem, unusable } from './format.ts';
import type { Sink } from './writer.ts';

const { O_RDONLY, O_NONBLOCK } = constants;

export async function openArchive(path: string): Promise<FileHandle> {
  // A pipe would keep us waiting for its other end.
  const file = await told(path, open(path, O_RDONLY | O_NONBLOCK));
  if ((await file.stat()).isFile()) return file;
  await file.close();
  throw new ArchiveProblem(`${path} is not a file. An archive must be a file, because it is read twice.`);
}

/** Writes through `work`, beside the name and readable by this user only. What fails, or is told to stop, leaves nothing. */
export async function writeArchive<R>(path: string, replace: boolean, work: (sink: Sink) => Promise<R>): Promise<R> {
  await refuseExisting(path, replace);
  // A name of its own, so that two of them write to two files, and of a length that fits wherever the path does.
  const unfinished = join(dirname(path), `.gatehouse-${randomUUID()}.part`);
  const file = await told(path, open(unfinished, 'wx', 0o600));
  const forget = removedWhenStopped(unfinished);
  try {
    const { write, settle } = writing(file);
    const result = await work((bytes) => told(path, write(bytes)));
    await told(path, settle());
    await refuseExisting(path, replace);
    await told(path, replace ? rename(unfinished, path) : published(unfinished, path));
    await told(path, settled(dirname(path)));
    return result;
  } finally {
    forget();
    await rm(unfinished, { force: true });
    await file.close();
  }
}

async function refuseExisting(path: string, replace: boolean): Promise<void> {
  const there = await stat(path).catch(() => undefined);
  if (there?.isDirectory()) throw new ArchiveProblem(`${path} is a folder; name a file in it.`);
  if (there !== undefined && !there.isFile()) throw new ArchiveProblem(`${path} is a device or a pipe; name a file.`);
  if (there !== undefined && !replace) throw isThere(path);
}

const isThere = (path: string): ArchiveProblem =>
  new ArchiveProblem(`${path} exists already; add --force to replace it, or name another file.`);

/** What file systems say that know no second name for a file. */
const noLinks = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

/** Gives it its name, and never that of a file which came meanwhile. */
async function published(unfinished: string, path: string): Promise<void> {
  try {
    await link(unfinished, path);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') throw isThere(path);
    if (!noLinks.has(code)) throw error;
    await rename(unfinished, path);
  }
}

const handedOn = 2 ** 26;

/** The disk gets on with it meanwhile: all of it at the end would take longer, and keep waiting whoever else needs the disk then. */
function writing(file: FileHandle) {
  let left = handedOn;
  let going: Promise<void> = Promise.resolve();
  return {
    write: async (bytes: Uint8Array): Promise<void> => {
      for (let from = 0; from < bytes.length; ) from += (await file.write(bytes, from)).bytesWritten;
      left -= bytes.length;
      if (left > 0) return;
      left = handedOn;
      await going;
      going = file.datasync();
      going.catch(() => {}); // heard of the next time
    },
    settle: async (): Promise<void> => {
      await going;
      await file.sync();
    },
  };
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
