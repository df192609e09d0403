// A file that grows by lines, and what it leaves behind when it has grown too long: `name.1` is the newest of these.
import { constants } from 'node:fs';
import { open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makeFolder } from './folders.ts';

/** For this user alone, and never through a link that somebody put there. */
const flags = constants.O_APPEND | constants.O_CREAT | constants.O_WRONLY | (constants.O_NOFOLLOW ?? 0);

/** `head` is the first line of a new file. */
export async function append(path: string, lines: string, head: string): Promise<void> {
  await makeFolder(dirname(path));
  const file = await open(path, flags, 0o600);
  try {
    const { size } = await file.stat();
    await file.appendFile(size === 0 ? head + lines : lines);
  } finally {
    await file.close();
  }
}

const aside = (path: string, number: number): string => `${path}.${number}`;

/** Puts it aside once it is so long. Of more than `most` the oldest is lost. Answers whether it was put aside. */
export async function rotate(path: string, longest: number, most: number): Promise<boolean> {
  const there = await found(path);
  if (there === undefined || there.size < longest) return false;
  let free = 1;
  while (free < most && (await found(aside(path, free))) !== undefined) free += 1;
  for (let number = free; number > 1; number--) await rename(aside(path, number - 1), aside(path, number));
  await rename(path, aside(path, 1));
  return true;
}

/** Removes what was put aside and got its last line before that; answers how many there were. */
export async function forget(path: string, most: number, before: Date): Promise<number> {
  let gone = 0;
  for (let number = 1; number <= most; number++) {
    const there = await found(aside(path, number));
    if (there === undefined || there.mtime >= before) continue;
    await rm(aside(path, number));
    gone += 1;
  }
  return gone;
}

const found = (path: string) =>
  stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
    throw error;
  });
