// Errors of transfer, each code once.
import { asSaid, defineError } from '#kernel/problem.ts';

export const transferErrors = {
  importUnderWay: defineError(
    409,
    'import_under_way',
    'Another file is being moved in. Please wait until that is done.',
  ),
  wxrTooLarge: defineError(413, 'wxr_too_large', 'An export file may have 16 GiB at most. Please export it in parts.'),
  invalidWxr: defineError(400, 'invalid_wxr', asSaid),
  noUploads: defineError(400, 'no_uploads', asSaid),
  sizeMismatch: defineError(
    400,
    'size_mismatch',
    (size: number, claimed: number) => `The file has ${size} bytes and not ${claimed}, as was said.`,
  ),
  malformed: defineError(502, 'malformed', 'It has no number, so it is no record.'),
  noInterface: defineError(502, 'no_interface', (href: string) => `No interface to move in from was found at ${href}.`),
  invalidUrl: defineError(400, 'invalid_url', asSaid),
  elsewhere: defineError(
    400,
    'elsewhere',
    (origin: string) => `The interface of this site is at ${origin}; to move in from there, give that address.`,
  ),
  downloadSizeMismatch: defineError(
    502,
    'size_mismatch',
    (size: number, said: number) => `The file has ${size} bytes and not ${said}, as was said.`,
  ),
  unending: defineError(502, 'unending', asSaid),
  notSignedIn: defineError(
    403,
    'not_signed_in',
    'The other site did not take this login and application password; some servers keep them from it altogether.',
  ),
};
