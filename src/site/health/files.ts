// Where files are kept, looked at without writing anything there.
import { constants, existsSync, type Stats, statSync } from 'node:fs';
import { access, stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Unavailable } from '#lib/failures.ts';
import { isLoopback } from '#lib/ip-address.ts';
import { day } from '#lib/spans.ts';
import { StoreProblem } from '#store/problem.ts';
import { type AnyStore, fileOf } from '#store/store.ts';
import { missingKeys, secretFault, secretFile, secretOf, storedKeys } from '../platform/keys.ts';
import { note, ok, type Seen, warning, wrong } from './check.ts';
import type { Installation, Stored } from './installation.ts';
import { markOf } from './marks.ts';

export async function files(installation: Installation): Promise<Seen> {
  return installation.media.kind === 's3' ? objectStore(installation) : folder(installation.media.path);
}

async function folder(path: string): Promise<Seen> {
  const there = await lookedAt(path);
  if (there && !there.isDirectory()) return wrong(`${path} is not a folder`, `Give GATEHOUSE_MEDIA another.`);
  const nearest = there ? path : await nearestFolder(path);
  try {
    await access(nearest, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch {
    const remedy = `Make this system user the owner of the folder, or name another folder with GATEHOUSE_MEDIA.`;
    return wrong(`this system user cannot write to ${nearest}`, remedy);
  }
  return ok(there ? `stored in ${path}` : `${path} will be created at the first start`);
}

async function objectStore({ media, mediaKeys }: Installation): Promise<Seen> {
  if (media.kind !== 's3' || mediaKeys === undefined) throw new Error('An S3 bucket needs its access keys.');
  const { createS3Files } = await import('../files/s3/s3.ts');
  const { place, ping } = createS3Files(media, mediaKeys);
  try {
    await ping();
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    const remedy = `Correct the bucket, GATEHOUSE_MEDIA or the access keys, then check again.`;
    return wrong(error.message.replace(/\.$/, ''), remedy);
  }
  const { protocol, hostname } = new URL(media.endpoint);
  if (protocol === 'https:' || isLoopback(hostname)) return ok(`${place} answers and accepts the access key`);
  return warning(
    `${place} does not use https, so others on the network can read the files`,
    'Give it an https endpoint.',
  );
}

// The secret that wraps the keys of the site must open them. Findings never show the secret or a key.

const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() === true;

export function secret({ secret: given, data }: Installation): Seen {
  const file = secretFile(data);
  // A site that is open has read it, wherever it was.
  if (given !== undefined && given !== secretOf({ data })) return ok('given as GATEHOUSE_SECRET');
  try {
    if (isFile(data)) return wrong(`cannot be stored: ${data} is a file`, 'Give the path of a folder with --data.');
    if (!statSync(file, { throwIfNoEntry: false })) return notYet(data);
    const fault = secretFault(data);
    return fault ? wrong(fault, 'Correct this, then check again.') : ok(`stored in ${file}`);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const why = code === 'EACCES' ? 'this system user cannot read it' : message;
    return wrong(
      `${file} cannot be read: ${why}`,
      'Make this system user the owner of the data folder and its content.',
    );
  }
}

function notYet(data: string): Seen {
  if (!existsSync(fileOf({ data }))) return ok('will be generated at the first start');
  const remedy = 'Restore the file, or give the secret as GATEHOUSE_SECRET.';
  return wrong(`${secretFile(data)} is missing, but the database needs it`, remedy);
}

/** Whether the secret is the one that this database was started with. */
export async function keys(store: AnyStore, installation: Installation): Promise<Seen> {
  const any = await store.db.selectFrom('keys').select('name').limit(1).execute();
  if (any.length === 0) return ok('will be created at the first start');
  const secret = secretOf(installation);
  if (secret === undefined) return note('not checked, because the secret is missing');
  try {
    const missing = missingKeys(await storedKeys(store, secret));
    if (missing.length === 0) return ok('the secret decrypts them');
    return note(
      `the secret decrypts them; these are missing and will be created at the next start: ${missing.join(', ')}`,
    );
  } catch (error) {
    if (!(error instanceof StoreProblem)) throw error;
    const { fault, remedy } = error;
    return wrong(fault, `${remedy[0]?.toUpperCase()}${remedy.slice(1)}.`);
  }
}

// The database of the site, and how old its last copy is.

export async function database({ store }: Stored): Promise<Seen> {
  try {
    await store.ping();
    return ok(`${store.place} answers: ${await store.release()}`);
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    return wrong(error.message.replace(/\.$/, ''), 'Check that the database runs and can be reached.');
  }
}

export async function migrations({ store }: Stored): Promise<Seen> {
  try {
    const { length } = await store.pending();
    if (length === 0) return ok('the database is up to date');
    return wrong(`${length === 1 ? 'one is' : `${length} are`} to come`, 'Restart the site: it applies them.');
  } catch (error) {
    if (!(error instanceof StoreProblem)) throw error;
    const { fault, remedy } = error;
    return wrong(fault, `${remedy[0]?.toUpperCase()}${remedy.slice(1)}.`);
  }
}

const seldom = 7;

export async function backup({ store, clock }: Stored): Promise<Seen> {
  const last = await markOf(store, 'backup');
  const remedy = 'Run "gatehouse backup FILE" every night, and store the archives on another machine.';
  if (last === undefined) return note('"gatehouse backup" has not run yet', remedy);
  const days = Math.floor((clock().getTime() - last.getTime()) / day);
  const finding = days < 1 ? 'less than 1 day old' : days === 1 ? '1 day old' : `${days} days old`;
  return days > seldom ? warning(finding, remedy) : ok(finding);
}

/** The folders of the site and the disks they are on. Nothing is made or changed. */
export async function dataFolder({ data }: Installation): Promise<Seen> {
  const there = await lookedAt(data);
  if (there && !there.isDirectory()) return wrong(`${data} is a file`, 'Give the path of a folder with --data.');
  const folder = there ? data : await nearestFolder(data);
  try {
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch {
    const remedy = 'Make this system user the owner of the folder, or choose another folder with --data.';
    return wrong(`this system user cannot write to ${folder}`, remedy);
  }
  if (!there) return ok(`${data} will be created at the first start`);
  const shut = (there.mode & 0o077) === 0;
  return shut ? ok(data) : warning(`${data} is open to other users of this machine`, `Run "chmod 700 ${data}".`);
}

/** What stands at a path; nothing also where this user may not look. */
const lookedAt = (path: string): Promise<Stats | undefined> => stat(path).catch(() => undefined);

async function nearestFolder(path: string): Promise<string> {
  const parent = dirname(path);
  return parent === path || (await lookedAt(path)) !== undefined ? path : nearestFolder(parent);
}

const mebibyte = 1024 ** 2;

/** The disk of the data folder, and that of the media where it is another. */
export async function disk({ data, media }: Installation): Promise<Seen> {
  const first = await nearestFolder(data);
  const second = media.kind === 'folder' ? await nearestFolder(media.path) : first;
  const [one, other] = [await stat(first), await stat(second)];
  const folders = one.dev === other.dev ? [first] : [first, second];
  const rooms = await Promise.all(folders.map(async (folder) => ({ folder, free: await freeOn(folder) })));
  const [least] = rooms.toSorted((a, b) => a.free - b.free);
  const finding = rooms
    .map(({ free }, at) => `${written(free)} free${at === 0 ? '' : ' for uploaded files'}`)
    .join(', ');
  return judged(finding, least!);
}

function judged(finding: string, { folder, free }: { readonly folder: string; readonly free: number }): Seen {
  const remedy = `Free some space on the disk of ${folder}.`;
  if (free < 100) return wrong(finding, remedy);
  return free < 1024 ? warning(finding, remedy) : ok(finding);
}

/** In MiB. */
const freeOn = async (folder: string): Promise<number> => Math.floor((await freeBytes(folder)) / mebibyte);

/** On the disk of a folder that is there. */
export async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

const written = (free: number): string => (free < 1024 ? `${free} MiB` : `${Math.floor(free / 1024)} GiB`);
