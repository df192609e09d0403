// All files below a folder, and what is in each, as a hash. Links are followed nowhere.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { pipeline } from 'node:stream/promises';

/** Where to look, and what its files are named below. */
export interface Place {
  readonly folder: string;
  readonly name: string;
  /** Whether this is looked at, by its path within the place; all is, without it. */
  takes?(path: string, isFolder: boolean): boolean;
}

/** The named paths of files, with where they are; in no order. What is gone meanwhile, or closed, is left out. */
export async function* filesIn(
  { folder, name, takes }: Place,
  wants: (path: string) => boolean,
): AsyncGenerator<{ readonly path: string; readonly at: string }> {
  const left = [''];
  for (let below = left.pop(); below !== undefined; below = left.pop())
    for (const entry of await readdir(join(folder, below), { withFileTypes: true }).catch(() => [])) {
      const within = posix.join(below, entry.name);
      const path = `${name}/${within}`;
      if (takes?.(within, entry.isDirectory()) === false || !wants(path)) continue;
      if (entry.isDirectory()) left.push(within);
      else if (entry.isFile()) yield { path, at: join(folder, within) };
    }
}

/** Nothing of one that cannot be read. */
export async function hashOf(
  at: string,
  signal: AbortSignal,
  method: 'sha256' | 'md5' = 'sha256',
): Promise<string | undefined> {
  const hash = createHash(method);
  try {
    await pipeline(createReadStream(at), hash, { signal });
    return hash.digest('hex');
  } catch (error) {
    if (signal.aborted) throw error;
    return undefined;
  }
}
