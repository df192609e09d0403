// Quotation marks, dashes and the like, as printers set them.

import { eachToken } from '#lib/html-tokens.ts';
import { isUnended, shortcodeTags } from './shortcodes/syntax.ts';

// HTML whose text is written again while its tags stay as they are.

// White space as typography counts it, for patterns.

const signs = ' \\t\\r\\n\\u00a0';

const space = `[${signs}]|&nbsp;`;

/** This sign where a word may begin, or stand alone. The sign is found first, which is quick, and what stands before it then. */
const afterSpace = (sign: string): string => `${sign}(?<=(?:^|${space})${sign})`;
const beforeSpace = `(?=$|${space})`;

/** Where a quotation may end. */
const beforeCloser = `(?=$|[.,:;!?)}\\]\\-${signs}]|&gt;|&nbsp;)`;

/** Each stretch of text between tags and comments, but for what stands in elements of these names. */
export function eachPiece(html: string, silent: ReadonlySet<string>, write: (text: string) => string): string {
  if (!html.includes('<')) return write(html);
  const pieces: string[] = [];
  const within: string[] = [];
  let told = 0;
  let [start, end] = [0, 0];
  const tell = (): void => {
    if (start < end && within.length === 0) {
      pieces.push(html.slice(told, start), write(html.slice(start, end)));
      told = end;
    }
    start = end;
  };
  eachToken(html, (token) => {
    const isText = token.kind === 'text' && !isUnended(html, token);
    // One stretch may come in parts.
    if (!isText || token.start !== end) tell();
    if (start === end) start = token.start;
    end = token.end;
    if (isText) return;
    start = end;
    if (token.kind === 'open' && silent.has(token.name)) within.push(token.name);
    if (token.kind === 'close' && within.at(-1) === token.name) within.pop();
  });
  tell();
  return pieces.join('') + html.slice(told);
}

/** No character, and so in no text: what is set aside while the rest is written stands for one of these. */
export const [ofShortcode, ofLink] = ['\ufdd0', '\ufdd1'];

/** Where somebody typed one, it is left out: it cannot be read. */
export const without = (text: string, ...signs: readonly string[]): string =>
  signs.reduce((rest, sign) => (rest.includes(sign) ? rest.replaceAll(sign, '\ufffd') : rest), text);

/** In their order, each in its place. */
export function restored(text: string, place: string, pieces: readonly string[]): string {
  let next = 0;
  return text.replaceAll(place, () => pieces[next++] ?? '');
}

