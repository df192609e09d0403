// Folders that people name: made where they are not there yet, for this user alone.
import { mkdir, realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { Unavailable } from '#lib/failures.ts';

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
  if (code !== 'EEXIST') throw new Unavailable(`The folder ${path} cannot be made (${code}).`, { cause: error });
};
