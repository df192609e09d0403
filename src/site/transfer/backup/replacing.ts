// The site replaced by what the archive holds. Its files are put beside those that are there first, which finds out whether there is
// room for them; nothing that was there is touched while something can still be refused, and without consent not then either.
import { randomUUID } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import type { Aside, Files } from '../../files/files.ts';
import { ArchiveProblem, type End } from './format.ts';
import { eraseStrays, hasFiles, putAside } from './media.ts';

interface Replacing {
  readonly files: Files;
  readonly archive: FileHandle;
  readonly end: End;
  /** Whether somebody agreed that the files that are there go. */
  readonly replaces: boolean;
  /** The database, all of it or nothing. */
  refill(): Promise<void>;
  /** Whether nobody else can have begun to replace the site meanwhile. */
  isAlone(): Promise<boolean>;
  /** Says that every file is in its place: from then on the site opens. */
  finish(): Promise<void>;
  progress(bytes: number): void;
}

export const lost = 'The connection to the database was lost meanwhile and another restore may have begun';

/** The database comes before the files get their places: if it refuses, those that are there are still there. */
export async function replace(replacing: Replacing): Promise<void> {
  const { files, archive, end, progress, refill } = replacing;
  const aside = files.aside(`restore-${randomUUID()}`); // nothing that lies there already could be taken for this restore's
  try {
    await putAside(aside, archive, end, progress);
    await refuseUnplaceable(aside, replacing);
    await refill();
  } catch (error) {
    await forgotten(aside);
    throw error;
  }
  await place(aside, replacing);
  await forgotten(aside);
}

/** What is left is in nobody's way. */
const forgotten = (aside: Aside): Promise<void> => aside.clear().catch(() => {});

async function refuseUnplaceable(aside: Aside, { files, replaces }: Replacing): Promise<void> {
  if (!replaces && (await hasFiles(files)))
    throw new ArchiveProblem(
      'There are files by now where the site’s are to go, so nothing was changed; add --force to replace what is there.',
    );
  const blocked = await aside.blocked(replaces);
  if (blocked === undefined) return;
  throw new ArchiveProblem(
    `Nothing was changed, for ${blocked} cannot be put into ${files.place}: a link or a folder is in its way; take that away first.`,
  );
}

async function place(aside: Aside, replacing: Replacing): Promise<void> {
  try {
    await refuseOthers(replacing);
    await placeAll(aside, replacing);
    await refuseOthers(replacing);
    await replacing.finish();
  } catch (cause) {
    const reason = (cause as Error).message.replace(/\.$/, '');
    throw halfDone(reason, aside, cause);
  }
}

async function placeAll(aside: Aside, { files, archive, end, replaces }: Replacing): Promise<void> {
  const kept: string[] = [];
  if (replaces) await eraseStrays(files, archive);
  const placed = await aside.place(replaces ? undefined : (path) => void kept.push(path));
  if (kept.length > 0)
    throw new ArchiveProblem(`others came meanwhile where some of its files belong, and stay: ${some(kept)}`);
  if (placed !== end.files) throw new ArchiveProblem(`there were ${placed} to place, and ${end.files} in the archive`);
}

async function refuseOthers({ isAlone }: Replacing): Promise<void> {
  if (!(await isAlone())) throw new ArchiveProblem(lost);
}

const shown = 3;
const some = (paths: readonly string[]): string =>
  paths.slice(0, shown).join(', ') + (paths.length > shown ? ` and ${paths.length - shown} more` : '');

const halfDone = (what: string, { where }: Aside, cause: unknown): ArchiveProblem =>
  new ArchiveProblem(
    `The database is that of the archive by now, but not every file is in its place: ${what}. Run the same restore again with --force; what was not placed lies in ${where} and can be erased then.`,
    { cause },
  );
