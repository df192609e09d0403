// Galleries as editors write them into a text: gallery blocks and `[gallery]` shortcodes, and the galleries that are embedded in it.
import { type Attribute, eachToken, meaning, type Opening, type Token } from '#lib/html-tokens.ts';
import { type Mark, markOf } from '#site/content/marks.ts';
import { attributesOf, fullName } from '#site/content/rendering/blocks.ts';
import { placesIn, type Shortcode } from '#site/content/rendering/shortcodes/syntax.ts';
import { idOf } from '../gallery-content.ts';

interface Range {
  readonly start: number;
  readonly end: number;
}

interface Block extends Range {
  readonly mark: Mark;
  /** The HTML between its marks. */
  readonly inner: string;
}

export interface BlockSource extends Range {
  readonly kind: 'block';
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly inner: string;
}

export interface ShortcodeSource extends Range {
  readonly kind: 'shortcode';
  readonly attributes: Readonly<Record<string, string>>;
}

export type GallerySource = BlockSource | ShortcodeSource;

export interface EmbeddedGallery extends Range {
  /** 0 if the shortcode names the gallery by its slug. */
  readonly id: number;
  readonly slug: string;
}

/** One picture of a gallery block. */
export interface SourceImage {
  /** 0 for a picture of another site. */
  readonly id: number;
  readonly src: string;
  readonly alt: string;
  readonly caption: string;
  /** A URL that an editor chose; empty otherwise. */
  readonly link: string;
}

const galleryBlock = 'core/gallery';
const imageBlock = 'core/image';
const embedBlock = 'gallery/embed';

/** In the order of the text. Code is left out, and so are shortcodes in two brackets. */
export function gallerySourcesIn(content: string): GallerySource[] {
  const { blocks, code } = blocksIn(content, galleryBlock);
  const found: GallerySource[] = blocks.map(({ start, end, mark, inner }) => ({
    kind: 'block',
    start,
    end,
    inner,
    attributes: attributesOf(mark),
  }));
  for (const { one, start, end } of shortcodesOutside(content, 'gallery', [...code, ...blocks]))
    found.push({ kind: 'shortcode', start, end, attributes: one.attributes });
  return found.toSorted((one, other) => one.start - other.start);
}

/** Galleries that a text shows by the embed block or the shortcode `[site-gallery]`, in the order of the text. */
export function embeddedGalleriesIn(content: string): EmbeddedGallery[] {
  const { blocks, code } = blocksIn(content, embedBlock);
  const found: EmbeddedGallery[] = blocks.map(({ start, end, mark }) => {
    const { galleryId, id } = attributesOf(mark);
    return { start, end, id: idOf(galleryId ?? id), slug: '' };
  });
  for (const { one, start, end } of shortcodesOutside(content, 'site-gallery', [...code, ...blocks]))
    found.push({ start, end, id: idOf(one.attributes.id), slug: one.attributes.slug ?? '' });
  return found.toSorted((one, other) => one.start - other.start);
}

/** The text with each of these ranges replaced. They must be in order and apart from each other. */
export function spliced(content: string, replacements: readonly (Range & { readonly text: string })[]): string {
  const pieces: string[] = [];
  let from = 0;
  for (const { start, end, text } of replacements) {
    pieces.push(content.slice(from, start), text);
    from = end;
  }
  return pieces.join('') + content.slice(from);
}

function* shortcodesOutside(
  content: string,
  name: string,
  ranges: readonly Range[],
): Generator<Range & { readonly one: Shortcode }> {
  const sorted = ranges.toSorted((one, other) => one.start - other.start);
  let [next, covered] = [0, -1];
  for (const { one, isSpoken, start, end } of placesIn(content, new Set([name]))) {
    for (; next < sorted.length && sorted[next]!.start < end; next++) covered = Math.max(covered, sorted[next]!.end);
    if (!isSpoken && covered <= start) yield { one, start, end };
  }
}

interface OpenBlock {
  readonly mark: Mark;
  readonly start: number;
  /** Where its inner HTML begins. */
  readonly from: number;
}

/** Closed blocks of this name, the outermost of each nest, and the ranges of `pre` and `code` elements. */
function blocksIn(content: string, name: string): { readonly blocks: Block[]; readonly code: Range[] } {
  const blocks: Block[] = [];
  const open: OpenBlock[] = [];
  const code = codeRanges();
  /** Open blocks of this name. */
  let nested = 0;
  const isNamed = ({ name: own }: Mark): boolean => fullName(own) === name;
  const add = (block: Block): void => {
    if (!code.isOpen() && isNamed(block.mark) && nested === 0) blocks.push(block);
  };
  const begin = (mark: Mark, { start, end }: Range): void => {
    open.push({ mark, start, from: end });
    if (isNamed(mark)) nested += 1;
  };
  const finish = (mark: Mark, { start, end }: Range): void => {
    const top = open.pop();
    if (top !== undefined && isNamed(top.mark)) nested -= 1;
    if (top?.mark.name === mark.name)
      add({ mark: top.mark, start: top.start, end, inner: content.slice(top.from, start) });
  };
  eachToken(content, (token) => {
    code.take(token);
    const mark = token.kind === 'comment' ? markOf(token.said) : undefined;
    if (mark?.isAlone) add({ mark, start: token.start, end: token.end, inner: '' });
    else if (mark?.ends) finish(mark, token);
    else if (mark !== undefined) begin(mark, token);
  });
  return { blocks, code: code.ranges(content.length) };
}

