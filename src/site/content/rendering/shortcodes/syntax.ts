// Shortcodes: `[name a="1"]…[/name]`, `[name /]`, and `[[name]]` for one that is only spoken of.

import { eachToken, type Token } from '#lib/html-tokens.ts';
import { attributesIn, type Stretch } from './said.ts';

export interface Shortcode {
  readonly name: string;
  /** By name; those without one by their place, from 0. */
  readonly attributes: Readonly<Record<string, string>>;
  /** As it was written; nothing where it was not closed. */
  readonly inner: string | undefined;
  /** All of it, as it was written. */
  readonly written: string;
}

type Names = ReadonlySet<string>;

/** Shortcodes within shortcodes. */
export const deepest = 5;

/** Those that stand in a text, of these names; also those within others. */
export function* shortcodesIn(text: string, names: Names, depth = 1): Generator<Shortcode> {
  for (const { one, isSpoken } of placesIn(text, names)) {
    if (isSpoken) continue;
    yield one;
    if (one.inner !== undefined && depth < deepest) yield* shortcodesIn(one.inner, names, depth + 1);
  }
}

/** Each as it is written now; those only spoken of lose their outer brackets. */
export const replaced = (text: string, names: Names, write: (one: Shortcode) => string): string =>
  rewritten(text, names, ({ one, isSpoken }) => (isSpoken ? one.written : write(one)));

/** Where the tags of such shortcodes stand, with the brackets of those that are only spoken of, and not what stands between. */
export function* shortcodeTags(
  text: string,
  names: Names,
): Generator<{ readonly start: number; readonly end: number }> {
  if (!text.includes('[') || !mentions(text, names)) return;
  const searched = masked(text);
  for (const { start, end, isBracketed } of tagsIn(searched, names))
    yield { start: isBracketed ? start - 1 : start, end: searched.charAt(end) === ']' ? end + 1 : end };
}

/** Without them, and without what stands in them. */
export const withoutShortcodes = (text: string, names: Names): string => replaced(text, names, () => '');

/** A link among words, and in a paragraph of its own. */
const inWords = 'embed';

/** One that stands alone in its paragraph stands without it. */
export function unwrapped(html: string, names: Names): string {
  if (!html.includes('<p>')) return html;
  const pieces: string[] = [];
  let from = 0;
  for (const { one, isSpoken, start, end } of placesIn(html, names)) {
    const [begin, close] = [blankBefore(html, start), blankAfter(html, end)];
    const isAlone = html.endsWith('<p>', begin) && html.startsWith('</p>', close);
    if (!isAlone || isSpoken || one.name === inWords) continue;
    pieces.push(html.slice(from, begin - 3), one.written);
    from = close + 4;
  }
  pieces.push(html.slice(from));
  return pieces.join('');
}

const isBlank = (sign: string): boolean => sign === ' ' || sign === '\n' || sign === '\t' || sign === '\r';

function blankBefore(text: string, at: number): number {
  let begin = at;
  while (begin > 0 && isBlank(text.charAt(begin - 1))) begin -= 1;
  return begin;
}

function blankAfter(text: string, at: number): number {
  let end = at;
  while (isBlank(text.charAt(end))) end += 1;
  return end;
}

function rewritten(text: string, names: Names, write: (place: Place) => string): string {
  const pieces: string[] = [];
  let from = 0;
  for (const place of placesIn(text, names)) {
    pieces.push(text.slice(from, place.start), write(place));
    from = place.end;
  }
  if (from === 0) return text;
  pieces.push(text.slice(from));
  return pieces.join('');
}

/** Where a shortcode stands. */
export interface Place {
  readonly one: Shortcode;
  /** In brackets of its own, which are a part of the place. */
  readonly isSpoken: boolean;
  readonly start: number;
  readonly end: number;
}

