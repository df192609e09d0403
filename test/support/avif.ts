// Pictures of the kind AVIF, put together box by box around what a real one holds.
import { picture } from './pictures.ts';

export interface Item {
  readonly id: number;
  readonly type: string;
  /** What is said of it besides: its name and more, each behind a zero. */
  readonly words?: string;
  readonly data?: Buffer;
  /** How many bytes it says it has, where those are others. */
  readonly claimed?: number;
  /** Whole boxes. */
  readonly properties?: readonly Buffer[];
  /** Whether it is shown only as a part of others. */
  readonly isHidden?: boolean;
  /** Whether its bytes lie in the box that describes them all. */
  readonly isInside?: boolean;
}

export interface Reference {
  readonly type: string;
  readonly from: number;
  readonly to: readonly number[];
}

export interface Parts {
  readonly primary?: number;
  readonly items: readonly Item[];
  readonly references?: readonly Reference[];
  /** Whole boxes, in the one that describes and behind it. */
  readonly inside?: readonly Buffer[];
  readonly behind?: readonly Buffer[];
}

export const bytesOf = (size: 1 | 2 | 4, ...numbers: number[]): Buffer => {
  const bytes = Buffer.alloc(size * numbers.length);
  for (const [at, number] of numbers.entries()) bytes.writeUIntBE(number, at * size, size);
  return bytes;
};
export const box = (type: string, ...parts: Buffer[]): Buffer => {
  const inside = Buffer.concat(parts);
  return Buffer.concat([bytesOf(4, inside.length + 8), Buffer.from(type, 'latin1'), inside]);
};
/** With a version, and no flags. */
export const full = (type: string, version: number, ...parts: Buffer[]): Buffer =>
  box(type, bytesOf(1, version, 0, 0, 0), ...parts);

export const sized = (width: number, height: number): Buffer => full('ispe', 0, bytesOf(4, width, height));
export const turned = box('irot', bytesOf(1, 1));
/** What says that an item is how much shines through another. */
export const alpha = full('auxC', 0, Buffer.from('urn:mpeg:mpegB:cicp:systems:auxiliary:alpha\0', 'latin1'));

/** The bytes of an item that is put together of others, row by row. */
export function grid(rows: number, columns: number, width: number, height: number): Buffer {
  return Buffer.concat([bytesOf(1, 0, 1, rows - 1, columns - 1), bytesOf(4, width, height)]);
}

export function avif({ primary = 1, items, references = [], inside = [], behind = [] }: Parts): Buffer {
  const start = box('ftyp', Buffer.from('avif\0\0\0\0avifmif1miaf', 'latin1'));
  const properties = propertiesOf(items);
  const within = items.filter(({ isInside }) => isInside);
  const outside = items.filter(({ isInside }) => !isInside);
  const described = (from: number) =>
    full(
      'meta',
      0,
      full('hdlr', 0, Buffer.from('\0\0\0\0pict\0\0\0\0\0\0\0\0\0\0\0\0\0', 'latin1')),
      full('pitm', 0, bytesOf(2, primary)),
      full('iloc', 1, placesOf(items, from)),
      full('iinf', 0, bytesOf(2, items.length), ...items.map(named)),
      ...(references.length > 0 ? [full('iref', 0, ...references.map(led))] : []),
      box('iprp', box('ipco', ...properties), full('ipma', 0, ownOf(items))),
      ...(within.length > 0 ? [box('idat', ...within.map(dataOf))] : []),
      ...inside,
    );
  const from = start.length + described(0).length + 8;
  return Buffer.concat([start, described(from), box('mdat', ...outside.map(dataOf)), ...behind]);
}

const dataOf = ({ data = Buffer.alloc(0) }: Item): Buffer => data;
const named = ({ id, type, words = '', isHidden = false }: Item): Buffer =>
  box('infe', bytesOf(1, 2, 0, 0, isHidden ? 1 : 0), bytesOf(2, id, 0), Buffer.from(`${type}${words}\0`, 'latin1'));
const led = ({ type, from, to }: Reference): Buffer => box(type, bytesOf(2, from, to.length, ...to));

function placesOf(items: readonly Item[], from: number): Buffer {
  const next = { inside: 0, outside: from };
  const places = items.map((item) => {
    const { id, isInside = false, claimed = dataOf(item).length } = item;
    const where = isInside ? 'inside' : 'outside';
    const place = Buffer.concat([bytesOf(2, id, isInside ? 1 : 0, 0, 1), bytesOf(4, next[where], claimed)]);
    next[where] += dataOf(item).length;
    return place;
  });
  return Buffer.concat([bytesOf(1, 0x44, 0), bytesOf(2, items.length), ...places]);
}

/** Each once, however many items have it. */
const propertiesOf = (items: readonly Item[]): Buffer[] => [
  ...new Set(items.flatMap(({ properties = [] }) => properties)),
];

function ownOf(items: readonly Item[]): Buffer {
  const all = propertiesOf(items);
  const owned = items.map(({ id, properties = [] }) => {
    const numbers = properties.map((property) => all.indexOf(property) + 1);
    return Buffer.concat([bytesOf(2, id), bytesOf(1, numbers.length, ...numbers)]);
  });
  return Buffer.concat([bytesOf(4, items.length), ...owned]);
}

/** What a real picture holds: its bytes as they are coded, and what is said of them. */
export async function coded(width: number, height: number): Promise<Required<Pick<Item, 'data' | 'properties'>>> {
  const whole = await picture(width, height, 'avif');
  const start = whole.indexOf('mdat') + 4;
  const config = whole.indexOf('av1C') - 4;
  return {
    data: whole.subarray(start),
    properties: [whole.subarray(config, config + whole.readUInt32BE(config)), sized(width, height)],
  };
}