/** Where shortcodes and blocks are examples. */
function codeRanges() {
  const ranges: Range[] = [];
  let depth = 0;
  let first = 0;
  return {
    isOpen: (): boolean => depth > 0,
    take(token: Token): void {
      if (!('name' in token) || (token.name !== 'pre' && token.name !== 'code')) return;
      if (token.kind === 'open' && depth === 0) first = token.start;
      // An end without a beginning ends nothing.
      if (token.kind === 'close' && depth === 1) ranges.push({ start: first, end: token.end });
      depth = Math.max(0, depth + (token.kind === 'open' ? 1 : -1));
    },
    ranges: (length: number): Range[] => (depth === 0 ? ranges : [...ranges, { start: first, end: length }]),
  };
}

interface GalleryBlock {
  readonly images: readonly SourceImage[];
  /** HTML under the whole gallery. */
  readonly caption: string;
}

/** The pictures of a gallery block, from its image blocks or, in the older form, from its HTML and `ids`. */
export function imagesOf({ attributes, inner }: Pick<BlockSource, 'attributes' | 'inner'>): GalleryBlock {
  const reader = new BlockReader(inner);
  eachToken(inner, (token) => reader.take(token));
  const { images, caption } = reader;
  if (images.length > 0 || !Array.isArray(attributes.ids)) return { images, caption };
  return { images: attributes.ids.map((id) => ({ ...noImage, id: idOf(id) })), caption };
}

const noImage: SourceImage = { id: 0, src: '', alt: '', caption: '', link: '' };

/** Reads a gallery block token by token. */
class BlockReader {
  readonly images: SourceImage[] = [];
  caption = '';
  private readonly inner: string;
  /** The attributes of the image block that is open. */
  private block: Readonly<Record<string, unknown>> | undefined;
  private hasImage = false;
  private href = '';
  private captionStart: number | undefined;
  private isOfGallery = false;

  constructor(inner: string) {
    this.inner = inner;
  }

  take(token: Token): void {
    if (token.kind === 'comment') this.takeMark(markOf(token.said));
    if (token.kind === 'open') this.takeOpening(token);
    if (token.kind !== 'close') return;
    if (token.name === 'a') this.href = '';
    if (token.name === 'figcaption') this.endCaption(token);
  }

  private takeMark(mark: Mark | undefined): void {
    if (mark === undefined || fullName(mark.name) !== imageBlock) return;
    // An image block whose HTML is broken still names its picture.
    const id = idOf(this.block?.id);
    if (mark.ends && !this.hasImage && id > 0) this.images.push({ ...noImage, id });
    this.block = mark.ends || mark.isAlone ? undefined : attributesOf(mark);
    this.hasImage = false;
  }

  private takeOpening({ name, attributes, end }: Opening): void {
    if (name === 'a') this.href = attribute(attributes, 'href');
    if (name === 'img') {
      this.images.push(imageFrom(attributes, this.block, this.href));
      this.hasImage = true;
    }
    if (name !== 'figcaption') return;
    this.captionStart = end;
    this.isOfGallery = attribute(attributes, 'class').includes('blocks-gallery-caption');
  }

  private endCaption({ start }: Range): void {
    if (this.captionStart === undefined) return;
    const text = this.inner.slice(this.captionStart, start).trim();
    const last = this.isOfGallery ? undefined : this.images.pop();
    if (last === undefined) this.caption = text;
    else this.images.push({ ...last, caption: text });
    this.captionStart = undefined;
  }
}

const attribute = (attributes: readonly Attribute[], name: string): string =>
  meaning(attributes.find((one) => one.name === name)?.written ?? null);

function imageFrom(
  attributes: readonly Attribute[],
  block: Readonly<Record<string, unknown>> | undefined,
  href: string,
): SourceImage {
  const [, ofClass] = /(?:^|\s)wp-image-(\d{1,15})(?:\s|$)/.exec(attribute(attributes, 'class')) ?? [];
  return {
    id: idOf(block?.id) || idOf(attribute(attributes, 'data-id')) || idOf(ofClass),
    src: attribute(attributes, 'src'),
    alt: attribute(attributes, 'alt'),
    caption: '',
    link: block?.linkDestination === 'custom' ? href : '',
  };
}
