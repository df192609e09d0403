// Excerpts: what somebody wrote for one, or the first words of the content.
import { eachToken } from '#lib/html-tokens.ts';
import type { Mark } from '../marks.ts';
import { attributesOf, fullName, hasBlocks, piecesOf } from './blocks.ts';
import type { Kit } from './kit.ts';
import type { Asked, Live } from './live.ts';
import type { Made } from './made.ts';
import { paragraphs } from './paragraphs.ts';
import type { Prose } from './rendering.ts';
import { shortcodesIn, withoutShortcodes } from './shortcodes/syntax.ts';
import { typography } from './typography.ts';

// How long a text is, and its beginning: in words, or in characters where a language sets no blanks between its words.

interface Lengths {
  readonly name: 'words' | 'characters';
  /** So many of the first, and whether others follow. */
  first(text: string, most: number): { readonly said: string; readonly isAll: boolean };
}

const words: Lengths = {
  name: 'words',
  first(text, most) {
    const all = text.split(/\s+/).filter((word) => word !== '');
    return { said: all.slice(0, most).join(' '), isAll: all.length <= most };
  },
};

/** With the marks that belong to it; an entity is one. */
const character = /(?:&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,31});|.)\p{M}*/gisu;

const characters: Lengths = {
  name: 'characters',
  first(text, most) {
    const some = text
      .replace(/\s+/g, ' ')
      .trim()
      .matchAll(character)
      .take(most + 1)
      .map(([sign]) => sign)
      .toArray();
    return { said: some.slice(0, most).join('').trimEnd(), isAll: some.length <= most };
  },
};

const unspaced = new Set(['ja', 'km', 'lo', 'my', 'th', 'zh']);

/** Of a language as the interface writes it: ja, zh_CN. */
export const lengthsIn = (language: string): Lengths => (unspaced.has(language.split('_')[0]!) ? characters : words);

/** What stands in a text that is made when it is shown. */
type Attributes = Asked['attributes'];

export interface Mentioned extends Pick<Asked, 'attributes'> {
  readonly one: Live;
}

/** By what it looks at: those that do not differ in it find the same, and are looked up once. */
export function findKey(name: string, { reads }: Live, attributes: Attributes): string {
  const said = reads === undefined ? attributes : reads.map((key) => attributes[key]);
  return `${name} ${JSON.stringify(said)}`;
}

export const blockName = ({ name }: Pick<Mark, 'name'>): string => `<${fullName(name)}`;
export const shortcodeName = ({ name }: Pick<Mark, 'name'>): string => `[${name}`;

/** By their keys: those that look something up. */
export function mentionedIn(texts: readonly string[], kit: Kit): Map<string, Mentioned> {
  const mentioned = new Map<string, Mentioned>();
  for (const text of texts) {
    if (hasBlocks(text)) mentionBlocks(text, kit, mentioned);
    if (text.includes('[')) mentionShortcodes(text, kit, mentioned);
  }
  return mentioned;
}

function mentionBlocks(text: string, kit: Kit, mentioned: Map<string, Mentioned>): void {
  const seen = new Set<string>();
  for (const { mark } of piecesOf(text)) {
    if (mark === undefined || mark.ends) continue;
    const one = kit.block(fullName(mark.name));
    const written = `${mark.name} ${mark.attributes ?? ''}`;
    if (one?.find === undefined || seen.has(written)) continue;
    seen.add(written);
    const attributes = attributesOf(mark);
    mentioned.getOrInsert(findKey(blockName(mark), one, attributes), { one, attributes });
  }
}

function mentionShortcodes(text: string, kit: Kit, mentioned: Map<string, Mentioned>): void {
  for (const shortcode of shortcodesIn(text, kit.shortcodes)) {
    const one = kit.shortcode(shortcode.name);
    if (one?.find === undefined) continue;
    const { attributes } = shortcode;
    mentioned.getOrInsert(findKey(shortcodeName(shortcode), one, attributes), { one, attributes });
  }
}

// What texts show of others is short, however long somebody made it.

/** In characters as they are kept: of a title, of an excerpt or caption, of a note, of content for the first words of it. */
export const longest = { title: 1_000, excerpt: 4_000, note: 4_000, content: 16_384 } as const;

/** What a record shows of its own, in the place that is made for it: nobody reads a longer one. */
export const longestOwn = { title: 16_384, excerpt: 65_536 } as const;

/** As much of a text as may be shown within another. */
export const shortened = (text: string, most: number): string =>
  text.length <= most ? text : `${beginningOf(text, most)}…`;

/** No more than so much of a text: up to where no tag, no comment and no word is torn. */
function beginningOf(text: string, most: number): string {
  if (text.length <= most) return text;
  const first = text.slice(0, most);
  const torn = [first.lastIndexOf('<'), first.lastIndexOf('<!--')].filter(
    (at, nth) => at >= 0 && isTorn(first, at, nth),
  );
  if (torn.length > 0) return first.slice(0, Math.min(...torn));
  return first.replace(/\s\S{0,100}$/, '').toWellFormed();
}

const isTorn = (text: string, from: number, nth: number): boolean =>
  nth === 0 ? /^<[a-z/!]/i.test(text.slice(from, from + 2)) && !text.includes('>', from) : !text.includes('-->', from);

/** What of content made of blocks tells what it is about. */
const told = new Set(
  [
    'freeform',
    'heading',
    'html',
    'list',
    'media-text',
    'paragraph',
    'preformatted',
    'pullquote',
    'quote',
    'table',
    'verse',
  ].concat(
    // What only holds others.
    ['columns', 'column', 'group'],
  ),
);

/** What of it tells what it is about. */
function tellingText(content: string): string {
  const pieces: string[] = [];
  const open: boolean[] = [];
  for (const { text, mark } of piecesOf(content)) {
    if (text !== undefined) {
      if (open.at(-1) ?? true) pieces.push(text);
    } else if (mark.ends) open.pop();
    else if (!mark.isAlone) open.push((open.at(-1) ?? true) && told.has(mark.name));
  }
  return pieces.join('');
}

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
