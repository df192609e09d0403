// Excerpts: what somebody wrote for one, or the first words of the content.
import { eachToken } from '#lib/html-tokens.ts';
import { hasBlocks } from './blocks.ts';
import type { Lengths } from './lengths.ts';
import type { Made } from './made.ts';
import { paragraphs } from './paragraphs.ts';
import type { Prose } from './rendering.ts';
import { withoutShortcodes } from './shortcodes/syntax.ts';
import { beginningOf, longest, longestOwn, shortened } from './shortened.ts';
import { tellingText } from './telling-text.ts';
import { typography } from './typography.ts';

export interface ExcerptNeeds extends Pick<Prose, 'caption'> {
  /** The shortcodes there are. */
  readonly names: ReadonlySet<string>;
  readonly smiling: boolean;
  readonly lengths: Lengths;
  readonly short: Made;
  madeOf(text: string): Made;
}

type Excerpts = Pick<Prose, 'excerpt' | 'brief'>;

/** How much is read of what somebody wrote for one, and of content. */
interface Bounds {
  readonly own: number;
  readonly content: number;
}

export function createExcerpts({ names, smiling, lengths, short, madeOf, caption }: ExcerptNeeds): Excerpts {
  const made = ({ id, excerpt, content }: Texts, wanted: number, most: Bounds): string => {
    if (excerpt.trim() !== '') {
      const own = shortened(excerpt, most.own);
      const key = `own excerpt ${id} ${own === excerpt} ${smiling}`;
      return madeOf(own).once(key, own, caption);
    }
    const words = Math.min(wanted, mostWords);
    const first = beginningOf(content, most.content);
    const goesOn = first.length < content.length;
    const key = `excerpt ${id} ${words} ${lengths.name} ${most.content} ${goesOn} ${smiling}`;
    return short.once(key, first, (text) => {
      const { said, isAll } = lengths.first(toldIn(text, names), words);
      const isCut = !isAll || (goesOn && !more.test(text) && said !== '');
      return caption(isCut ? `${said} [&hellip;]` : said);
    });
  };
  return {
    excerpt: (post, wanted = usualWords) => made(post, wanted, whole),
    brief: (post, wanted) => made(post, wanted, brief),
  };
}

type Texts = Parameters<Prose['excerpt']>[0];

/** How many words, or characters, an excerpt has that nobody wrote. */
const usualWords = 55;

/** Nobody reads an excerpt with more. */
const mostWords = 1000;

/** More content than that many words need, with what stands between them. */
const whole: Bounds = { own: longestOwn.excerpt, content: 64 * 1024 };
const brief: Bounds = { own: longest.excerpt, content: longest.content };

/** Where somebody ended what is to be read of it in lists. */
const more = /<!--more(?:[\s>-]|$)/;

/** What some content tells up to there, as text. */
function toldIn(content: string, names: ReadonlySet<string>): string {
  const until = content.search(more);
  const told = until < 0 ? content : content.slice(0, until);
  const bare = typography(withoutShortcodes(hasBlocks(told) ? tellingText(told) : told, names), names);
  return plain(hasBlocks(told) ? bare : paragraphs(bare));
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
