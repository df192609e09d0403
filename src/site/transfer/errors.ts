// Errors of transfer, each code once.
import { asSaid, defineError } from '#kernel/problem.ts';

export const transferErrors = {
  importUnderWay: defineError(409, 'import_under_way', 'Another import is running. Please wait until it has ended.'),
  wxrTooLarge: defineError(413, 'wxr_too_large', 'An export file can have at most 16 GiB. Export the site in parts.'),
  invalidWxr: defineError(400, 'invalid_wxr', asSaid),
  noUploads: defineError(400, 'no_uploads', asSaid),
  sizeMismatch: defineError(
    400,
    'size_mismatch',
    (size: number, claimed: number) => `The file has ${size} bytes, but the upload announced ${claimed}.`,
  ),
  malformed: defineError(502, 'malformed', 'It has no id, so it is not a record.'),
  noInterface: defineError(502, 'no_interface', (href: string) => `No API to import from was found at ${href}.`),
  invalidUrl: defineError(400, 'invalid_url', asSaid),
  elsewhere: defineError(
    400,
    'elsewhere',
    (origin: string) => `The API of this site is at ${origin}; to import from there, give that URL.`,
  ),
  downloadSizeMismatch: defineError(
    502,
    'size_mismatch',
    (size: number, said: number) => `The file has ${size} bytes, but the upload announced ${said}.`,
  ),
  unending: defineError(502, 'unending', asSaid),
  notSignedIn: defineError(
    403,
    'not_signed_in',
    'The other site refused this login and application password. Some servers do not pass on the header Authorization.',
  ),
};
