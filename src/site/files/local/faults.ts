// What a file system answers, in words that somebody can do something with.
import { Problem } from '#kernel/problem.ts';
import { OutOfSpace, Unavailable } from '#lib/failures.ts';

export const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException | undefined)?.code;

const full = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);
const inTheWay = new Set(['ENOTDIR', 'EISDIR', 'EEXIST', 'ENOTEMPTY']);
const why: Readonly<Record<string, string>> = {
  EACCES: 'this user may not',
  EPERM: 'this user may not',
  EROFS: 'the disk takes no changes',
  EIO: 'the disk is faulty',
  EMFILE: 'too many files are open',
  ENFILE: 'too many files are open',
  ENOENT: 'the folder is gone',
};

export function faultOf(error: unknown, doing: 'read' | 'written'): unknown {
  const code = codeOf(error);
  // What begins so is a word of Node: something of ours is wrong, and not the disk.
  if (code === undefined || code.startsWith('ERR_') || error instanceof Problem) return error;
  if (full.has(code)) return new OutOfSpace('There is no room left where files are kept.', { cause: error });
  if (inTheWay.has(code)) return new Problem(409, 'path_taken', 'A file and a folder cannot have the same path.');
  const { path = '' } = error as NodeJS.ErrnoException;
  const where = path === '' ? '' : ` (${path})`;
  return new Unavailable(`Files cannot be ${doing} just now: ${why[code] ?? code}${where}.`, { cause: error });
}

/** Does it, and says what went wrong in our own words. */
export async function told<T>(doing: 'read' | 'written', work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw faultOf(error, doing);
  }
}
