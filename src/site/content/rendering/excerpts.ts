import { eachToken } from '#lib/html-tokens.ts';
import { hasBlocks, tellingText } from './blocks.ts';
import { paragraphs } from './paragraphs.ts';

/** How many words an excerpt has that nobody wrote. */
export const usualWords = 55;

/** The beginning of some content, as text. */
export function beginningOf(content: string, most: number): string {
  const until = content.search(/<!--more(?:[\s>-]|$)/);
  const told = until < 0 ? content : content.slice(0, until);
  const bare = withoutShortcodes(hasBlocks(told) ? tellingText(told) : told);
  const words = plain(hasBlocks(told) ? bare : paragraphs(bare))
    .split(/\s+/)
    .filter((word) => word !== '');
  const kept = words.slice(0, most).join(' ');
  return words.length > most ? `${kept} [&hellip;]` : kept;
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
