// Rewrites the pictures in a text to the files their copies have now: in the classic form, and in image blocks.
import { withAttributes } from '#lib/html-attributes.ts';
import { eachToken, meaning, type Opening, type Token } from '#lib/html-tokens.ts';
import { inFolderOf, type MediaFile } from './media.ts';
import type { Dimensions } from './sizes.ts';
import { sizedOf, sourcesOf } from './sources.ts';

export interface UsedPictures {
  pictureOf(id: number): MediaFile | undefined;
  /** The public URL of a file below the uploads. */
  urlOf(file: string): string;
}

/** Some of the text, and what stands in its place. */
interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** A picture as it should be shown. */
interface CurrentSize extends Dimensions {
  readonly file: string;
}

/** What stands around the token that is looked at. */
interface Surroundings {
  /** How many blocks are open. */
  blocks: number;
  imageBlock: Extract<Token, { kind: 'comment' }> | undefined;
  figure: Opening | undefined;
  /** A caption in HTML, `id="attachment_37"`. */
  wrapper: Opening | undefined;
  /** Where the last picture ended. */
  from: number;
}

const mark = /(?:^|\s)wp-image-([1-9]\d{0,14})(?=\s|$)/;
const sizeMark = /(?:^|\s)size-([\w-]{1,60})(?=\s|$)/;

/** The pictures that a text names by their mark. */
export const markedPictures = (content: string): Set<number> =>
  new Set(Array.from(content.matchAll(/\bwp-image-([1-9]\d{0,14})\b/g), ([, id]) => Number(id)));

export function rewriteImages(content: string, pictures: UsedPictures): string {
  if (!content.includes('wp-image-')) return content;
  const replacements: Replacement[] = [];
  const around: Surroundings = { blocks: 0, imageBlock: undefined, figure: undefined, wrapper: undefined, from: 0 };
  eachToken(content, (token) => {
    if (token.kind === 'comment') passBlock(token, around);
    if (token.kind === 'close') passClose(token.name, around);
    if (token.kind !== 'open') return;
    if (token.name !== 'img') return passOpening(token, around);
    replacements.push(...imageReplacements(content, token, around, pictures));
    around.from = token.end;
  });
  return replaced(content, replacements);
}

function passBlock(token: Extract<Token, { kind: 'comment' }>, around: Surroundings): void {
  const said = token.said.trim();
  if (/^\/wp:/.test(said)) {
    around.blocks = Math.max(0, around.blocks - 1);
    around.imageBlock = undefined;
  } else if (/^wp:/.test(said) && !said.endsWith('/')) {
    around.blocks += 1;
    around.imageBlock = /^wp:image(?:\s|$)/.test(said) ? token : undefined;
  }
}

function passClose(name: string, around: Surroundings): void {
  if (name === 'figure') around.figure = undefined;
  if (name === 'figure' || name === 'div') around.wrapper = undefined;
}

function passOpening(token: Opening, around: Surroundings): void {
  if (token.name === 'figure') around.figure = token;
  const isWrapper = token.name === 'figure' || token.name === 'div';
  if (isWrapper && /^attachment_\d+$/.test(attributeOf(token, 'id') ?? '')) around.wrapper = token;
}

function attributeOf({ attributes }: Opening, name: string): string | undefined {
  const found = attributes.find((one) => one.name === name);
  return found && meaning(found.written);
}

