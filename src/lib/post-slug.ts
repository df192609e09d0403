// Titles as parts of addresses, spelled as addresses of such sites have always been: letters of other scripts stand in
// them as percent-encoded bytes.

/** Letters that are not a plain letter with a sign on it, and still are written as one. */
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

const most = 200;
/** Nothing after it gets into an address; what comes before is looked at more than once. */
const looked = 5_000;

const unaccented = (letter: string): string => {
  const plain = letter.normalize('NFKD').replace(/\p{M}+/gu, '');
  return plain.replace(/./gu, (one) => letters[one] ?? one);
};

/** A text as a part of an address. Cleaning twice changes nothing; empty when nothing of the kind is in it. */
export function postSlug(text: string): string {
  const spelled = text
    .slice(0, looked)
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
  return shortSlug(spelled.replace(/^-/, ''), most);
}

/** Of what is dropped, an encoded byte, a hyphen and an underscore are not. */
const kept = (sign: string, byte?: string): string => (byte !== undefined || sign === '-' || sign === '_' ? sign : '');

/** The beginning of it, in so many bytes, without half a letter or a hyphen at its end: room for a number behind it. */
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

/** The first bytes of a letter, and not all that it says will follow. */
const halfLetter = /(?:%[cd].|%e.(?:%[89ab].)?|%f.(?:%[89ab].){0,2})$/;
