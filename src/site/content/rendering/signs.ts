// Dashes, the sign of multiplication, and those that HTML would read as something else.
import { afterSpace, beforeSpace } from './spaces.ts';

const [enDash, emDash] = ['&#8211;', '&#8212;'];
const twoAlone = new RegExp(`${afterSpace('--')}${beforeSpace}`, 'g');
const oneAlone = new RegExp(`${afterSpace('-')}${beforeSpace}`, 'g');
/** Two in the name of a host are no dash. */
const two = /--(?<!xn--)/g;

export const dashes = (text: string): string =>
  text.includes('-')
    ? text.replaceAll('---', emDash).replace(twoAlone, emDash).replace(two, enDash).replace(oneAlone, enDash)
    : text;

/** Between two numbers that are a word of their own. Each number is looked at once. */
export function times(text: string): string {
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
