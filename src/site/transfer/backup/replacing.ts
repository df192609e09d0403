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

export const lost = 'The connection to the database was lost, and another restore may have started';

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
      'Files have appeared in the place for the uploaded files, so nothing was changed; add --force to replace them.',
    );
  const blocked = await aside.blocked(replaces);
  if (blocked === undefined) return;
  throw new ArchiveProblem(
    `Nothing was changed, because ${blocked} cannot be written to ${files.place}: a link or a folder has this path; remove it first.`,
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
    throw new ArchiveProblem(`other files appeared at the paths of some files, and were not replaced: ${some(kept)}`);
  if (placed !== end.files) throw new ArchiveProblem(`${placed} files were restored, but the archive has ${end.files}`);
}

async function refuseOthers({ isAlone }: Replacing): Promise<void> {
  if (!(await isAlone())) throw new ArchiveProblem(lost);
}

const shown = 3;
const some = (paths: readonly string[]): string =>
  paths.slice(0, shown).join(', ') + (paths.length > shown ? ` and ${paths.length - shown} more` : '');

const halfDone = (what: string, { where }: Aside, cause: unknown): ArchiveProblem =>
  new ArchiveProblem(
    `The database is restored, but some files are not: ${what}. Run the same restore again with --force. The missing files are in ${where}; delete them after that.`,
    { cause },
  );
