// Errors of the operating system about files, as the end of a sentence.

const sentenceEnds: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota of this system user is full',
  EFBIG: 'the file is too large for that disk',
  EACCES: 'this system user has no access to it',
  EPERM: 'this system user has no access to it',
  EROFS: 'the disk is read-only',
  ENOENT: 'the file or folder does not exist',
  ENOTDIR: 'a part of the path is a file',
  EISDIR: 'it is a folder',
  EEXIST: 'it exists already',
  EPIPE: 'the reading process ended',
  EIO: 'the disk reports errors',
  ENAMETOOLONG: 'its name is too long for the disk',
  ELOOP: 'its symbolic links form a loop',
  ETXTBSY: 'it is a program that is running',
  EMFILE: 'too many files are open',
  ENFILE: 'too many files are open',
};

/** `undefined` for an error that is not about a file. */
export const fileErrorReason = (error: unknown): string | undefined =>
  sentenceEnds[(error as NodeJS.ErrnoException).code ?? ''];
