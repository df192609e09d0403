// AVIF pictures are inspected before they are decoded: they can consist of other pictures, and turn them, in ways that keep a decoder
// busy for hours, and it cannot be stopped then. The site accepts an image, or a plain grid of different images.
import { type FileHandle, open } from 'node:fs/promises';
import { type Box, type Described, damaged, describedBy, type Item, Numbers, one } from './heif.ts';
import { pictureLimits } from './picture-errors.ts';

const most = { boxes: 64, meta: 2 ** 20, tiles: 256, changes: 64 };

/** Images, and what is said besides them. A tone map is for those who know it: the rest see the image it is of. */
const kinds = new Set(['av01', 'grid', 'Exif', 'mime', 'uri ', 'tmap']);
/** Of each an image has one at the most. */
const changes = ['irot', 'imir', 'clap'];

/** How many pixels have to be made before the picture is seen, whatever size it says it has. Throws `Malformed`. */
export async function avifPixels(path: string): Promise<number> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const described = describedBy(await metaOf(file, size));
    judgeItems(described, size);
    judgeReferences(described);
    return await pixelsOf(described, contentsIn(file, described.inside));
  } finally {
    await file.close();
  }
}

async function metaOf(file: FileHandle, size: number): Promise<Numbers> {
  const found: Box[] = [];
  let at = 0;
  for (let boxes = 0; at < size; boxes++) {
    if (boxes === most.boxes) throw damaged('there are too many boxes');
    const { type, start, length } = await boxAt(file, at, size);
    if (type === 'mini') throw damaged('it uses the short form of AVIF, which is not supported');
    if (type === 'meta') {
      if (length > most.meta) throw damaged('its description is too long');
      found.push({ type, inside: new Numbers(await bytesAt(file, at + start, length - start)) });
    }
    at += length;
  }
  const meta = one(found, 'meta');
  if (meta === undefined) throw damaged('it describes no picture');
  return meta;
}

async function boxAt(file: FileHandle, at: number, size: number) {
  const head = new Numbers(await bytesAt(file, at, 16));
  const short = head.next(4);
  const type = head.text(4);
  const length = short === 1 ? head.next(8) : short || size - at;
  const start = short === 1 ? 16 : 8;
  if (length < start || at + length > size) throw damaged('a box has a wrong length');
  return { type, start, length };
}

async function bytesAt(file: FileHandle, at: number, bytes: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(bytes), 0, bytes, at);
  return buffer.subarray(0, bytesRead);
}

function judgeItems({ primary, items, inside }: Described, size: number): void {
  if (!isImage(items.get(primary))) throw damaged('there is no picture');
  let bytes = 0;
  for (const item of items.values()) {
    if (!kinds.has(item.type)) throw damaged('its structure is not supported');
    for (const { isInside, at, length } of item.extents) {
      const end = isInside ? inside.length : size;
      if (length === 0 || at + length > end) throw damaged('an item is outside the file');
      bytes += length;
    }
    judgeChanges(item);
  }
  if (bytes > pictureLimits.bytes) throw damaged('its items overlap');
}

function judgeChanges({ properties }: Item): void {
  const times = (change: string) => properties.filter((property) => property.type === change).length;
  const isOften = properties.length > most.changes || changes.some((change) => times(change) > 1);
  if (isOften || times('iscl') > 0) throw damaged('an image has too many transformations');
}

const isImage = (item: Item | undefined): boolean => item?.type === 'av01' || item?.type === 'grid';

