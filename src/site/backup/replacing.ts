// What is there replaced by what the archive holds. Its files are put beside those that are there first, which finds out whether
// there is room for them; nothing that was there is touched while something can still be refused.
import type { FileHandle } from 'node:fs/promises';
import type { Aside, Files } from '../files/files.ts';
import type { End } from './format.ts';
import { eraseStrays, holdsOthers, putAside, takeBack } from './media.ts';
import { ArchiveProblem } from './problem.ts';

export interface Replacing {
  readonly files: Files;
  readonly archive: FileHandle;
  readonly end: End;
  /** The database, all of it or nothing. */
  refill(): Promise<void>;
  progress(bytes: number): void;
}

/** Of an archive on its way to an empty place: what lies there until it is all done tells that a try was cut off. */
const asideOf = (files: Files, { digest }: End, where: 'empty' | 'full'): Aside =>
  files.aside(`restore-${where}-${digest.slice(0, 32)}`);

/** Whether files are there that no try of this archive, going to an empty place, put there. */
export async function hasOwnFiles(files: Files, archive: FileHandle, end: End, hasRows: boolean): Promise<boolean> {
  const wasTried = !hasRows && (await asideOf(files, end, 'empty').isThere());
  return holdsOthers(files, archive, wasTried);
}

/** Where nothing was. The files come first, so that a database with rows in it is a site with all its files. */
export async function settle(replacing: Replacing): Promise<void> {
  const { files, archive, end, refill } = replacing;
  const aside = asideOf(files, end, 'empty');
  let isPlacing = false;
  try {
    await prepared(aside, replacing);
    isPlacing = true;
    await aside.place();
    await refill();
  } catch (error) {
    const undone = isPlacing ? takeBack(files, archive) : Promise.resolve();
    await undone.then(() => aside.clear()).catch(() => {}); // what went wrong first says more
    throw error;
  }
  await forgotten(aside);
}

/** Where a site was. Its files stay until the database has taken the archive. */
export async function replace(replacing: Replacing): Promise<void> {
  const { files, archive, end, refill } = replacing;
  const aside = asideOf(files, end, 'full');
  try {
    await prepared(aside, replacing);
    await refill();
    await halfDone(async () => {
      await eraseStrays(files, archive);
      await aside.place();
    });
  } finally {
    await forgotten(aside);
  }
}

/** What is left is in nobody's way, and cleared by the next try. */
const forgotten = (aside: Aside): Promise<void> => aside.clear().catch(() => {});

async function prepared(aside: Aside, { archive, end, progress }: Replacing): Promise<void> {
  await aside.clear();
  await putAside(aside, archive, end, progress);
}

async function halfDone(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (cause) {
    const reason = (cause as Error).message.replace(/\.$/, '');
    const state = 'The database is that of the archive by now, but not every file is in its place';
    throw new ArchiveProblem(`${state}: ${reason}. Run the same restore again.`, { cause });
  }
}
