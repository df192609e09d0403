// Makes files smaller without touching a pixel: metadata goes, and PNG is deflated as hard as it can be.

import { readFile, writeFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { crc32, createDeflate, createInflate } from 'node:zlib';
import { failed } from './picture-errors.ts';

export interface LosslessOptions {
  readonly stripsMetadata: boolean;
  /** How the camera was held, 1 to 8. It is written again when the metadata goes. */
  readonly orientation: number;
}

/** Returns the bytes of the new file; undefined if the old one cannot be made smaller in this way, or is not understood. */
export async function makeLossless(
  from: string,
  to: string,
  mime: string,
  options: LosslessOptions,
): Promise<number | undefined> {
  const bytes = await readFile(from);
  const smaller = await smallerBytes(bytes, mime, options);
  if (smaller === undefined || smaller.length >= bytes.length) return undefined;
  await writeFile(to, smaller, { mode: 0o600 }).catch(failed);
  return smaller.length;
}

async function smallerBytes(bytes: Buffer, mime: string, options: LosslessOptions): Promise<Buffer | undefined> {
  if (mime === 'image/jpeg') return options.stripsMetadata ? strippedJpeg(bytes, options.orientation) : undefined;
  if (mime === 'image/png') return smallerPng(bytes, options);
  if (mime === 'image/webp' && options.stripsMetadata && options.orientation <= 1) return strippedWebp(bytes);
  return undefined;
}

/** `Exif` with the orientation alone. */
function orientationBlock(orientation: number): Buffer {
  const tiff = Buffer.from('4d4d002a00000008000101120003000000010000000000000000', 'hex');
  tiff.writeUInt16BE(orientation, 18);
  return tiff;
}

const scanStart = 0xda;
const imageEnd = 0xd9;

/** JFIF, color profile, and how Adobe wrote the colors. */
function isKept(marker: number, body: Buffer): boolean {
  if (marker === 0xfe) return false;
  if (marker < 0xe0 || marker > 0xef) return true;
  const starts = (text: string): boolean => body.toString('latin1', 0, text.length) === text;
  if (marker === 0xe0) return starts('JFIF\0');
  return marker === 0xe2 ? starts('ICC_PROFILE\0') : marker === 0xee;
}

interface Segment {
  readonly marker: number;
  readonly body: Buffer;
  /** With its marker, and the pixels behind it. */
  readonly bytes: Buffer;
}

/** Up to the end of the picture; undefined if it is not there. */
function segmentsOf(bytes: Buffer): Segment[] | undefined {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return undefined;
  const segments: Segment[] = [];
  for (let at = 2; bytes[at] === 0xff; ) {
    const marker = bytes[at + 1];
    if (marker === imageEnd) return segments;
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    const end = marker === undefined || at + 4 > bytes.length ? 0 : at + 2 + bytes.readUInt16BE(at + 2);
    if (end < at + 4 || end > bytes.length) return undefined;
    const next = marker === scanStart ? endOfScan(bytes, end) : end;
    segments.push({ marker: marker!, body: bytes.subarray(at + 4, end), bytes: bytes.subarray(at, next) });
    at = next;
  }
  return undefined;
}

/** Ends with the picture: some cameras write a second one behind it, which says where it was taken, too. */
function strippedJpeg(bytes: Buffer, orientation: number): Buffer | undefined {
  const segments = segmentsOf(bytes);
  if (segments === undefined) return undefined;
  const kept = segments.filter(({ marker, body }) => isKept(marker, body)).map((segment) => segment.bytes);
  const upright = orientation > 1 ? [orientationSegment(orientation)] : [];
  return Buffer.concat([bytes.subarray(0, 2), ...upright, ...kept, Buffer.from([0xff, imageEnd])]);
}

function orientationSegment(orientation: number): Buffer {
  const tiff = orientationBlock(orientation);
  const head = Buffer.from('ffe10000457869660000', 'hex');
  head.writeUInt16BE(tiff.length + 8, 2);
  return Buffer.concat([head, tiff]);
}

/** The next marker that is neither a stuffed byte nor a restart. */
function endOfScan(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at >= 0; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1];
    if (next !== undefined && next !== 0 && next !== 0xff && !(next >= 0xd0 && next <= 0xd7)) return at;
  }
  return bytes.length;
}

interface Chunk {
  readonly type: string;
  readonly data: Buffer;
}