/** A part belongs to one grid, and what is said of an image (how much shines through it) to one image that is seen. */
function judgeReferences({ items, references }: Described): void {
  const within = (type: string) =>
    references.filter((one) => one.type === type && items.get(one.from)?.type !== 'tmap');
  const parts = new Set<number>();
  for (const { from, to } of within('dimg')) {
    const isGrid = items.get(from)?.type === 'grid' && to.length > 0 && to.length <= most.tiles;
    if (!isGrid) throw damaged('its structure is not supported');
    for (const id of to) {
      if (items.get(id)?.type !== 'av01' || parts.has(id)) throw damaged('a part is not a separate image');
      parts.add(id);
    }
  }
  const aside = new Set(within('auxl').map(({ from }) => from));
  for (const { from, to } of within('auxl')) {
    const isOfOne = to.length === 1 && to.every((id) => !parts.has(id) && !aside.has(id));
    if (!isOfOne || parts.has(from) || !isImage(items.get(from))) throw damaged('an extra image belongs to no image');
  }
}

type Contents = (item: Item) => { readonly read: Read; readonly length: number };

/** The bytes of an item, behind what is said in advance of all images that are coded like it. */
function contentsIn(file: FileHandle, inside: Buffer): Contents {
  return ({ properties, extents }) => {
    const advance = properties.filter(({ type }) => type === 'av1C').map((box) => box.inside.bytes.subarray(4));
    const pieces = [
      ...advance.map((bytes) => ({ length: bytes.length, from: (at: number, end: number) => bytes.subarray(at, end) })),
      ...extents.map(({ isInside, at: start, length }) => ({
        length,
        from: (at: number, end: number) =>
          isInside ? inside.subarray(start + at, start + end) : bytesAt(file, start + at, end - at),
      })),
    ];
    const read: Read = async (at, bytes) => {
      const parts: Buffer[] = [];
      let start = 0;
      for (const { length, from } of pieces) {
        const [first, last] = [Math.max(0, at - start), Math.min(length, at + bytes - start)];
        if (first < last) parts.push(await from(first, last));
        start += length;
      }
      return Buffer.concat(parts);
    };
    return { read, length: pieces.reduce((sum, { length }) => sum + length, 0) };
  };
}

/** Of the largest image, with its parts, and of what stands aside of it. */
async function pixelsOf({ items, references }: Described, contents: Contents): Promise<number> {
  const drawn = new Map<number, number>();
  let left = mostUnits;
  for (const item of items.values()) {
    if (item.type !== 'av01') continue;
    const { read, length } = contents(item);
    const { pixels, units } = await drawnBy(read, length, left);
    drawn.set(item.id, pixels);
    left = units;
  }
  const sum = (ids: readonly number[]) => ids.reduce((pixels, id) => pixels + (drawn.get(id) ?? 0), 0);
  for (const { id, type, ...item } of items.values()) {
    if (type !== 'grid') continue;
    const [parts, another] = references.filter((one) => one.type === 'dimg' && one.from === id);
    if (parts === undefined || another !== undefined) throw damaged('a grid has no own parts');
    const { read, length } = contents({ id, type, ...item });
    const whole = gridOf(new Numbers(await read(0, Math.min(length, gridBytes))), parts.to.length);
    drawn.set(id, Math.max(whole, sum(parts.to)));
  }
  const aside = new Map<number, number>();
  for (const { type, from, to } of references)
    if (type === 'auxl') aside.set(to[0]!, (aside.get(to[0]!) ?? 0) + (drawn.get(from) ?? 0));
  return Math.max(...drawn.values(), ...aside.values());
}

const gridBytes = 12;

/** How many pixels a grid of so many parts has. */
function gridOf(numbers: Numbers, parts: number): number {
  numbers.next(1);
  const size = numbers.next(1) & 1 ? 4 : 2;
  const [rows, columns] = [numbers.next(1) + 1, numbers.next(1) + 1];
  if (rows * columns !== parts) throw damaged('a grid has a wrong number of parts');
  return numbers.next(size) * numbers.next(size);
}

// How many pixels a decoder draws for an image that is coded as AV1, read from the first bytes of each of its units. Everything else in the
// file that states the size of a picture may be wrong.

/** Bytes at a place of what is coded; fewer where it ends. */
type Read = (at: number, bytes: number) => Promise<Buffer>;

