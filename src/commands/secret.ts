import { randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { type Ask, Failed } from '#cli/command.ts';
import { BadSetting } from '#config/check.ts';
import { secretFault, secretFile } from '#site/platform/keys.ts';
import { makeFolder } from '#store/folder.ts';
import { fileOf } from '#store/store.ts';
import { type Config, envOf } from '../config.ts';
import { holdsNothing } from './options.ts';

/** The secret that was given, or the one in the data folder. It is born before the database, so beside one it is never made anew. */
export async function settledSecret(config: Config, ask: Pick<Ask, 'note'>): Promise<string> {
  if (config.secret) return config.secret;
  // In this order: of two processes that start together, one may make both in between.
  if (existsSync(fileOf(config)) && !existsSync(secretFile(config.data))) await refuseLost(config, ask);
  return ownSecret(config.data);
}

/** A database with nothing in it yet needs no old secret. */
async function refuseLost(config: Config, ask: Pick<Ask, 'note'>): Promise<void> {
  if (await holdsNothing(config, ask)) return;
  const file = secretFile(config.data);
  throw new Failed(
    `The secret ${file} is missing, and the database beside it needs it; restore the file, or give the secret as ${envOf('secret')}.`,
  );
}

// The secret of a site that was given none.

/** Made under a name of its own and linked into place: of several that start together, one secret wins and is whole. */
function keep(file: string): void {
  const made = `${file}.${process.pid}`;
  rmSync(made, { force: true });
  const handle = openSync(made, 'wx', 0o600);
  try {
    writeSync(handle, `${randomBytes(32).toString('base64url')}\n`);
    fsyncSync(handle);
    linkSync(made, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    closeSync(handle);
    rmSync(made, { force: true });
  }
}

/** What stands in the way of the secret: the file itself, or the folder it is in. */
function unusable({ code = '', message, path, syscall }: NodeJS.ErrnoException, data: string): string {
  const denied = code === 'EACCES' || code === 'EPERM';
  if (denied && path === secretFile(data) && syscall === 'open') {
    return `This system user cannot read the secret in ${path}; make it the owner of the file and run "chmod 600 ${path}".`;
  }
  const file = code === 'EEXIST' || code === 'ENOTDIR';
  const nowhere = code === 'ENOENT' ? 'a folder cannot be created there' : message;
  const why = denied
    ? 'this system user cannot read and write it'
    : file
      ? 'it is a file or is inside a file'
      : nowhere;
  return `The data folder ${data} cannot be used: ${why}. Give a folder of this system user with --data.`;
}

/** Kept in the data folder, made on the first start. */
export function ownSecret(data: string): string {
  const file = secretFile(data);
  try {
    makeFolder(data);
    if (statSync(file, { throwIfNoEntry: false }) === undefined) keep(file);
    const fault = secretFault(data);
    if (fault !== undefined) throw new BadSetting(fault);
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    if (error instanceof BadSetting) throw error;
    throw new BadSetting(unusable(error as NodeJS.ErrnoException, data));
  }
}
