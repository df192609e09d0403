// The folder of backups: a file each, of which the oldest may be deleted.
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { writeArchive } from '#site/transfer/backup/file.ts';
import type { Sink } from '#site/transfer/backup/writer.ts';
import { makeFolder } from './folders.ts';

/** By their names they are sorted, and nobody guesses one. */
const form = /^backup-\d{8}T\d{6}Z-[\da-f-]{36}\.gatehouse$/;

export const nameOf = (at: Date, unique: string): string =>
  `backup-${at.toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z-${unique}.gatehouse`;

/** Whole or not at all, and for this user alone. Answers how many bytes it has. */
export async function keep(folder: string, name: string, work: (sink: Sink) => Promise<unknown>): Promise<number> {
  await makeFolder(folder);
  const path = join(folder, name);
  await writeArchive(path, false, work);
  return (await stat(path)).size;
}

/** All but the newest; answers how many were deleted. */
export async function prune(folder: string, most: number): Promise<number> {
  const old = (await readdir(folder))
    .filter((name) => form.test(name))
    .sort()
    .reverse()
    .slice(most);
  for (const name of old) await rm(join(folder, name), { force: true });
  return old.length;
}
