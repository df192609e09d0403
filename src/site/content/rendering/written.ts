// The way from a text to what a page shows. It asks nobody anything: what was found is given.

import { eachToken } from '#lib/html-tokens.ts';
import type { Mark } from '../marks.ts';
import { addressesShown, addressesWritten } from './addresses.ts';
import { attributesOf, eachWritten, fullName, hasBlocks, type WriteBlock } from './blocks.ts';
import { unlessContained } from './contained.ts';
import { blockName, findKey, shortcodeName } from './excerpts.ts';
import { type Finds, isFound } from './finds.ts';
import { pictured } from './images.ts';
import { includedIn } from './including.ts';
import type { Kit } from './kit.ts';
import type { Page } from './live.ts';
import { atOnce, type Steps } from './paced.ts';
import { paragraphing, paragraphs } from './paragraphs.ts';
import type { Source } from './rendering.ts';
import { deepest, replaced, unwrapped } from './shortcodes/syntax.ts';
import { smilies, typography } from './typography.ts';

// Blocks that are shown as they were written, but for a class or a number.

/** Nobody puts blocks deeper into each other; and whatever stands within them is gone through once for each. */
const maxStaticDepth = 50;

export const asItStands: WriteBlock = (mark, inner, within) => {
  if (within.length > maxStaticDepth) return inner;
  switch (mark.name) {
    case 'heading':
      return withClass(inner, /<h[1-6](?=[\s>])/i, 'wp-block-heading');
    case 'list':
      return withClass(inner, /<[uo]l(?=[\s>])/i, 'wp-block-list');
    case 'image':
      return within.at(-1)?.mark.name === 'gallery' ? numbered(inner, mark) : inner;
    case 'shortcode':
      return within.some(({ mark: { name } }) => name === 'shortcode') ? inner : paragraphs(inner);
    default:
      return inner;
  }
};

