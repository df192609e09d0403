// What doctor looks at where files are kept. Nothing is written there.
import { accessSync, constants } from 'node:fs';
import { Unavailable } from '#lib/failures.ts';
import { isLoopback } from '#lib/loopback.ts';
import { createS3Files } from '#site/files/s3/s3.ts';
import { type Config, envOf } from '../config.ts';
import { type Finding, lookedAt, nearestFolder, ok, warning, wrong } from './findings.ts';

const what = 'Files';

export async function files(config: Config): Promise<Finding> {
  return config.media.kind === 's3' ? objectStore(config) : folder(config.media.path);
}

function folder(path: string): Finding {
  const there = lookedAt(path);
  if (there && !there.isDirectory()) return wrong(what, `${path} is no folder`, `Give ${envOf('media')} another.`);
  const nearest = there ? path : nearestFolder(path);
  try {
    accessSync(nearest, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch {
    const remedy = `Give the folder to this user, or name another with ${envOf('media')}.`;
    return wrong(what, `this user may not write to ${nearest}`, remedy);
  }
  return ok(what, there ? `kept in ${path}` : `${path} will be made at the first start`);
}

async function objectStore({ media, mediaKeys }: Config): Promise<Finding> {
  if (media.kind !== 's3' || mediaKeys === undefined) throw new Error('An object store has its keys.');
  const { place, ping } = createS3Files(media, mediaKeys);
  try {
    await ping();
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    const remedy = `Mend the store, ${envOf('media')} or its keys, then look again.`;
    return wrong(what, error.message.replace(/\.$/, ''), remedy);
  }
  const { protocol, hostname } = new URL(media.endpoint);
  if (protocol === 'https:' || isLoopback(hostname)) return ok(what, `${place} answers, and takes the key`);
  return warning(
    what,
    `${place} is reached without https, so files can be read on the way`,
    'Give it an https endpoint.',
  );
}
