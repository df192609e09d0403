// What single values say as text, and how their letters and escapes are read.
import { decodeLeniently } from '#kernel/args/query.ts';
import { plusToSpaces } from '#lib/form-encoding.ts';

type Scalar = string | number | boolean;

export const isScalar = (value: unknown): value is Scalar =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';

export const textOf = (value: Scalar): string =>
  typeof value === 'string' ? value : value === true ? '1' : value === false ? '' : String(value);

export const isTrue = (value: Scalar): boolean => value !== '' && value !== '0' && value !== 0 && value !== false;

/** A map or a list. */
export const isContainer = (value: unknown): value is Record<string, unknown> | unknown[] =>
  typeof value === 'object' && value !== null;

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  isContainer(value) && !Array.isArray(value);

/** Read once: "+" is a space, and what is no escape stays. */
export function urlDecoded(text: string): string {
  const spaced = plusToSpaces(text);
  if (!spaced.includes('%')) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    return decodeLeniently(spaced);
  }
}

const isAscii = (text: string): boolean => /^[\0-\x7f]*$/.test(text);

/** Only A to Z: other letters stay as they are. */
export function lowered(text: string): string {
  const lower = text.toLowerCase();
  return lower === text || isAscii(text) ? lower : text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
