// Quotation marks, dashes and the like, as printers set them.
import { afterSpace, beforeSpace, eachPiece, ofShortcode, restored, space, without } from './pieces.ts';
import { quotes } from './quotes.ts';
import { shortcodeTags } from './shortcodes/syntax.ts';

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