/** From the first to the last; what stands in one is a part of it. */
export function* placesIn(text: string, names: Names): Generator<Place> {
  if (!text.includes('[') || !mentions(text, names)) return;
  const searched = masked(text);
  const tags = tagsIn(searched, names);
  const next = followers(tags);
  for (let at = 0; at < tags.length; at++) {
    const tag = tags[at]!;
    if (tag.closes) continue;
    const until = next.get(at) ?? at;
    const last = tags[until]!;
    const written = text.slice(tag.start, last.end);
    const inner = until === at ? undefined : text.slice(tag.end, last.start);
    const isSpoken = tag.isBracketed && searched.charAt(last.end) === ']';
    const [start, end] = isSpoken ? [tag.start - 1, last.end + 1] : [tag.start, last.end];
    const stretch = { text, searched, start: tag.from, end: tag.until };
    yield { one: shortcode({ name: tag.name, inner, written }, stretch), isSpoken, start, end };
    at = until;
  }
}

/** Not everybody asks for its attributes, so they are read when somebody does. */
function shortcode({ name, inner, written }: Omit<Shortcode, 'attributes'>, stretch: Stretch): Shortcode {
  let attributes: Shortcode['attributes'] | undefined;
  return {
    name,
    get attributes() {
      attributes ??= attributesIn(stretch);
      return attributes;
    },
    inner,
    written,
  };
}

/** Nobody writes more of them into one text: what comes after is text. Words in brackets count, as far as they may be a name. */
const most = { tags: 5_000, words: 20_000 };

const mentions = (text: string, names: Names): boolean =>
  text
    .matchAll(/\[\/?([\w-]+)/g)
    .take(most.words)
    .some(([, name]) => names.has(name!));

interface Tag {
  readonly name: string;
  readonly closes: boolean;
  /** Whether it needs no other to close it. */
  readonly isAlone: boolean;
  /** Whether another bracket stands before it. */
  readonly isBracketed: boolean;
  readonly start: number;
  readonly end: number;
  /** Where its attributes stand. */
  readonly from: number;
  readonly until: number;
}

function tagsIn(searched: string, names: Names): Tag[] {
  const tags: Tag[] = [];
  const words = searched.matchAll(/\[(\/?)([\w-]+)(?=[\s/\]])[^[\]]*\]/g).take(most.words);
  for (const { 0: whole, 1: slash = '', 2: name = '', index } of words) {
    if (!names.has(name)) continue;
    if (tags.length >= most.tags) break;
    const end = index + whole.length;
    const isBracketed = searched.charAt(index - 1) === '[';
    const isClosed = searched.charAt(end - 2) === '/';
    tags.push({
      name,
      closes: slash !== '',
      isAlone: isClosed || (isBracketed && searched.charAt(end) === ']'),
      isBracketed,
      start: index,
      end,
      from: index + slash.length + name.length + 1,
      until: isClosed ? end - 2 : end - 1,
    });
  }
  return tags;
}

/** By the place of what opens, the place of what closes it: the next of its name, unless that opens, too. */
function followers(tags: readonly Tag[]): Map<number, number> {
  const next = new Map<number, number>();
  const seen = new Map<string, number>();
  for (let at = tags.length - 1; at >= 0; at--) {
    const { name, isAlone, closes } = tags[at]!;
    if (isAlone) continue;
    const other = seen.get(name);
    if (!closes && other !== undefined && tags[other]!.closes) next.set(at, other);
    seen.set(name, at);
  }
  return next;
}

// A text in which only what is read as text can be found: shortcodes within tags are none.

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
const longestTag = 256;
const many = new Map([hidden, ' '].map((sign) => [sign, sign.repeat(longestTag)]));

const signs = (sign: string, length: number): string =>
  length > longestTag ? sign.repeat(length) : many.get(sign)!.slice(0, length);

const signOf = (token: Token): string => ('name' in token && spacing.has(token.name) ? ' ' : hidden);

/** Whether it is a tag that the text ends in: browsers look on for its end. */
export const isUnended = (html: string, { start, end }: Token): boolean =>
  end === html.length && /^<[a-z/!?]/i.test(html.slice(start, start + 2));