function imageReplacements(
  content: string,
  token: Opening,
  around: Surroundings,
  { pictureOf, urlOf }: UsedPictures,
): Replacement[] {
  const classes = attributeOf(token, 'class') ?? '';
  const id = Number(mark.exec(classes)?.[1] ?? 0);
  const picture = id === 0 ? undefined : pictureOf(id);
  const label = labelOf(classes, around);
  const current = picture && label !== undefined ? currentSize(picture, label) : undefined;
  if (picture === undefined || current === undefined) return [];
  const url = urlOf(current.file);
  const src = attributeOf(token, 'src') ?? '';
  const isMoved = !isSameFile(src, url);
  const before = dimensionsBefore(src, token, picture);
  const wanted: Record<string, string | null> = {
    ...(isMoved && { src: url }),
    ...(around.blocks === 0 ? dimensions(current) : dimensionsInBlock(token, { before, current, isMoved, around })),
    ...(attributeOf(token, 'srcset') !== undefined && sourcesNow(token, { picture, current, isMoved, urlOf })),
  };
  const attributes = Object.fromEntries(
    Object.entries(wanted).filter(([name, value]) => attributeOf(token, name) !== (value ?? undefined)),
  );
  const tag = content.slice(token.start, token.end);
  const replacements = [{ start: token.start, end: token.end, text: withAttributes(tag, attributes) }];
  if (isMoved && around.imageBlock !== undefined)
    replacements.push(blockReplacement(content, around.imageBlock, before));
  return [...replacements, ...captionReplacements(content, token, { id, width: current.width }, around)];
}

/** The picture says which size it has, or the figure around it does, or its block. */
function labelOf(classes: string, { figure, imageBlock }: Surroundings): string | undefined {
  const inFigure = figure && sizeMark.exec(attributeOf(figure, 'class') ?? '')?.[1];
  const slug = imageBlock && attributesOf(imageBlock.said)?.sizeSlug;
  return sizeMark.exec(classes)?.[1] ?? inFigure ?? (typeof slug === 'string' ? slug : undefined);
}

function currentSize(picture: MediaFile, label: string): CurrentSize | undefined {
  if (label === 'full') {
    const { file, width, height } = picture;
    return width === null || height === null ? undefined : { file, width, height };
  }
  const copy = Object.hasOwn(picture.sizes, label) ? picture.sizes[label] : undefined;
  return copy && { file: inFolderOf(picture.file, copy.file), width: copy.width, height: copy.height };
}

/** Hosts may differ: files are served by others as well. */
function isSameFile(one: string, other: string): boolean {
  const [a, b] = [pathOf(one), pathOf(other)];
  return a !== undefined && a === b;
}

function pathOf(url: string): string | undefined {
  const parsed = URL.parse(url.trim(), 'http://localhost');
  try {
    return parsed === null ? undefined : decodeURIComponent(parsed.pathname);
  } catch {
    return undefined;
  }
}

