// What a text mentions, and what is found of it: looked up before anything is written.
import type { MediaLibrary } from '../media/media.ts';
import type { Posts } from '../posts/post.ts';
import { addressesIn } from './addresses.ts';
import { attributesOf, fullName, hasBlocks, piecesOf } from './blocks.ts';
import { imagesIn, type Pictured } from './images.ts';
import { includedBy, including } from './including.ts';
import type { Kit } from './kit.ts';
import type { Asked, Live } from './live.ts';
import type { Source } from './rendering.ts';
import { type Shortcode, shortcodesIn } from './shortcodes/syntax.ts';

/** All of it data: two that say the same are the same. */
export interface Finds {
  readonly included: ReadonlyMap<number, string>;
  readonly live: ReadonlyMap<string, unknown>;
  readonly addresses: ReadonlyMap<string, string>;
  readonly pictures: ReadonlyMap<number, Pictured>;
  readonly rests: ReadonlySet<string>;
}

/** By its attributes as they were written: the same are looked up once. */
export const blockKey = (name: string, attributes: string | undefined): string => `<${name} ${attributes ?? ''}>`;

export const shortcodeKey = ({ name, attributes }: Shortcode): string => `[${name} ${JSON.stringify(attributes)}]`;

/** Nobody wants more of them in one text. */
const most = { live: 100, addresses: 50, pictures: 500 };

interface Needs {
  readonly kit: Kit;
  readonly posts: Pick<Posts, 'some'>;
  readonly media: Pick<MediaLibrary, 'files'>;
}

export function createFinding({ kit, posts, media }: Needs) {
  const live = async (
    texts: readonly string[],
    of: Source['of'],
    rests: Set<string>,
  ): Promise<Map<string, unknown>> => {
    const mentioned = bounded(mentionedLive(texts, kit));
    const found = await Promise.all(
      mentioned.map(async ([key, { one, attributes }]): Promise<[string, unknown]> => {
        for (const topic of one.rests ?? []) rests.add(topic);
        return [key, await one.find?.({ attributes, of })];
      }),
    );
    return new Map(found);
  };

  const pictures = async (texts: readonly string[], rests: Set<string>): Promise<Map<number, Pictured>> => {
    const ids = [...new Set(texts.flatMap(imagesIn))].slice(0, most.pictures);
    if (ids.length === 0) return new Map();
    rests.add('media');
    const files = await media.files(ids);
    return new Map([...files].map(([id, { file, width, height, sizes }]) => [id, { file, width, height, sizes }]));
  };

  const addresses = async (texts: readonly string[], rests: Set<string>): Promise<Map<string, string>> => {
    const found = new Map<string, string>();
    if (kit.addresses.length === 0) return found;
    const urls = [...new Set(texts.flatMap(addressesIn))].slice(0, most.addresses);
    for (const shown of kit.addresses) {
      const known = urls.filter((url) => !found.has(url) && shown.knows(url));
      if (known.length === 0) continue;
      for (const topic of shown.rests) rests.add(topic);
      for (const [url, html] of await shown.find(known)) found.set(url, html);
    }
    return found;
  };

  return async ({ content, of }: Source): Promise<Finds> => {
    const rests = new Set<string>();
    const included = hasBlocks(content) ? await including(posts, content, of) : new Map<number, string>();
    if (includedBy(content).length > 0) rests.add('posts');
    const texts = [content, ...included.values()];
    return {
      included,
      live: await live(texts, of, rests),
      addresses: await addresses(texts, rests),
      pictures: await pictures(texts, rests),
      rests,
    };
  };
}

/** Whether it can be written: one that looks nothing up always can. */
export const isFound = (one: Live | undefined, key: string, { live }: Finds): one is Live =>
  one !== undefined && (one.find === undefined || live.has(key));

type Mentioned = Pick<Asked, 'attributes'> & { readonly one: Live };

/** The first of them, and no more of each kind than it bears. */
function bounded(mentioned: ReadonlyMap<string, Mentioned>): [string, Mentioned][] {
  const left = new Map<Live, number>();
  const isBorne = ([, { one }]: [string, Mentioned]): boolean => {
    const many = left.get(one) ?? one.most ?? most.live;
    left.set(one, many - 1);
    return many > 0;
  };
  return mentioned.entries().filter(isBorne).take(most.live).toArray();
}

function mentionedLive(texts: readonly string[], kit: Kit): Map<string, Mentioned> {
  const mentioned = new Map<string, Mentioned>();
  for (const text of texts) {
    if (hasBlocks(text)) mentionBlocks(text, kit, mentioned);
    if (text.includes('[')) mentionShortcodes(text, kit, mentioned);
  }
  return mentioned;
}

function mentionBlocks(text: string, kit: Kit, mentioned: Map<string, Mentioned>): void {
  for (const { mark } of piecesOf(text)) {
    if (mark === undefined || mark.ends) continue;
    const one = kit.block(fullName(mark.name));
    if (one?.find === undefined) continue;
    const key = blockKey(mark.name, mark.attributes);
    if (!mentioned.has(key)) mentioned.set(key, { one, attributes: attributesOf(mark) });
  }
}

function mentionShortcodes(text: string, kit: Kit, mentioned: Map<string, Mentioned>): void {
  for (const shortcode of shortcodesIn(text, kit.shortcodes)) {
    const one = kit.shortcode(shortcode.name);
    if (one?.find !== undefined) mentioned.set(shortcodeKey(shortcode), { one, attributes: shortcode.attributes });
  }
}