interface Unit {
  readonly type: number;
  readonly start: number;
  readonly length: number;
}

const types = { sequence: 1, frameHeader: 3, frame: 6, tileList: 8 };
const headers = { unit: 10, sequence: 512 };

/** So many units have all images of a file together. */
const mostUnits = 4_096;

interface Drawn {
  readonly pixels: number;
  /** How many are left for others. */
  readonly units: number;
}

/** By an image of `length` bytes, that may have so many units. */
async function drawnBy(read: Read, length: number, units: number): Promise<Drawn> {
  let [at, left] = [0, units];
  let [size, pixels] = [0, 0];
  while (at < length) {
    if (left-- === 0) throw damaged('an image has too many units');
    const unit = unitIn(await read(at, headers.unit), at, length);
    at = unit.start + unit.length;
    if (unit.type === types.tileList) throw damaged('an image is a list of tiles, which is not supported');
    if (unit.type === types.sequence)
      size = Math.max(size, sequenceSize(await read(unit.start, Math.min(unit.length, headers.sequence))));
    if (unit.type === types.frame || unit.type === types.frameHeader) pixels += size;
  }
  if (pixels === 0) throw damaged('an image has no pixels');
  return { pixels, units: left };
}

function unitIn(head: Buffer, at: number, end: number): Unit {
  const first = head[0]!;
  const type = (first >> 3) & 15;
  const skipped = first & 4 ? 2 : 1;
  if ((first & 2) === 0) return { type, start: at + skipped, length: Math.max(0, end - at - skipped) };
  let [length, used] = [0, 0];
  for (;;) {
    const byte = head[skipped + used];
    if (byte === undefined || used === 8) throw damaged('a unit of an image has no length');
    length += (byte & 127) * 2 ** (7 * used++);
    if (byte < 128) break;
  }
  const start = at + skipped + used;
  if (start + length > end) throw damaged('a unit of an image is cut off');
  return { type, start, length };
}

/** How many pixels each picture of a sequence has at the most. */
function sequenceSize(bytes: Buffer): number {
  const bits = new Bits(bytes);
  bits.next(4);
  const isReduced = bits.next(1) === 1;
  if (isReduced) bits.next(5);
  else skipOperating(bits);
  const [across, down] = [bits.next(4) + 1, bits.next(4) + 1];
  return (bits.next(across) + 1) * (bits.next(down) + 1);
}

/** When pictures are to be shown, and how fast a decoder has to be. */
function skipOperating(bits: Bits): void {
  const delay = bits.next(1) === 1 ? skipTimes(bits) : undefined;
  const isDelayed = bits.next(1) === 1;
  const points = bits.next(5) + 1;
  for (let point = 0; point < points; point++) {
    bits.next(12);
    if (bits.next(5) > 7) bits.next(1);
    if (delay !== undefined && bits.next(1) === 1) {
      bits.next(delay);
      bits.next(delay);
      bits.next(1);
    }
    if (isDelayed && bits.next(1) === 1) bits.next(4);
  }
}

/** How many bits a delay has, where there are delays. */
function skipTimes(bits: Bits): number | undefined {
  bits.next(32);
  bits.next(32);
  if (bits.next(1) === 1) {
    let zeros = 0;
    while (bits.next(1) === 0) zeros++;
    bits.next(Math.min(zeros, 32));
  }
  if (bits.next(1) === 0) return undefined;
  const delay = bits.next(5) + 1;
  bits.next(32);
  bits.next(10);
  return delay;
}

class Bits {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  next(bits: number): number {
    if (this.#at + bits > this.#bytes.length * 8) throw damaged('an image is cut off');
    let number = 0;
    for (const end = this.#at + bits; this.#at < end; this.#at++)
      number = number * 2 + ((this.#bytes[this.#at >> 3]! >> (7 - (this.#at & 7))) & 1);
    return number;
  }
}
