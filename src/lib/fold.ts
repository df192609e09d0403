/** Letters that are not a plain letter with a sign on it, and still are looked for as one. */
const letters: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ð: 'd',
  þ: 'th',
  đ: 'd',
  ħ: 'h',
  ı: 'i',
  ł: 'l',
  ŋ: 'n',
  ŧ: 't',
};
const special = new RegExp(`[${Object.keys(letters).join('')}]`, 'g');

/** No letter of any language carries more. Putting a run of signs in order takes the square of its length. */
const mostSigns = 30;
/** Two signs of Japanese are letters until they are taken apart. */
const sign = '[\\p{M}\\uff9e\\uff9f]';
const manySigns = new RegExp(`(${sign}{${mostSigns}})${sign}+`, 'gu');

/** Text as it is compared where capitals and accents do not matter. Folding twice changes nothing. */
export function fold(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: most text is plain, and is quickly done
  if (/^[\x00-\x7f]*$/.test(text)) return text.toLowerCase();
  const plain = text
    .replace(manySigns, '$1')
    .normalize('NFKD')
    .toLowerCase()
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '');
  return plain.replace(special, (letter) => letters[letter]!).normalize('NFC');
}
