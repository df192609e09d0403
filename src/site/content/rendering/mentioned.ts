// What stands in a text that is made when it is shown.
import type { Mark } from '../marks.ts';
import { attributesOf, fullName, hasBlocks, piecesOf } from './blocks.ts';
import type { Kit } from './kit.ts';
import type { Asked, Live } from './live.ts';
import { shortcodesIn } from './shortcodes/syntax.ts';

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
