// Excerpts: what somebody wrote for one, or the first words of the content.
import { eachToken } from '#lib/html-tokens.ts';
import { hasBlocks } from './blocks.ts';
import type { Made } from './made.ts';
import { paragraphs } from './paragraphs.ts';
import type { Prose } from './rendering.ts';
import { withoutShortcodes } from './shortcodes/syntax.ts';
import { tellingText } from './telling-text.ts';
import { typography } from './typography.ts';

interface Needs extends Pick<Prose, 'caption'> {
  /** The shortcodes there are. */
  readonly names: ReadonlySet<string>;
  readonly smiling: boolean;
  readonly short: Made;
  madeOf(text: string): Made;
}

export const createExcerpts =
  ({ names, smiling, short, madeOf, caption }: Needs): Prose['excerpt'] =>
  ({ id, excerpt, content }, wanted = usualWords) => {
    if (excerpt.trim() !== '') return madeOf(excerpt).once(`own excerpt ${id} ${smiling}`, excerpt, caption);
    const words = Math.min(wanted, mostWords);
    const first = firstOf(content);
    const goesOn = first.length < content.length;
    return short.once(`excerpt ${id} ${words} ${goesOn} ${smiling}`, first, (text) =>
      caption(beginningOf(text, words, goesOn, names)),
    );
  };

/** How many words an excerpt has that nobody wrote. */
const usualWords = 55;

/** Nobody reads an excerpt with more. */
const mostWords = 1000;

/** More than that many words need, with what stands between them. */
const farEnough = 64 * 1024;

/** As much of some content as its excerpt is made of: up to where no tag, no comment and no word is torn. */
function firstOf(content: string): string {
  if (content.length <= farEnough) return content;
  const first = content.slice(0, farEnough);
  const torn = [first.lastIndexOf('<'), first.lastIndexOf('<!--')].filter(
    (at, nth) => at >= 0 && isTorn(first, at, nth),
  );
  if (torn.length > 0) return first.slice(0, Math.min(...torn));
  return first.replace(/\s\S{0,100}$/, '').toWellFormed();
}

const isTorn = (text: string, from: number, nth: number): boolean =>
  nth === 0 ? /^<[a-z/!]/i.test(text.slice(from, from + 2)) && !text.includes('>', from) : !text.includes('-->', from);

/** The beginning of some content, as text; the content may go on where it ends. */
function beginningOf(content: string, most: number, goesOn: boolean, names: ReadonlySet<string>): string {
  const until = content.search(/<!--more(?:[\s>-]|$)/);
  const told = until < 0 ? content : content.slice(0, until);
  const bare = typography(withoutShortcodes(hasBlocks(told) ? tellingText(told) : told, names), names);
  const words = plain(hasBlocks(told) ? bare : paragraphs(bare))
    .split(/\s+/)
    .filter((word) => word !== '');
  const kept = words.slice(0, most).join(' ');
  const isCut = words.length > most || (goesOn && until < 0 && kept !== '');
  return isCut ? `${kept} [&hellip;]` : kept;
}

const silent = new Set(['script', 'style']);

/** Without tags and comments, and without what no browser shows. A tag that lost its end begins nothing any more. */
function plain(html: string): string {
  const pieces: string[] = [];
  let within = '';
  eachToken(html, (token) => {
    if (token.kind === 'open') within = token.name;
    if (token.kind === 'close') within = '';
    if (token.kind === 'text' && !silent.has(within))
      pieces.push(html.slice(token.start, token.end).replaceAll('<', '&lt;'));
  });
  return pieces.join('').replaceAll(']]>', ']]&gt;');
}
