// What somebody who searches has typed, taken apart.
import { fold } from '#lib/fold.ts';

interface SearchTerms {
  /** Each of them is found, as it is written here: without capitals and accents. */
  readonly wanted: readonly string[];
  /** None of them is found. */
  readonly unwanted: readonly string[];
  /** All that is wanted, as it was typed: records that have it so come first. */
  readonly phrase: string;
}

/** Too common to tell anything. */
const stopWords = new Set(
  'about an are as at be by com for from how in is it of on or that the this to was what when where who will with www'.split(
    ' ',
  ),
);

/** Nobody means more; each one is asked of the database. */
const most = 12;

/** A phrase in quotes, which may lack the last one, or what stands between blanks, commas and pluses. */
const pieces = /(-?)(?:"([^"]*)"?|([^\s",+]+))/g;

export function termsOf(search: string): SearchTerms {
  const unwanted: string[] = [];
  const typed: string[] = [];
  const wanted: string[] = [];
  for (const [, sign, quoted, plain] of search.matchAll(pieces)) {
    const text = (quoted ?? plain ?? '').trim();
    if (text === '') continue;
    if (sign === '-') {
      if (text !== '-') unwanted.push(fold(text));
      continue;
    }
    typed.push(text);
    if (quoted !== undefined || isTelling(text)) wanted.push(fold(text));
  }
  const phrase = fold(typed.join(' '));
  return {
    wanted: bounded(wanted.length > 0 ? wanted : wholeOf(phrase), phrase),
    unwanted: [...new Set(unwanted)].slice(0, most),
    phrase,
  };
}

const isTelling = (text: string): boolean => !/^[a-z-]$/i.test(text) && !stopWords.has(text.toLowerCase());

const wholeOf = (phrase: string): string[] => (phrase === '' ? [] : [phrase]);

/** So many terms are a sentence, and looked for as one. */
const bounded = (terms: readonly string[], phrase: string): string[] =>
  terms.length > most ? wholeOf(phrase) : [...new Set(terms)];
