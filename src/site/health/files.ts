// Where files are kept, looked at without writing anything there.
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { Unavailable } from '#lib/failures.ts';
import { isLoopback } from '#lib/loopback.ts';
import { ok, type Seen, warning, wrong } from './check.ts';
import { lookedAt, nearestFolder } from './folders.ts';
import type { Installation } from './installation.ts';

export async function files(installation: Installation): Promise<Seen> {
  return installation.media.kind === 's3' ? objectStore(installation) : folder(installation.media.path);
}

async function folder(path: string): Promise<Seen> {
  const there = await lookedAt(path);
  if (there && !there.isDirectory()) return wrong(`${path} is no folder`, `Give GATEHOUSE_MEDIA another.`);
  const nearest = there ? path : await nearestFolder(path);
  try {
    await access(nearest, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch {
    const remedy = `Give the folder to this user, or name another with GATEHOUSE_MEDIA.`;
    return wrong(`this user may not write to ${nearest}`, remedy);
  }
  return ok(there ? `kept in ${path}` : `${path} will be made at the first start`);
}

async function objectStore({ media, mediaKeys }: Installation): Promise<Seen> {
  if (media.kind !== 's3' || mediaKeys === undefined) throw new Error('An object store has its keys.');
  const { createS3Files } = await import('../files/s3/s3.ts');
  const { place, ping } = createS3Files(media, mediaKeys);
  try {
    await ping();
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    const remedy = `Mend the store, GATEHOUSE_MEDIA or its keys, then look again.`;
    return wrong(error.message.replace(/\.$/, ''), remedy);
  }
  const { protocol, hostname } = new URL(media.endpoint);
  if (protocol === 'https:' || isLoopback(hostname)) return ok(`${place} answers, and takes the key`);
  return warning(`${place} is reached without https, so files can be read on the way`, 'Give it an https endpoint.');
}