// Quotation marks, apostrophes and the marks of feet and inches, told apart by what stands beside them.

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
function quotes(text: string): string {
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

const faces = new Map(
  Object.entries({
    '🙂': ':) :-) :smile:',
    '😀': ':D :-D :grin:',
    '🙁': ':( :-( :sad:',
    '😉': ';) ;-) :wink:',
    '😡': ':x :-x :mad:',
    '😛': ':P :-P :razz:',
    '😮': ':o :-o :eek:',
    '😎': '8) 8-) :cool:',
    '😯': '8O 8-O :shock:',
    '😕': ':? :-? :???:',
    '😐': ':| :-| :neutral:',
    '❗': ':!:',
    '❓': ':?:',
    '➡': ':arrow:',
    '😥': ':cry:',
    '👿': ':evil:',
    '💡': ':idea:',
    '😆': ':lol:',
    '😁': ':mrgreen:',
    '😳': ':oops:',
    '🙄': ':roll:',
    '😈': ':twisted:',
  }).flatMap(([face, typed]) => typed.split(' ').map((one): [string, string] => [one, face])),
);

const smileyPattern = new Set(['code', 'pre', 'script', 'style', 'textarea']);
/** Beside a tag, too: there a piece of text begins or ends. */
const maybe = new RegExp(`[:;8](?<=(?:^|>|${space})[:;8])[-()|?!A-Za-z]{1,8}:?(?=$|<|${space})`);
const word = new RegExp(`${afterSpace('[:;8]')}[-()|?!A-Za-z]{1,8}:?${beforeSpace}`, 'g');

/** What people type for a face, as a face. */
export const smilies = (html: string): string =>
  maybe.test(html)
    ? eachPiece(html, smileyPattern, (text) => text.replace(word, (typed) => faces.get(typed) ?? typed))
    : html;

/** Dashes, the sign of multiplication, and those that HTML would read as something else. */
const [enDash, emDash] = ['&#8211;', '&#8212;'];
const twoAlone = new RegExp(`${afterSpace('--')}${beforeSpace}`, 'g');
const oneAlone = new RegExp(`${afterSpace('-')}${beforeSpace}`, 'g');
/** Two in the name of a host are no dash. */
const two = /--(?<!xn--)/g;

const dashes = (text: string): string =>
  text.includes('-')
    ? text.replaceAll('---', emDash).replace(twoAlone, emDash).replace(two, enDash).replace(oneAlone, enDash)
    : text;

/** Between two numbers that are a word of their own. Each number is looked at once. */
function times(text: string): string {
  if (!/\dx\d/.test(text)) return text;
  const pieces: string[] = [];
  let from = 0;
  for (let at = text.indexOf('x'); at >= 0; at = text.indexOf('x', at + 1)) {
    if (!isNumberBefore(text, at) || !isNumberAfter(text, at + 1)) continue;
    pieces.push(text.slice(from, at), '&#215;');
    from = at + 1;
  }
  return pieces.join('') + text.slice(from);
}

const isDigit = (sign: string): boolean => sign >= '0' && sign <= '9' && sign !== '';
const isOfNumber = (sign: string): boolean => isDigit(sign) || sign === '.' || sign === ',';
const isOfWord = (sign: string): boolean => /[\p{L}\p{N}_]/u.test(sign);

function isNumberBefore(text: string, end: number): boolean {
  if (!isDigit(text.charAt(end - 1))) return false;
  let start = end - 1;
  while (isOfNumber(text.charAt(start - 1))) start -= 1;
  const isAttached = isDigit(text.charAt(start)) && isOfWord(text.charAt(start - 1));
  const number = text.slice(start, end).replace(isAttached ? /^\d+[.,]*/ : /^[.,]+/, '');
  return number !== '' && number !== '0';
}

function isNumberAfter(text: string, start: number): boolean {
  if (!isDigit(text.charAt(start))) return false;
  let end = start + 1;
  while (isOfNumber(text.charAt(end))) end += 1;
  return !isDigit(text.charAt(end - 1)) || !isOfWord(text.charAt(end));
}

/** One that begins no entity is meant as it stands. */
export const ampersands = (text: string): string =>
  text.includes('&') ? text.replace(/&(?!#(?:\d+|x[a-f\d]+);|[a-z1-4]{1,8};)/gi, '&#038;') : text;

/** What stands in them is meant sign by sign. */
const literal = new Set(['pre', 'code', 'kbd', 'style', 'script', 'tt']);

/** Text within HTML: tags, comments and the tags of these shortcodes stay as they are. */
export function typography(html: string, shortcodes: ReadonlySet<string>): string {
  const tags: string[] = [];
  const pieces: string[] = [];
  let from = 0;
  for (const { start, end } of shortcodeTags(html, shortcodes)) {
    tags.push(html.slice(start, end));
    pieces.push(without(html.slice(from, start), ofShortcode));
    from = end;
  }
  if (tags.length === 0) return eachPiece(html, literal, typeset);
  pieces.push(without(html.slice(from), ofShortcode));
  const text = pieces.join(ofShortcode);
  const said = eachPiece(text, literal, (piece) => piece.split(ofShortcode).map(typeset).join(ofShortcode));
  return restored(said, ofShortcode, tags);
}

function typeset(text: string): string {
  const typed = text
    .replaceAll('...', '&#8230;')
    .replaceAll('``', '&#8220;')
    .replaceAll("''", '&#8221;')
    .replaceAll(' (tm)', ' &#8482;');
  return ampersands(times(dashes(quotes(typed))));
}
