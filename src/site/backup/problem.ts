/** Something is wrong with an archive, or with putting it back; the message is one sentence for the person at the command line. */
export class ArchiveProblem extends Error {
  constructor(message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.name = 'ArchiveProblem';
  }
}

export const damaged = (what: string, cause?: unknown): ArchiveProblem =>
  new ArchiveProblem(`The archive is damaged: ${what}. Take another copy of it, or another archive.`, { cause });

const reasons: Readonly<Record<string, string>> = {
  ENOSPC: 'there is no space left on that disk',
  EDQUOT: 'there is no space left for this user on that disk',
  EFBIG: 'no file may be that long there',
  EACCES: 'this user may not use it',
  EPERM: 'this user may not use it',
  EROFS: 'that disk is read-only',
  ENOENT: 'there is no such file or folder',
  ENOTDIR: 'part of that path is a file',
  EISDIR: 'it is a folder',
  EEXIST: 'it is there already',
  EPIPE: 'whoever read it has stopped',
  EIO: 'the disk reports errors',
  ENAMETOOLONG: 'its name is too long for that disk',
  ELOOP: 'links lead in a circle',
  ETXTBSY: 'a program is running from it',
  EMFILE: 'too many files are open',
  ENFILE: 'too many files are open',
};

/** The system's own word for what went wrong with a file, for the end of a sentence. */
export const reasonOf = (error: unknown): string | undefined => reasons[(error as NodeJS.ErrnoException).code ?? ''];

/** The same of the archive, as a sentence. */
export function unusable(file: string, error: unknown): unknown {
  const reason = reasonOf(error);
  if (reason === undefined) return error;
  return new ArchiveProblem(`The archive ${file} cannot be used: ${reason}.`, { cause: error });
}
