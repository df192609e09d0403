// Where the bytes of uploads lie while they arrive: a folder of this machine beside the site's data, whatever keeps the files.
import { randomUUID } from 'node:crypto';
import { type FileHandle, lstat, open, readdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Spool } from '#kernel/upload.ts';
import { hour } from '#lib/spans.ts';
import { makeFolder } from '#store/folder.ts';
import type { Clock } from '../platform/clock.ts';
import { told } from './local/faults.ts';

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
