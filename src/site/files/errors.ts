// Errors of files, each code once.
import { asSaid, defineError } from '#kernel/problem.ts';

export const fileErrors = {
  rangeNotSatisfiable: defineError(416, 'range_not_satisfiable', 'The file does not have this byte range.'),
  fileNotFound: defineError(404, 'file_not_found', 'The file does not exist.'),
  invalidPath: defineError(400, 'invalid_path', asSaid),
  pathTaken: defineError(409, 'path_taken', 'A file and a folder cannot have the same path.'),
  fileTooLarge: defineError(413, 'file_too_large', 'The file is too large to be stored.'),
};
