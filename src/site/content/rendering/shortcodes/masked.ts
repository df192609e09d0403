// A text in which only what is read as text can be found: shortcodes within tags are none.
import { eachToken, type Token } from '#lib/html-tokens.ts';

/** Nobody types it. */
const hidden = '\u0001';

/** What separates as white space does: the breaks that paragraphs were given. */
const spacing = new Set(['p', 'br']);

/** What stands in them is for programs. */
const silent = new Set(['script', 'style', 'textarea']);

/** As long as the text, with other signs in the place of tags, comments, and what never ends; as browsers read it. */
export function masked(html: string): string {
  if (!html.includes('<')) return html;
  const pieces: string[] = [];
  let [from, within] = [0, ''];
  const hide = (until: number, sign: string): void => {
    if (until > from) pieces.push(signs(sign, until - from));
    from = Math.max(from, until);
  };
  eachToken(html, (token) => {
    hide(token.start, hidden);
    if (token.kind === 'open') within = token.name;
    if (token.kind === 'close') within = '';
    if (token.kind !== 'text' || silent.has(within) || isUnended(html, token)) return hide(token.end, signOf(token));
    pieces.push(html.slice(from, token.end));
    from = Math.max(from, token.end);
  });
  hide(html.length, hidden);
  return pieces.join('');
}

/** Hardly a tag is longer. */
const most = 256;
const many = new Map([hidden, ' '].map((sign) => [sign, sign.repeat(most)]));

const signs = (sign: string, length: number): string =>
  length > most ? sign.repeat(length) : many.get(sign)!.slice(0, length);

const signOf = (token: Token): string => ('name' in token && spacing.has(token.name) ? ' ' : hidden);

/** Whether it is a tag that the text ends in: browsers look on for its end. */
export const isUnended = (html: string, { start, end }: Token): boolean =>
  end === html.length && /^<[a-z/!?]/i.test(html.slice(start, start + 2));
