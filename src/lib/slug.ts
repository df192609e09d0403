import { fold } from './fold.ts';

/** A text as a part of an address: small letters, digits and single hyphens. Empty when nothing of the kind is in it. */
export const slugOf = (text: string): string =>
  fold(text)
    .replace(/['’@]+/g, '')
    .replace(/[^\p{L}\p{N}_]+/gu, '-')
    .replace(/^-+|-+$/g, '');