/** How large the picture was that is shown so far: its file says so, or the tag does. */
function dimensionsBefore(src: string, token: Opening, picture: MediaFile): Partial<Dimensions> {
  const [, width, height] = /-(\d{1,5})x(\d{1,5})\.[a-z\d]{1,5}(?:[?#]|$)/i.exec(src) ?? [];
  if (width !== undefined) return { width: Number(width), height: Number(height) };
  const isWhole = pathOf(src)?.endsWith(`/${picture.file}`);
  if (isWhole && picture.width !== null && picture.height !== null)
    return { width: picture.width, height: picture.height };
  return { width: numberOf(attributeOf(token, 'width')), height: numberOf(attributeOf(token, 'height')) };
}

const numberOf = (text: unknown): number =>
  typeof text === 'number' ? text : Number(/^(\d{1,5})(?:px)?$/.exec(String(text ?? ''))?.[1] ?? Number.NaN);

const dimensions = ({ width, height }: Dimensions) => ({ width: `${width}`, height: `${height}` });

interface BlockImage {
  readonly before: Partial<Dimensions>;
  readonly current: CurrentSize;
  readonly isMoved: boolean;
  readonly around: Surroundings;
}

/** Blocks are held to what they write: nothing is added, and an image block that had the size of its file goes on without. */
function dimensionsInBlock(token: Opening, { before, current, isMoved, around }: BlockImage) {
  const changed: Record<string, string | null> = {};
  if (!isMoved) return changed;
  for (const side of ['width', 'height'] as const)
    if (numberOf(attributeOf(token, side)) === before[side])
      changed[side] = around.imageBlock === undefined ? `${current[side]}` : null;
  return changed;
}

function attributesOf(said: string): Record<string, unknown> | undefined {
  const [start, end] = [said.indexOf('{'), said.lastIndexOf('}')];
  try {
    return start < 0 || end < start ? undefined : JSON.parse(said.slice(start, end + 1));
  } catch {
    return undefined;
  }
}

function blockReplacement(content: string, block: Extract<Token, { kind: 'comment' }>, before: Partial<Dimensions>) {
  const { start, end } = block;
  const text = content.slice(start, end);
  const known = attributesOf(block.said);
  const sides = (['width', 'height'] as const).filter((side) => known && numberOf(known[side]) === before[side]);
  if (known === undefined || sides.length === 0) return { start, end, text };
  const left = Object.fromEntries(Object.entries(known).filter(([name]) => !(sides as string[]).includes(name)));
  // As the editor writes them: nothing in them ends the comment.
  const json = JSON.stringify(left)
    .replaceAll('--', '\\u002d\\u002d')
    .replaceAll('<', '\\u003c')
    .replaceAll('>', '\\u003e');
  return { start, end, text: `<!-- wp:image ${json.replaceAll('&', '\\u0026')} -->` };
}

interface ShownImage extends Pick<UsedPictures, 'urlOf'> {
  readonly picture: MediaFile;
  readonly current: CurrentSize;
  readonly isMoved: boolean;
}

/** The copies to choose from, if one of those named is not a copy any more. */
function sourcesNow(token: Opening, { picture, current, isMoved, urlOf }: ShownImage) {
  const known = new Set(sizedOf(picture).map(({ file }) => pathOf(urlOf(file))));
  const named = (attributeOf(token, 'srcset') ?? '').split(',').map((one) => pathOf(one.trim().split(/\s/, 1)[0]!));
  if (!isMoved && named.every((path) => known.has(path))) return {};
  const sources = sourcesOf(picture, current, urlOf);
  return { srcset: sources?.srcset ?? null, sizes: sources?.sizes ?? null };
}

/** The caption around the picture becomes as wide as the picture. */
function captionReplacements(
  content: string,
  token: Opening,
  { id, width }: { readonly id: number; readonly width: number },
  { wrapper, from }: Surroundings,
): Replacement[] {
  if (wrapper !== undefined && attributeOf(wrapper, 'id') === `attachment_${id}`) {
    const tag = content.slice(wrapper.start, wrapper.end);
    const style = attributeOf(wrapper, 'style');
    const [, before] = /(?:^|[;\s])width:\s*(\d{1,5})px/.exec(style ?? '') ?? [];
    if (style === undefined || before === undefined) return [];
    // Some themes leave a little room around the picture.
    const room = Number(before) - numberOf(attributeOf(token, 'width'));
    const wide = width + (room > 0 && room <= 20 ? room : 0);
    const text = withAttributes(tag, { style: style.replace(/((?:^|[;\s])width:\s*)\d{1,5}px/, `$1${wide}px`) });
    return [{ start: wrapper.start, end: wrapper.end, text }];
  }
  const passed = content.slice(from, token.start);
  const at = passed.lastIndexOf('[caption ');
  const end = at < 0 ? -1 : passed.indexOf(']', at);
  if (end < 0 || passed.includes('[/caption]', at)) return [];
  const opening = passed.slice(at, end + 1);
  if (!new RegExp(`\\bid=["']?attachment_${id}["'\\s\\]]`).test(opening)) return [];
  const text = opening.replace(/(\swidth=["']?)\d{1,5}/, `$1${width}`);
  return [{ start: from + at, end: from + end + 1, text }];
}

function replaced(content: string, replacements: readonly Replacement[]): string {
  const pieces: string[] = [];
  let from = 0;
  for (const { start, end, text } of [...replacements].sort((one, other) => one.start - other.start)) {
    if (start < from) continue;
    pieces.push(content.slice(from, start), text);
    from = end;
  }
  return [...pieces, content.slice(from)].join('');
}
