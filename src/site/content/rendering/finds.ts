// What a text mentions, and what is found of it: looked up before anything is written.
import { createHash, type Hash } from 'node:crypto';
import { setImmediate as breath } from 'node:timers/promises';
import { Contained, failedTopic } from '../contained.ts';
import type { MediaLibrary } from '../media/media.ts';
import { mediaTopic } from '../tables.ts';
import { addressesIn } from './addresses.ts';
import { hasBlocks } from './blocks.ts';
import { unlessContained } from './contained.ts';
import { type Mentioned, mentionedIn } from './excerpts.ts';
import { imagesIn, type Pictured } from './images.ts';
import { type Included, includedBy, including } from './including.ts';
import type { Kit } from './kit.ts';
import type { Live } from './live.ts';
import type { Source } from './rendering.ts';

/** All of it data: two that say the same are the same. */
export interface Finds {
  readonly included: ReadonlyMap<number, string>;
  readonly live: ReadonlyMap<string, unknown>;
  readonly addresses: ReadonlyMap<string, string>;
  readonly pictures: ReadonlyMap<number, Pictured>;
  readonly rests: ReadonlySet<string>;
  /** The same for all that say the same; nothing where nothing was found. */
  readonly print: string;
}

/** Nobody wants more of them in one text; of what blocks and shortcodes find, so many characters in all. */
const most = { live: 100, weight: 2 * 1024 * 1024, addresses: 50, pictures: 500 };

/** So many are looked up together. */
const atOnce = 10;

interface Needs {
  readonly kit: Kit;
  readonly texts: Included;
  readonly media: Pick<MediaLibrary, 'files'>;
}

/** What is found of one text. */
interface Finding {
  readonly texts: readonly string[];
  readonly of: Source['of'];
  readonly forEditor: Source['forEditor'];
  readonly rests: Set<string>;
  readonly print: Hash;
}

/** What was found by one of an extension; nothing where that failed. */
async function unlessFailed<T>(rests: Set<string>, find: () => Promise<T>): Promise<{ found: T } | undefined> {
  try {
    return { found: await find() };
  } catch (error) {
    if (!(error instanceof Contained)) throw error;
    rests.add(failedTopic);
    return undefined;
  }
}

/** Together, without those that failed. */
async function found(some: readonly [string, Mentioned][], { of, forEditor, rests }: Finding) {
  const outcomes = some.map(async ([key, { one, attributes }]) => {
    const outcome = await unlessFailed(rests, async () => one.find?.({ attributes, of, forEditor }));
    return outcome === undefined ? [] : [{ key, find: outcome.found }];
  });
  return (await Promise.all(outcomes)).flat();
}

export function createFinding({ kit, texts: kept, media }: Needs) {
  return async ({ content, of, forEditor }: Source): Promise<Finds> => {
    const one: Finding = { texts: [content], of, forEditor, rests: new Set(), print: createHash('sha256') };
    const included = await findIncluded(one, kept);
    const all = { ...one, texts: [content, ...included.values()] };
    const finds = {
      included,
      live: await findLive(all, kit),
      addresses: await findAddresses(all, kit),
      pictures: await findPictures(all, media),
    };
    const isEmpty = Object.values(finds).every(({ size }) => size === 0);
    return { ...finds, rests: one.rests, print: isEmpty ? '' : one.print.digest('base64url') };
  };
}

/** Stops when what was found weighs too much in all. */
async function findLive(finding: Finding, kit: Kit): Promise<Map<string, unknown>> {
  const { texts, rests, print } = finding;
  const mentioned = bounded(mentionedIn(texts, kit));
  for (const [, { one }] of mentioned) for (const topic of one.rests ?? []) rests.add(topic);
  const all = new Map<string, unknown>();
  let weight = 0;
  for (let from = 0; from < mentioned.length; from += atOnce) {
    if (from > 0) await breath();
    for (const { key, find } of await found(mentioned.slice(from, from + atOnce), finding)) {
      const said = JSON.stringify(find) ?? '';
      weight += said.length;
      if (weight > most.weight) return all;
      print.update(`${key}\0${said}\0`);
      all.set(key, find);
    }
  }
  return all;
}

async function findPictures({ texts, rests, print }: Finding, media: Needs['media']): Promise<Map<number, Pictured>> {
  const ids = [...new Set(texts.flatMap(imagesIn))].slice(0, most.pictures);
  if (ids.length === 0) return new Map();
  rests.add(mediaTopic);
  const files = await media.files(ids);
  const found = [...files].map(
    ([id, { file, width, height, sizes, placeholder }]) => [id, { file, width, height, sizes, placeholder }] as const,
  );
  print.update(JSON.stringify(found));
  return new Map(found);
}

async function findAddresses({ texts, rests, print }: Finding, kit: Kit): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  if (kit.addresses.length === 0) return found;
  const fail = () => rests.add(failedTopic);
  const urls = [...new Set(texts.flatMap(addressesIn))].slice(0, most.addresses);
  for (const shown of kit.addresses) {
    const knows = (url: string) => unlessContained(() => shown.knows(url), fail) === true;
    const known = urls.filter((url) => !found.has(url) && knows(url));
    if (known.length === 0) continue;
    for (const topic of shown.rests) rests.add(topic);
    const { found: some = [] } = (await unlessFailed(rests, () => shown.find(known))) ?? {};
    for (const [url, html] of some) found.set(url, html);
  }
  for (const [url, html] of found) print.update(`${url}\0${html}\0`);
  return found;
}

async function findIncluded(
  { texts: [content = ''], of, rests, print }: Finding,
  texts: Included,
): Promise<Map<number, string>> {
  if (!hasBlocks(content) || includedBy(content, of).length === 0) return new Map();
  rests.add('posts');
  const found = await including(texts, content, of);
  for (const [id, text] of found) print.update(`${id}\0${text}\0`);
  return found;
}

/** Whether it can be written: one that looks nothing up always can, and one that does without. */
export const isFound = (one: Live, key: string, { live }: Finds): boolean =>
  one.find === undefined || one.always === true || live.has(key);

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
