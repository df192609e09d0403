// Quotation marks, apostrophes and the marks of feet and inches, told apart by what stands beside them.
import { afterSpace, beforeCloser, space, without } from './pieces.ts';

/** No characters: they stand for what was found while the rest is looked for. */
const [opening, apostrophe, candidate] = ['\ufdd2', '\ufdd3', '\ufdd4'];

interface Kind {
  readonly mark: string;
  readonly close: string;
  readonly prime: string;
}

const single: Kind = { mark: "'", close: '&#8217;', prime: '&#8242;' };
const double: Kind = { mark: '"', close: '&#8221;', prime: '&#8243;' };

/** A piece of text, which ends where a tag begins. */
export function quotes(text: string): string {
  const [hasSingle, hasDouble] = [text.includes(single.mark), text.includes(double.mark)];
  if (!hasSingle && !hasDouble) return text;
  const clean = without(text, opening, apostrophe, candidate);
  const said = hasSingle ? singles(clean) : clean;
  return hasDouble ? doubles(said) : said;
}

type Step = readonly [RegExp, string];

const shortened = /'(?:tain't|twere|twas|tis|twill|til|bout|nuff|round|cause|em)(?![\p{L}\p{N}])/gu;
const beforeDigit = /'\d/;
const ofNumbers: readonly Step[] = [
  [new RegExp(`'(\\d\\d)'${beforeCloser}`, 'g'), `${apostrophe}$1${single.close}`],
  [new RegExp(`'(\\d\\d)"${beforeCloser}`, 'g'), `${apostrophe}$1${double.close}`],
  [/'(?=\d\d(?![%\d]|[.,]\d))/g, apostrophe],
  [new RegExp(`${afterSpace("'")}(\\d[.,\\d]*)'`, 'g'), `${opening}$1${single.close}`],
];
const ofWords: readonly Step[] = [
  [new RegExp(`'(?<=(?:^|[([{"\\-]|&lt;|${space})')`, 'g'), opening],
  [new RegExp(`'(?<!(?:${space})')(?!$|[.,:;!?"'(){}[\\]\\-]|&[lg]t;|${space})`, 'g'), apostrophe],
];

const written = (text: string, steps: readonly Step[]): string =>
  steps.reduce((said, [found, instead]) => said.replace(found, instead), text);

function singles(text: string): string {
  const begun = text.replace(shortened, (word) => word.replaceAll("'", apostrophe));
  const told = written(beforeDigit.test(begun) ? written(begun, ofNumbers) : begun, ofWords);
  return ended(told, single, endings.single).replaceAll(apostrophe, '&#8217;').replaceAll(opening, '&#8216;');
}

const number = new RegExp(`${afterSpace('"')}(\\d[.,\\d]*)"`, 'g');
const beginning = new RegExp(`"(?<=(?:^|[([{\\-]|&lt;|${space})")(?!${space})`, 'g');

function doubles(text: string): string {
  const told = text.replace(number, `${opening}$1${double.close}`).replace(beginning, opening);
  const said = ended(told, double, endings.double);
  return said.replaceAll(double.mark, double.close).replaceAll(opening, '&#8220;');
}

interface Endings {
  readonly atEnd: RegExp;
  readonly afterDigit: RegExp;
}

const endingsOf = ({ mark }: Kind): Endings => ({
  atEnd: new RegExp(`${mark}${beforeCloser}`, 'g'),
  afterDigit: new RegExp(`${mark}(?<=\\d${mark})`, 'g'),
});
const endings = { single: endingsOf(single), double: endingsOf(double) };

/** With what ends a quotation, and what only measures. */
function ended(text: string, kind: Kind, at: Endings): string {
  const { mark, close, prime } = kind;
  if (!text.includes(mark)) return text;
  return text
    .split(opening)
    .map((part, nth) => {
      if (!part.includes(mark)) return part;
      if (nth > 0 && !part.includes(close)) return endedOnce(part, kind, at);
      return part.replace(at.afterDigit, prime).replace(at.atEnd, close);
    })
    .join(opening);
}

const candidateAfterDigit = new RegExp(`${candidate}(?<=\\d${candidate})`, 'g');
const candidateElsewhere = new RegExp(`${candidate}(?<!\\d${candidate})`, 'g');

/** Of a quotation that is open: of all that may end it, one does. */
function endedOnce(part: string, { close, prime }: Kind, { atEnd, afterDigit }: Endings): string {
  const asked = part.replace(atEnd, candidate);
  const first = asked.indexOf(candidate);
  const isOnly = first === asked.lastIndexOf(candidate);
  const told = isOnly ? asked.replace(candidate, close) : chosen(asked, close);
  return told.replace(afterDigit, prime).replace(candidateAfterDigit, prime).replaceAll(candidate, close);
}

/** Those that measure nothing; else the last, at best of a sentence. */
function chosen(part: string, close: string): string {
  const told = part.replace(candidateElsewhere, close);
  if (told !== part) return told;
  const ofSentence = part.lastIndexOf(`${candidate}.`);
  const at = ofSentence < 0 ? part.lastIndexOf(candidate) : ofSentence;
  return part.slice(0, at) + close + part.slice(at + 1);
}
