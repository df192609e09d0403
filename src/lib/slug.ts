// Texts as parts of URLs.
import { fold } from './fold.ts';

/** A slug of lower-case letters, digits and single hyphens. It is empty when the text has none of them. */
export const slugOf = (text: string): string =>
  fold(text)
    .replace(/['’@]+/g, '')
    .replace(/[^\p{L}\p{N}_]+/gu, '-')
    .replace(/^-+|-+$/g, '');

/** Letters that are no plain letter with an accent, and still are written as plain letters. */
const letters: Readonly<Record<string, string>> = {
  ß: 's',
  ẞ: 'S',
  æ: 'ae',
  Æ: 'AE',
  œ: 'oe',
  Œ: 'OE',
  ø: 'o',
  Ø: 'O',
  ð: 'd',
  Ð: 'D',
  đ: 'd',
  Đ: 'D',
  þ: 'th',
  Þ: 'TH',
  ħ: 'h',
  Ħ: 'H',
  ı: 'i',
  ĸ: 'k',
  ł: 'l',
  Ł: 'L',
  ŋ: 'n',
  Ŋ: 'N',
  ŧ: 't',
  Ŧ: 'T',
};

const maxBytes = 200;
/** Text behind this is ignored, because the text before it is read more than once and fills every slug. */
const maxLength = 5_000;

const unaccented = (letter: string): string => {
  const plain = letter.normalize('NFKD').replace(/\p{M}+/gu, '');
  return plain.replace(/./gu, (one) => letters[one] ?? one);
};

/**
 * A slug as URLs of such sites have always spelled it: letters of other scripts become percent-encoded bytes. The slug of a slug is
 * the same slug.
 */
export function postSlug(text: string): string {
  const spelled = text
    .slice(0, maxLength)
    .toWellFormed()
    .replace(/<[^\s<>][^<>]*>/g, '')
    .replace(/&[^;\n]+;/g, '')
    .replace(/\p{Script=Latin}\p{M}*/gu, unaccented)
    .toLowerCase()
    .replace(/[.\p{Zs}\p{Pd}/]/gu, '-')
    .replaceAll('×', 'x')
    .replace(/(%[0-9a-f]{2})|[\p{P}\p{Cc}\p{Cf}\p{Zl}\p{Zp}$+<=>^`|~©®™°´\ufffc\ufffd]/gu, kept)
    .replace(/\P{ASCII}+/gu, (others) => encodeURIComponent(others).toLowerCase())
    .replace(/-+/g, '-');
  return shortSlug(spelled.replace(/^-/, ''), maxBytes);
}

/** Encoded bytes, hyphens and underscores stay when other symbols are dropped. */
const kept = (sign: string, byte?: string): string => (byte !== undefined || sign === '-' || sign === '_' ? sign : '');

/** Cuts a slug so that a number fits behind it, without half a letter or a hyphen at its end. */
export function shortSlug(slug: string, bytes: number): string {
  const cut =
    slug.length <= bytes
      ? slug
      : slug
          .slice(0, bytes)
          .replace(/%[0-9a-f]?$/, '')
          .replace(halfLetter, '');
  return cut.replace(/-$/, '');
}

/** The first bytes of a letter whose other bytes were cut off. */
const halfLetter = /(?:%[cd].|%e.(?:%[89ab].)?|%f.(?:%[89ab].){0,2})$/;
