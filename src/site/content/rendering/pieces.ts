// HTML whose text is written anew while its tags stay as they are.
import { eachToken } from '#lib/html-tokens.ts';
import { isUnended } from './shortcodes/masked.ts';

// White space as typography counts it, for patterns.

const signs = ' \\t\\r\\n\\u00a0';

export const space = `[${signs}]|&nbsp;`;

/** This sign where a word may begin, or stand alone. The sign is found first, which is quick, and what stands before it then. */
export const afterSpace = (sign: string): string => `${sign}(?<=(?:^|${space})${sign})`;
export const beforeSpace = `(?=$|${space})`;

/** Where a quotation may end. */
export const beforeCloser = `(?=$|[.,:;!?)}\\]\\-${signs}]|&gt;|&nbsp;)`;

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

/** Typed all the same, it is what it is: nothing that can be read. */
export const without = (text: string, ...signs: readonly string[]): string =>
  signs.reduce((rest, sign) => (rest.includes(sign) ? rest.replaceAll(sign, '\ufffd') : rest), text);

/** In their order, each in its place. */
export function restored(text: string, place: string, pieces: readonly string[]): string {
  let next = 0;
  return text.replaceAll(place, () => pieces[next++] ?? '');
}
