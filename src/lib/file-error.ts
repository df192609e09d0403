// Errors of the operating system about files, as the end of a sentence.

const sentenceEnds: Readonly<Record<string, string>> = {
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

/** `undefined` for an error that is not about a file. */
export const fileErrorReason = (error: unknown): string | undefined =>
  sentenceEnds[(error as NodeJS.ErrnoException).code ?? ''];