/** On the first such tag. */
function withClass(html: string, opening: RegExp, name: string): string {
  const begin = opening.exec(html);
  if (begin === null) return html;
  const from = begin.index + begin[0].length;
  const end = html.indexOf('>', from);
  if (end < 0) return html;
  const tag = html.slice(from, end);
  if (new RegExp(`\\sclass\\s*=\\s*(?:"[^"]*\\b${name}\\b|'[^']*\\b${name}\\b)`, 'i').test(tag)) return html;
  const classed = /\sclass\s*=\s*(["'])/i.exec(tag);
  const said =
    classed === null
      ? ` class="${name}"${tag}`
      : `${tag.slice(0, classed.index + classed[0].length)}${name} ${tag.slice(classed.index + classed[0].length)}`;
  return html.slice(0, from) + said + html.slice(end);
}

/** The picture of a block stands at its beginning. */
const farEnough = 8 * 1024;

/** Scripts that enlarge the images of a gallery read the id of each image. */
function numbered(html: string, mark: Mark): string {
  const { id } = attributesOf(mark);
  if (!Number.isSafeInteger(id)) return html;
  let behindName: number | undefined;
  eachToken(html.slice(0, farEnough), (token) => {
    if (behindName !== undefined || token.kind !== 'open' || token.name !== 'img') return;
    if (token.attributes.every(({ name }) => name !== 'data-id')) behindName = token.start + '<img'.length;
  });
  return behindName === undefined ? html : `${html.slice(0, behindName)} data-id="${id}"${html.slice(behindName)}`;
}

export interface Given {
  readonly kit: Kit;
  readonly finds: Finds;
  readonly smiling: boolean;
  urlOf(file: string): string;
  /** Something could not be written. */
  failed(): void;
}

export const written = (source: Source, given: Given): string => atOnce(writing(source, given));

/** The same, step by step: nobody has to wait for all of them. */
export function* writing(source: Source, given: Given): Steps {
  const { kit, finds, smiling } = given;
  const { content } = source;
  const page = pageOf(source, given);
  const addressed = addressesShown(content, finds.addresses);
  const isMadeOfBlocks = hasBlocks(content);
  const told = isMadeOfBlocks ? blocks(addressed, source, given, page) : addressed;
  yield;
  if (isDense(told)) return addressesWritten(told, finds.addresses);
  const html = typography(told, kit.shortcodes);
  yield;
  const parted = isMadeOfBlocks ? html : yield* paragraphing(html);
  yield;
  const live = page.shortcodes(unwrapped(parted, kit.shortcodes));
  yield;
  const whole = pictured(live, { known: finds.pictures, urlOf: given.urlOf });
  yield;
  return addressesWritten(smiling ? smilies(whole) : whole, finds.addresses);
}

/** So many signs that mean something, and one in so many of all: nobody typed that, and it stays as it stands. */
const dense = { signs: 75_000, each: 8 };

function isDense(text: string): boolean {
  if (text.length < dense.signs) return false;
  let signs = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    // " & ' < [
    if (code === 60 || code === 34 || code === 39 || code === 38 || code === 91) signs += 1;
  }
  return signs > dense.signs && signs > text.length / dense.each;
}

function pageOf({ of }: Source, { kit, finds, failed }: Given): Page {
  const numbers = new Map<string, number>();
  const ids = new Map<string, number>();
  const count = (counts: Map<string, number>, name: string): number => {
    const next = (counts.get(name) ?? 0) + 1;
    counts.set(name, next);
    return next;
  };
  let [depth, made] = [0, 0];
  const bounded = (make: () => string): string => {
    if (made > mostMade) return '';
    const html = make();
    made += html.length;
    return html;
  };
  const page: Page = {
    next: (kind) => count(numbers, kind),
    unique(id) {
      const times = count(ids, id);
      return times === 1 ? id : `${id}-${times}`;
    },
    shortcodes(text) {
      if (depth >= deepest || !text.includes('[')) return text;
      depth += 1;
      try {
        return replaced(text, kit.shortcodes, (one) => {
          const { attributes, inner = '' } = one;
          const live = kit.shortcode(one.name);
          const key = live && findKey(shortcodeName(one), live, attributes);
          if (live === undefined || key === undefined || !isFound(live, key, finds)) return one.written;
          const write = (): string => live.write({ attributes, of, inner, page }, finds.live.get(key));
          return bounded(() => unlessContained(write, failed) ?? one.written);
        });
      } finally {
        depth -= 1;
      }
    },
  };
  return page;
}

/** What all shortcodes of one text make, in characters: a few signs may stand for a gallery, and be many. */
const mostMade = 1024 * 1024;

/** How often one text may show others, how much of them and of what blocks make, in characters, and how many of those there are. */
const most = { inclusions: 200, included: 4 * 1024 * 1024, made: 1024 * 1024, live: 2_000 };

function blocks(content: string, { of, apart }: Source, { kit, finds, failed }: Given, page: Page): string {
  const going = new Set<number>(of === undefined || apart ? [] : [of.id]);
  let [inclusions, length, made, times] = [0, 0, 0, 0];
  const included = (id: number): string => {
    const text = finds.included.get(id);
    if (text === undefined || going.has(id) || ++inclusions > most.inclusions) return '';
    length += text.length;
    if (length > most.included) return '';
    going.add(id);
    const html = eachWritten(addressesShown(text, finds.addresses), block);
    going.delete(id);
    return html;
  };
  const block = (mark: Mark, inner: string, within: readonly { readonly mark: Mark }[]): string => {
    const id = includedIn(mark, of);
    if (id !== undefined) return included(id);
    const live = kit.block(fullName(mark.name));
    if (live === undefined) return asItStands(mark, inner, within);
    times += 1;
    if (made > most.made || times > most.live) return '';
    const attributes = attributesOf(mark);
    const key = findKey(blockName(mark), live, attributes);
    if (!isFound(live, key, finds)) return asItStands(mark, inner, within);
    const write = (): string => live.write({ attributes, of, inner, page }, finds.live.get(key));
    const html = unlessContained(write, failed) ?? asItStands(mark, inner, within);
    made += html.length;
    return html;
  };
  return eachWritten(content, block);
}
