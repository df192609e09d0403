// Pictures and frames in a text: how large they are, which copies a browser may choose from, and that they are not needed at once.
import { escapeHtml } from '#lib/html.ts';
import { eachToken, meaning, type Opening } from '#lib/html-tokens.ts';
import type { MediaFile } from '../media/media.ts';
import { backgroundOf, type Sizable, type Sized, sizedOf, sourcesOf } from '../media/sources.ts';

export type Pictured = Sizable & Pick<MediaFile, 'placeholder'>;

export interface Pictures {
  readonly known: ReadonlyMap<number, Pictured>;
  urlOf(file: string): string;
}

/** The numbers of the pictures that a text shows, as far as it says them. */
export function imagesIn(content: string): number[] {
  if (!content.includes('wp-image-')) return [];
  return Array.from(content.matchAll(/\bwp-image-([1-9]\d{0,14})\b/g), ([, id]) => Number(id));
}

/** So many in one text are given copies to choose from: there a short word becomes a long list. */
const most = 500;

export function pictured(html: string, pictures: Pictures): string {
  if (!/<(?:img|iframe)[\s/>]/i.test(html)) return html;
  const choices = choosing(pictures);
  const pieces: string[] = [];
  let from = 0;
  eachToken(html, (token) => {
    if (token.kind !== 'open' || (token.name !== 'img' && token.name !== 'iframe')) return;
    const tag = html.slice(token.start, token.end);
    pieces.push(html.slice(from, token.start), token.name === 'img' ? image(tag, token, choices) : frame(tag, token));
    from = token.end;
  });
  pieces.push(html.slice(from));
  return pieces.join('');
}

interface Chosen {
  readonly picture: Pictured;
  readonly shown: Sized;
}

interface Choices extends Pick<Pictures, 'urlOf'> {
  /** The picture of this number, in the size that has this address. */
  of(id: number, src: string): Chosen | undefined;
}

function choosing({ known, urlOf }: Pictures): Choices {
  const sizes = new Map<number, ReadonlyMap<string, Sized>>();
  const sizesOf = (id: number, picture: Pictured): ReadonlyMap<string, Sized> =>
    sizes.getOrInsertComputed(id, () => new Map(sizedOf(picture).map((one) => [plain(urlOf(one.file)), one])));
  let left = most;
  return {
    urlOf,
    of(id, src) {
      const picture = known.get(id);
      const shown = picture && sizesOf(id, picture).get(plain(src));
      if (picture === undefined || shown === undefined || left === 0) return undefined;
      left -= 1;
      return { picture, shown };
    },
  };
}

/** The same for all spellings of an address that are in use. */
function plain(url: string): string {
  const bare = url
    .trim()
    .split(/[?#]/, 1)[0]!
    .replace(/^https?:/i, '');
  try {
    return decodeURIComponent(bare);
  } catch {
    return bare;
  }
}

/** What its attributes say, by name; nothing for those it has not. */
type Says = (name: string) => string | undefined;

function sayings({ attributes }: Opening): Says {
  const written = new Map(attributes.map((one) => [one.name, one.written]));
  return (name) => (written.has(name) ? meaning(written.get(name) ?? null) : undefined);
}

/** As galleries write them: there is nothing to add. */
const isWhole = (tag: string): boolean =>
  tag.startsWith('<img loading="lazy" decoding="async" width="') &&
  tag.includes(' srcset="') &&
  tag.includes(' sizes="auto, ');

function image(tag: string, token: Opening, choices: Choices): string {
  if (isWhole(tag)) return tag;
  const says = sayings(token);
  const chosen = chosenFor(says, choices);
  const isBare = says('width') === undefined && says('height') === undefined;
  const sized = chosen !== undefined && isBare ? ` width="${chosen.shown.width}" height="${chosen.shown.height}"` : '';
  const waits = mayWait(says, sized !== '');
  const begun = [
    waits && says('loading') === undefined ? ' loading="lazy"' : '',
    says('decoding') === undefined ? ' decoding="async"' : '',
    sized,
  ].join('');
  const whole = withBackground(waits ? withAuto(tag, says) : tag, says, chosen);
  const sources = sourcesOfTag(chosen, says, choices);
  if (sources === undefined) return whole.slice(0, 4) + begun + whole.slice(4);
  const hasSizes = says('sizes') !== undefined;
  const sizes = hasSizes ? '' : ` sizes="${waits ? 'auto, ' : ''}${sources.sizes}"`;
  return `${whole.slice(0, 4)}${begun}${ended(whole, token)} srcset="${escapeHtml(sources.srcset)}"${sizes} />`;
}

/** The picture of the library that the class of the tag names. */
function chosenFor(says: Says, choices: Choices): Chosen | undefined {
  const id = Number(/(?:^|\s)wp-image-([1-9]\d{0,14})(?=\s|$)/.exec(says('class') ?? '')?.[1] ?? 0);
  return id === 0 ? undefined : choices.of(id, says('src') ?? '');
}

/** Shown as wide as it says, or as it is. Nothing for a tag that names sources of its own. */
function sourcesOfTag(chosen: Chosen | undefined, says: Says, { urlOf }: Choices) {
  if (chosen === undefined || says('srcset') !== undefined) return undefined;
  const { picture, shown } = chosen;
  const width = /^\d{1,5}$/.exec(says('width') ?? '')?.[0];
  return sourcesOf(picture, shown, urlOf, width === undefined ? undefined : Number(width));
}

/** All behind the name, without its end. */
const ended = (tag: string, { closed }: Opening): string => tag.slice(4, closed ? -2 : -1).trimEnd();

/** Whose place is known before it is there may come late, unless somebody says otherwise. */
function mayWait(says: Says, isSized: boolean): boolean {
  const hasPlace = isSized || (says('width') !== undefined && says('height') !== undefined);
  const loading = says('loading')?.toLowerCase();
  return hasPlace && (loading ?? 'lazy') === 'lazy' && says('fetchpriority')?.toLowerCase() !== 'high';
}

const attribute = /[\s/]*([^\s/>=]+)(?:\s*=\s*("[^"]*"|'[^']*'|[^\s>]*))?/dgy;

/** A picture that may come late may be chosen once its place is known. */
function withAuto(tag: string, says: Says): string {
  const sizes = says('sizes');
  if (sizes === undefined || /^\s*auto\s*(?:,|$)/i.test(sizes)) return tag;
  return prefixed(tag, 'sizes', 'auto, ');
}

/** The color that stands there until the picture does. A background that its writer chose stays. */
function withBackground(tag: string, says: Says, chosen: Chosen | undefined): string {
  const color = chosen && backgroundOf(chosen.picture);
  const style = says('style');
  if (color === undefined || /background/i.test(style ?? '')) return tag;
  return style === undefined
    ? `${tag.slice(0, 4)} style="${color}"${tag.slice(4)}`
    : prefixed(tag, 'style', `${color};`);
}

/** With this before the value of an attribute that is written in quotes. */
function prefixed(tag: string, attributeName: string, text: string): string {
  const found = tag.matchAll(attribute).find(([, name]) => name!.toLowerCase() === attributeName);
  const [at = 0] = found?.indices?.[2] ?? [];
  return /["']/.test(tag.charAt(at)) ? `${tag.slice(0, at + 1)}${text}${tag.slice(at + 1)}` : tag;
}

function frame(tag: string, token: Opening): string {
  const says = sayings(token);
  const waits = says('width') !== undefined && says('height') !== undefined && says('loading') === undefined;
  return waits ? `${tag.slice(0, 7)} loading="lazy"${tag.slice(7)}` : tag;
}
