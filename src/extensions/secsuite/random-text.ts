// Secrets that people copy or that file names contain.
import { randomBytes } from 'node:crypto';

/** Of this many characters, all of which may stand in a URL. */
export const randomText = (length: number): string => randomBytes(length).toString('base64url').slice(0, length);
