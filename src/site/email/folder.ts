// Letters as files in the data folder, for the operator to send on or to read.
import { readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { OutOfSpace, Unavailable } from '#lib/failures.ts';
import { day } from '#lib/spans.ts';
import type { Log } from '#store/engine.ts';
import { makeFolder } from '#store/folder.ts';
import { Blocked, type Carrier } from './delivering.ts';
import { composed, localPart, stamp } from './letter.ts';

export const mailFolder = (data: string): string => join(data, 'mail');

const mostFiles = 10_000;
const keptFor = 30 * day;
const ours = /^\d{8}T\d{9}Z-.*\.eml(?:\.part)?$/;

export function createMailFolder(data: string, log: Pick<Log, 'info'>): Carrier {
  const folder = mailFolder(data);
  return {
    async carry(letter) {
      // Named by the letter: carried again after a crash, it is the same file.
      const path = join(folder, `${localPart(letter.id)}.eml`);
      await keep(folder, path, await composed(letter, 8)).catch(told);
      // What it says is between the site and the person: it may hold a link that opens an account.
      log.info({ path }, 'Wrote an email to the mail folder.');
    },
    async tidy(now) {
      const names = (await readdir(folder).catch(noneWhenAbsent)).filter((name) => ours.test(name)).sort();
      const oldest = stamp(new Date(now.getTime() - keptFor));
      const surplus = names.length - mostFiles;
      const old = names.filter((name, at) => at < surplus || name < oldest);
      for (const name of old) await rm(join(folder, name), { force: true });
      return old.length;
    },
    close() {},
  };
}

/** Whole or not at all: whoever watches the folder never meets half a message. */
async function keep(folder: string, path: string, letter: Buffer): Promise<void> {
  const unfinished = `${path}.part`;
  makeFolder(folder);
  try {
    await writeFile(unfinished, letter, { mode: 0o600, flush: true });
    await rename(unfinished, path);
  } catch (error) {
    await rm(unfinished, { force: true }).catch(() => {});
    throw error;
  }
}

function told(cause: NodeJS.ErrnoException): never {
  if (cause.code === 'ENOSPC' || cause.code === 'EDQUOT')
    throw new OutOfSpace('The disk of the mail folder is full.', { cause });
  throw new Blocked(`The email cannot be written to the mail folder (${cause.code ?? cause.message}).`, { cause });
}

function noneWhenAbsent(cause: NodeJS.ErrnoException): string[] {
  if (cause.code !== 'ENOENT') throw new Unavailable(`The mail folder cannot be read (${cause.code}).`, { cause });
  return [];
}
