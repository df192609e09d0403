// The generated password of the first user, in a file until somebody has seen it.
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '#store/folder.ts';
import { envOf } from '../config.ts';
import { Failed } from './command.ts';

export const firstPasswordFile = (data: string): string => join(data, 'first-password');

export const hasFirstPassword = (data: string): boolean => existsSync(firstPasswordFile(data));

/** What it holds; nothing when there is none, or this user may not read it. */
export function readFirstPassword(data: string): string | undefined {
  try {
    return readFileSync(firstPasswordFile(data), 'utf8').trim();
  } catch {
    return undefined;
  }
}

export const forgetFirstPassword = (data: string): void => rmSync(firstPasswordFile(data), { force: true });

interface Draft {
  keep(): void;
  drop(): void;
}

/** Written in full under another name before there is a user it belongs to: no crash leaves a user whose password nobody knows. */
export function draftOf(password: string, data: string): Draft {
  const file = firstPasswordFile(data);
  const draft = `${file}.${process.pid}`;
  try {
    makeFolder(data);
    rmSync(draft, { force: true });
    write(draft, `${password}\n`);
  } catch (error) {
    const why = (error as Error).message;
    const give = `give one as ${envOf('adminPassword')}`;
    throw new Failed(`The password of the first user cannot be kept in ${file}: ${why}; mend that, or ${give}.`);
  }
  return { keep: () => renameSync(draft, file), drop: () => rmSync(draft, { force: true }) };
}

function write(path: string, text: string): void {
  const handle = openSync(path, 'wx', 0o600);
  try {
    writeSync(handle, text);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
