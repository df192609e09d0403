// What a camera, or an editor of photographs, wrote into a picture. It is shown and never trusted: each field is read once, in the form
// it ought to have and no longer than is shown, whatever lengths and places it claims.
import { withoutSteering } from '#lib/printable.ts';

interface ImageMeta {
  readonly aperture: string;
  readonly credit: string;
  readonly camera: string;
  readonly caption: string;
  readonly created_timestamp: string;
  readonly copyright: string;
  readonly focal_length: string;
  readonly iso: string;
  readonly shutter_speed: string;
  readonly title: string;
  readonly orientation: string;
  readonly keywords: readonly string[];
  readonly alt: string;
}

/** The blocks of metadata in a picture, as its format holds them. */
export interface MetadataBlocks {
  /** As TIFF. */
  readonly exif: Buffer | undefined;
  readonly iptc: Buffer | undefined;
}

/** A field that cannot be read is empty. */
export function imageMeta({ exif, iptc }: MetadataBlocks, orientation: number): ImageMeta {
  const fields: Record<string, unknown> = { ...(exif && readExif(exif)), ...(iptc && readIptc(iptc)) };
  return {
    aperture: positiveNumber(fields.FNumber),
    credit: plainText(fields.Credit ?? fields.Byline ?? fields.Artist),
    camera: plainText(fields.Model),
    caption: plainText(fields.Caption ?? fields.ImageDescription),
    created_timestamp: timestamp(fields.DateTimeOriginal ?? fields.CreateDate),
    copyright: plainText(fields.CopyrightNotice ?? fields.Copyright),
    focal_length: positiveNumber(fields.FocalLength),
    iso: positiveNumber(fields.ISO),
    shutter_speed: positiveNumber(fields.ExposureTime),
    title: plainText(fields.ObjectName ?? fields.Headline),
    orientation: String(orientation),
    keywords: [fields.Keywords ?? []]
      .flat()
      .slice(0, maxKeywords)
      .map(plainText)
      .filter((word) => word !== ''),
    alt: '',
  };
}

const maxKeywords = 100;
const maxShownLength = 1_000;

const plainText = (value: unknown): string =>
  typeof value === 'string' ? withoutSteering(value.toWellFormed()).trim().slice(0, maxShownLength).toWellFormed() : '';

const positiveNumber = (value: unknown): string =>
  typeof value === 'number' && Number.isFinite(value) && value > 0 ? String(Number(value.toPrecision(6))) : '0';

/** In seconds. A camera knows no time zone, so its clock counts as UTC. */
function timestamp(value: unknown): string {
  const [, year, month, day, time] = /^(\d{4}):(\d\d):(\d\d) (\d\d:\d\d:\d\d)/.exec(String(value)) ?? [];
  const at = Date.parse(`${year}-${month}-${day}T${time}Z`);
  return Number.isNaN(at) || at < 0 ? '0' : String(at / 1_000);
}

/** Longer blocks are not read, because neither cameras nor editors write them. */
const maxBlockBytes = 64 * 1_024;
const maxEntries = 200;
const maxTextBytes = 4_000;

const exifTags: Readonly<Record<number, string>> = {
  270: 'ImageDescription',
  272: 'Model',
  315: 'Artist',
  33432: 'Copyright',
  33434: 'ExposureTime',
  33437: 'FNumber',
  34855: 'ISO',
  36867: 'DateTimeOriginal',
  36868: 'CreateDate',
  37386: 'FocalLength',
};
const exifListTag = 0x8769;
const exifTypes = { text: 2, short: 3, long: 4, ratio: 5 };

type ExifValue = string | number | undefined;

/** The first value of each tag counts. The list that the Exif tag leads to is read too, and none beyond it. */
export function readExif(bytes: Buffer): Record<string, ExifValue> {
  if (bytes.length > maxBlockBytes) return {};
  const isLittle = bytes.toString('latin1', 0, 2) === 'II';
  if (!isLittle && bytes.toString('latin1', 0, 2) !== 'MM') return {};
  const fields: Record<string, ExifValue> = {};
  const reader = new TiffReader(bytes, isLittle);
  const inner = reader.readList(reader.number(4, 4), fields);
  if (inner !== undefined) reader.readList(inner, fields);
  return fields;
}

class TiffReader {
  readonly #bytes: Buffer;
  readonly #isLittle: boolean;

  constructor(bytes: Buffer, isLittle: boolean) {
    this.#bytes = bytes;
    this.#isLittle = isLittle;
  }

  /** NaN beyond the end of the block. */
  number(at: number, bytes: 2 | 4): number {
    if (!(at + bytes <= this.#bytes.length)) return Number.NaN;
    return this.#isLittle ? this.#bytes.readUIntLE(at, bytes) : this.#bytes.readUIntBE(at, bytes);
  }

  /** Returns the place of the Exif list when this list leads to it. */
  readList(list: number, fields: Record<string, ExifValue>): number | undefined {
    const count = Math.min(this.number(list, 2) || 0, maxEntries);
    let inner: number | undefined;
    for (let at = list + 2; at < list + 2 + count * 12; at += 12) {
      const tag = this.number(at, 2);
      const name = exifTags[tag];
      if (name !== undefined) fields[name] ??= this.#value(at);
      if (tag === exifListTag) inner = this.number(at + 8, 4);
    }
    return inner;
  }

  #value(at: number): ExifValue {
    const [type, count, place] = [this.number(at + 2, 2), this.number(at + 4, 4), this.number(at + 8, 4)];
    if (type === exifTypes.short) return this.number(at + 8, 2);
    if (type === exifTypes.long) return place;
    if (type === exifTypes.ratio) return this.number(place, 4) / this.number(place + 4, 4);
    if (type !== exifTypes.text) return undefined;
    const start = count <= 4 ? at + 8 : place;
    return this.#bytes.toString('utf8', start, start + Math.min(count, maxTextBytes)).replace(/\0[\s\S]*$/, '');
  }
}

const iptcFields: Readonly<Record<number, string>> = {
  5: 'ObjectName',
  25: 'Keywords',
  80: 'Byline',
  105: 'Headline',
  110: 'Credit',
  116: 'CopyrightNotice',
  120: 'Caption',
};

/** Words of an editor, found in the block behind whatever else stands in front of them. The first value of each field counts. */
export function readIptc(bytes: Buffer): Record<string, string | string[]> {
  const fields: Record<string, string | string[]> = {};
  const keywords: string[] = [];
  if (bytes.length > maxBlockBytes) return {};
  let at = bytes.indexOf(Buffer.from([0x1c, 2]));
  while (at >= 0 && at + 5 <= bytes.length && bytes[at] === 0x1c) {
    const end = at + 5 + bytes.readUInt16BE(at + 3);
    const name = bytes[at + 1] === 2 ? iptcFields[bytes[at + 2]!] : undefined;
    const text = name === undefined ? '' : bytes.toString('utf8', at + 5, end);
    if (name === 'Keywords' && keywords.length < maxKeywords) keywords.push(text);
    else if (name !== undefined) fields[name] ??= text;
    at = end;
  }
  return keywords.length > 0 ? { ...fields, Keywords: keywords } : fields;
}
