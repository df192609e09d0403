import { eachToken } from '#lib/html-tokens.ts';
import { hasBlocks, tellingText } from './blocks.ts';
import { paragraphs } from './paragraphs.ts';

/** How many words an excerpt has that nobody wrote. */
export const usualWords = 55;

/** Nobody reads an excerpt with more. */
export const mostWords = 1000;

/** More than that many words need, with what stands between them. */
const farEnough = 64 * 1024;

/** As much of some content as its excerpt is made of: up to where no tag, no comment and no word is torn. */
export function firstOf(content: string): string {
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
export function beginningOf(content: string, most: number, goesOn = false): string {
  const until = content.search(/<!--more(?:[\s>-]|$)/);
  const told = until < 0 ? content : content.slice(0, until);
  const bare = withoutShortcodes(hasBlocks(told) ? tellingText(told) : told);
  const words = plain(hasBlocks(told) ? bare : paragraphs(bare))
    .split(/\s+/)
    .filter((word) => word !== '');
  const kept = words.slice(0, most).join(' ');
  const isCut = words.length > most || (goesOn && until < 0 && kept !== '');
  return isCut ? `${kept} [&hellip;]` : kept;
}

/** Those that are known, with what stands in them. */
const shortcode = /\[(caption|wp_caption|gallery|audio|video|playlist|embed)(?![\w-])[^[\]]*\]/gi;

function withoutShortcodes(text: string): string {
  const pieces: string[] = [];
  const last = new Map<string, number>();
  const lastOf = (ending: string): number => {
    if (!last.has(ending)) last.set(ending, text.lastIndexOf(ending));
    return last.get(ending)!;
  };
  let from = 0;
  for (const { 0: tag, 1: name, index } of text.matchAll(shortcode)) {
    if (index < from) continue;
    pieces.push(text.slice(from, index));
    const ending = `[/${name}]`;
    const end = tag.endsWith('/]') || lastOf(ending) < index ? -1 : text.indexOf(ending, index);
    from = end < 0 ? index + tag.length : end + name!.length + 3;
  }
  return pieces.join('') + text.slice(from);
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
  return pieces.join('');
}