const pngSignature = Buffer.from('89504e470d0a1a0a', 'hex');
const pngKept = new Set([
  'IHDR',
  'PLTE',
  'IDAT',
  'IEND',
  'tRNS',
  'cHRM',
  'gAMA',
  'iCCP',
  'sBIT',
  'sRGB',
  'cICP',
  'bKGD',
  'pHYs',
]);
/** Bytes of pixels beyond which deflating takes too long. */
const maxPixelBytes = 128 * 2 ** 20;

function chunksOf(bytes: Buffer): Chunk[] | undefined {
  if (!bytes.subarray(0, 8).equals(pngSignature)) return undefined;
  const chunks: Chunk[] = [];
  for (let at = 8; at + 12 <= bytes.length; ) {
    const end = at + 12 + bytes.readUInt32BE(at);
    if (end > bytes.length) return undefined;
    const chunk = { type: bytes.toString('latin1', at + 4, at + 8), data: bytes.subarray(at + 8, end - 4) };
    chunks.push(chunk);
    if (chunk.type === 'IEND') return chunks;
    at = end;
  }
  return undefined;
}

/** Libvips reads its first picture alone. */
export const isAnimatedPng = async (path: string): Promise<boolean> =>
  chunksOf(await readFile(path))?.some(({ type }) => type === 'acTL') ?? false;

async function smallerPng(bytes: Buffer, { stripsMetadata, orientation }: LosslessOptions) {
  const chunks = chunksOf(bytes);
  if (chunks === undefined || chunks[0]?.type !== 'IHDR' || chunks.some(({ type }) => type === 'acTL'))
    return undefined;
  const data = await deflatedAgain(chunks, chunks[0].data);
  const left = stripsMetadata ? chunks.filter(({ type }) => pngKept.has(type)) : chunks;
  const first = left.findIndex(({ type }) => type === 'IDAT');
  const upright: Chunk[] =
    stripsMetadata && orientation > 1 ? [{ type: 'eXIf', data: orientationBlock(orientation) }] : [];
  const before = left.slice(0, first);
  const after = left.slice(first).filter(({ type }) => type !== 'IDAT');
  return Buffer.concat([pngSignature, ...[...before, ...upright, { type: 'IDAT', data }, ...after].map(written)]);
}

function written({ type, data }: Chunk): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

/** The shorter one of the pixels as they were deflated before and as they are now. */
async function deflatedAgain(chunks: readonly Chunk[], header: Buffer): Promise<Buffer> {
  const parts = chunks.filter(({ type }) => type === 'IDAT').map(({ data }) => data);
  const before = Buffer.concat(parts);
  const [width, height, depth] = [header.readUInt32BE(0), header.readUInt32BE(4), header[8]!];
  if ((width * height * depth * 4) / 8 > maxPixelBytes) return before;
  const pieces: Buffer[] = [];
  const take = async (all: AsyncIterable<Buffer>) => {
    for await (const piece of all) pieces.push(piece);
  };
  // The header may announce fewer pixels than the data holds.
  let inflated = 0;
  async function* bounded(all: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const piece of all) {
      inflated += piece.length;
      if (inflated > maxPixelBytes) throw new Error('The data holds more than the picture.');
      yield piece;
    }
  }
  const packed = createDeflate({ level: 9, memLevel: 9 });
  const isWhole = await pipeline(Readable.from([before]), createInflate(), bounded, packed, take).then(
    () => true,
    () => false,
  );
  const after = Buffer.concat(pieces);
  return isWhole && after.length < before.length ? after : before;
}

/** Blocks of what the camera wrote go, and the flags that announce them. */
function strippedWebp(bytes: Buffer): Buffer | undefined {
  const says = (at: number, text: string): boolean => bytes.toString('latin1', at, at + 4) === text;
  if (bytes.length < 30 || !says(0, 'RIFF') || !says(8, 'WEBP') || !says(12, 'VP8X')) return undefined;
  const parts: Buffer[] = [];
  for (let at = 12; at + 8 <= bytes.length; ) {
    const size = bytes.readUInt32LE(at + 4);
    const end = at + 8 + size + (size % 2);
    if (end > bytes.length) return undefined;
    if (!says(at, 'EXIF') && !says(at, 'XMP ')) parts.push(Buffer.from(bytes.subarray(at, end)));
    at = end;
  }
  parts[0]![8]! &= ~0b1100;
  const body = Buffer.concat(parts);
  const head = Buffer.from('524946460000000057454250', 'hex');
  head.writeUInt32LE(body.length + 4, 4);
  return Buffer.concat([head, body]);
}
