// Folders that people name: made where they are not there yet, for this user alone.
import { mkdir, readdir, realpath, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { Unavailable } from '#lib/failures.ts';
import { writeArchive } from '#site/transfer/backup/file.ts';
import type { Sink } from '#site/transfer/backup/writer.ts';

/**
 * One after the other, and each of them tried twice at most: where the system says of a new folder that there is no such file, as below
 * /proc, what makes all of them at once tries for ever.
 */
export async function makeFolder(path: string): Promise<void> {
  const isMade = await made(path);
  if (isMade) return;
  await makeFolder(dirname(path));
  await mkdir(path, { mode: 0o700 }).catch(unlessThere(path));
}

/** Whether the folder is the outer one or lies in it, whatever links lead there; also one that is not made yet. */
export async function liesIn(outer: string, folder: string): Promise<boolean> {
  const [around, real] = await Promise.all([realOf(outer), realOf(folder)]);
  return real === around || real.startsWith(around + sep);
}

const realOf = (path: string): Promise<string> =>
  realpath(path).catch(async () => {
    const whole = resolve(path);
    return dirname(whole) === whole ? whole : join(await realOf(dirname(whole)), basename(whole));
  });

/** Whether it is there now; not, where the folder it lies in is missing. */
async function made(path: string): Promise<boolean> {
  try {
    await mkdir(path, { mode: 0o700 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT' && dirname(path) !== path) return false;
    unlessThere(path)(error);
    return true;
  }
}

const unlessThere = (path: string) => (error: unknown) => {
  const { code } = error as NodeJS.ErrnoException;
  if (code !== 'EEXIST') throw new Unavailable(`The folder ${path} cannot be created (${code}).`, { cause: error });
};

// Who may do what with the files that matter, as the system keeps it.

/** By path: in octal digits. */
type Rights = Readonly<Record<string, { path: string; suggested: string; actual: string }>>;

interface Looked {
  readonly path: string;
  readonly kind: 'folder' | 'secret';
}

const suggested = { folder: '755', secret: '444' } as const;

/** What is not there is left out. */
export async function rightsOf(base: string, all: readonly Looked[]): Promise<Rights> {
  const found = await Promise.all(
    all.map(async ({ path, kind }) => {
      const there = await stat(path).catch(() => undefined);
      if (there === undefined) return [];
      const actual = (there.mode & 0o777).toString(8).padStart(3, '0');
      return [[path, { path: relative(base, path) || '.', suggested: suggested[kind], actual }] as const];
    }),
  );
  return Object.fromEntries(found.flat());
}

// The folder of backups: a file each, of which the oldest may be deleted.

/** Why a backup was made: each kind is pruned on its own. */
export type BackupKind = 'backup' | 'before-update';

/** By their names they are sorted, and nobody guesses one. */
const forms: Readonly<Record<BackupKind, RegExp>> = {
  backup: /^backup-\d{8}T\d{6}Z-[\da-f-]{36}\.gatehouse$/,
  'before-update': /^before-update-\d{8}T\d{6}Z-[\da-f-]{36}\.gatehouse$/,
};

export const nameOf = (at: Date, unique: string, kind: BackupKind = 'backup'): string =>
  `${kind}-${at.toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z-${unique}.gatehouse`;

/** Whole or not at all, and for this user alone. Answers how many bytes it has. */
export async function keep(folder: string, name: string, work: (sink: Sink) => Promise<unknown>): Promise<number> {
  await makeFolder(folder);
  const path = join(folder, name);
  await writeArchive(path, false, work);
  return (await stat(path)).size;
}

/** All but the newest of their kind; answers how many were deleted. */
export async function prune(folder: string, most: number, kind: BackupKind = 'backup'): Promise<number> {
  const old = (await readdir(folder))
    .filter((name) => forms[kind].test(name))
    .sort()
    .reverse()
    .slice(most);
  for (const name of old) await rm(join(folder, name), { force: true });
  return old.length;
}
