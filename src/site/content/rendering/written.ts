// The way from a text to what a page shows. It asks nobody anything: what was found is given.
import type { Mark } from '../marks.ts';
import { addressesShown, addressesWritten } from './addresses.ts';
import { attributesOf, eachWritten, fullName, hasBlocks } from './blocks.ts';
import { blockKey, type Finds, isFound, shortcodeKey } from './finds.ts';
import { pictured } from './images.ts';
import { includedIn } from './including.ts';
import type { Kit } from './kit.ts';
import type { Page } from './live.ts';
import { paragraphs } from './paragraphs.ts';
import type { Source } from './rendering.ts';
import { deepest, replaced, unwrapped } from './shortcodes/syntax.ts';
import { smilies } from './smilies.ts';
import { asItStands } from './static-blocks.ts';
import { typography } from './typography.ts';

export interface Given {
  readonly kit: Kit;
  readonly finds: Finds;
  readonly smiling: boolean;
  urlOf(file: string): string;
}

export function written(source: Source, given: Given): string {
  const { kit, finds, smiling } = given;
  const { content } = source;
  const page = pageOf(source, given);
  const addressed = addressesShown(content, finds.addresses);
  const isMadeOfBlocks = hasBlocks(content);
  const html = typography(isMadeOfBlocks ? blocks(addressed, source, given, page) : addressed, kit.shortcodes);
  const parted = unwrapped(isMadeOfBlocks ? html : paragraphs(html), kit.shortcodes);
  const whole = pictured(page.shortcodes(parted), { known: finds.pictures, urlOf: given.urlOf });
  return addressesWritten(smiling ? smilies(whole) : whole, finds.addresses);
}

function pageOf({ of }: Source, { kit, finds }: Given): Page {
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
          const key = shortcodeKey(one);
          const live = kit.shortcode(one.name);
          if (!isFound(live, key, finds)) return one.written;
          return bounded(() => live.write({ attributes, of, inner, page }, finds.live.get(key)));
        });
      } finally {
        depth -= 1;
      }
    },
  };
  return page;
}

/** What all shortcodes of one text make, in characters: a few signs may stand for a gallery, and be many. */
const mostMade = 2 * 1024 * 1024;

/** How often one text may show others, how much of them and of what blocks make, in characters. */
const most = { inclusions: 200, included: 4 * 1024 * 1024, made: 1024 * 1024 };

function blocks(content: string, { of, apart }: Source, { kit, finds }: Given, page: Page): string {
  const going = new Set<number>(of === undefined || apart ? [] : [of.id]);
  let [inclusions, length, made] = [0, 0, 0];
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
    const key = blockKey(mark.name, mark.attributes);
    const live = kit.block(fullName(mark.name));
    if (!isFound(live, key, finds)) return asItStands(mark, inner, within);
    if (made > most.made) return '';
    const html = live.write({ attributes: attributesOf(mark), of, inner, page }, finds.live.get(key));
    made += html.length;
    return html;
  };
  return eachWritten(content, block);
}
