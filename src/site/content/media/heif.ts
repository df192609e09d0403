// The boxes of a HEIF file, such as an AVIF picture: its items, where their bytes are, their properties, and which items refer to
// others. Anybody may have made the file, so a box that does not fit into the one around it, and a number that is missing, make the
// picture a damaged one.
import { Malformed } from './picture-errors.ts';

export const damaged = (why: string): Malformed => new Malformed(`The boxes of the picture are damaged: ${why}.`);

export interface Box {
  readonly type: string;
  /** What it holds, without its length and type. */
  readonly inside: Numbers;
}

/** Numbers that follow one another. */
export class Numbers {
  readonly bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  get left(): number {
    return this.bytes.length - this.#at;
  }

  /** Of so many bytes, and none for none. */
  next(bytes: number): number {
    const taken = this.take(bytes);
    if (bytes === 0) return 0;
    const number = bytes === 8 ? Number(taken.readBigUInt64BE()) : taken.readUIntBE(0, bytes);
    if (!Number.isSafeInteger(number)) throw damaged('a number is too large');
    return number;
  }

  take(bytes: number): Buffer {
    if (bytes > this.left) throw damaged('a part is cut off');
    this.#at += bytes;
    return this.bytes.subarray(this.#at - bytes, this.#at);
  }

  text(bytes: number): string {
    return this.take(bytes).toString('latin1');
  }

  /** All boxes that follow, up to the end. */
  boxes(most: number): Box[] {
    const found: Box[] = [];
    while (this.left > 0) {
      if (found.length === most) throw damaged('there are too many boxes');
      const length = this.next(4);
      const type = this.text(4);
      if (length < 8) throw damaged('a box has a wrong length');
      found.push({ type, inside: new Numbers(this.take(length - 8)) });
    }
    return found;
  }
}

interface Extent {
  /** In the box that describes the items, or else in the file. */
  readonly isInside: boolean;
  readonly at: number;
  readonly length: number;
}

export interface Item {
  readonly id: number;
  readonly type: string;
  readonly extents: readonly Extent[];
  /** In the order in which they are to be done. */
  readonly properties: readonly Box[];
}

export interface Reference {
  readonly type: string;
  readonly from: number;
  readonly to: readonly number[];
}

export interface Described {
  readonly primary: number;
  readonly items: ReadonlyMap<number, Item>;
  readonly references: readonly Reference[];
  /** Bytes of items that lie among what describes them. */
  readonly inside: Buffer;
}

const most = { boxes: 64, items: 1_024, references: 1_024, properties: 1_024, extents: 32, texts: 8 };

/** Of the box `meta`. */
export function describedBy(meta: Numbers): Described {
  meta.next(4);
  const boxes = meta.boxes(most.boxes);
  const [primary, places, names, properties] = ['pitm', 'iloc', 'iinf', 'iprp'].map((type) => needed(boxes, type));
  const [own, extents] = [propertiesIn(properties!), extentsIn(places!)];
  const items = new Map<number, Item>();
  for (const { id, type } of namesIn(names!)) {
    if (items.has(id)) throw damaged('an item is in it twice');
    items.set(id, { id, type, extents: extents.get(id) ?? [], properties: own.get(id) ?? [] });
  }
  const references = one(boxes, 'iref');
  return {
    primary: versioned(primary!, 0).id(),
    items,
    references: references === undefined ? [] : referencesIn(references),
    inside: one(boxes, 'idat')?.bytes ?? Buffer.alloc(0),
  };
}

/** Nobody can tell which of two would count. */
export function one(boxes: readonly Box[], type: string): Numbers | undefined {
  const [found, another] = boxes.filter((box) => box.type === type);
  if (another !== undefined) throw damaged(`${type} is in it twice`);
  return found?.inside;
}

function needed(boxes: readonly Box[], type: string): Numbers {
  const found = one(boxes, type);
  if (found === undefined) throw damaged(`${type} is missing`);
  return found;
}

/** A box says first which version it is of; up to this one the numbers of items are short. */
function versioned(inside: Numbers, short: number) {
  const version = inside.next(1);
  const flags = inside.next(3);
  const size = version > short ? 4 : 2;
  return { version, flags, size, id: () => inside.next(size) };
}

function namesIn(inside: Numbers): { readonly id: number; readonly type: string }[] {
  inside.next(versioned(inside, 0).size);
  return inside.boxes(most.items).map(({ type: kind, inside: name }) => {
    const { version, id } = versioned(name, 2);
    if (kind !== 'infe' || version < 2 || version > 3) throw damaged('an item has an unknown type');
    const item = { id: id(), protection: name.next(2), type: name.text(4) };
    const [, , packing = ''] = name.text(name.left).split('\0', most.texts);
    if (item.type === 'mime' && packing !== '') throw damaged('an item is compressed');
    return item;
  });
}

function extentsIn(inside: Numbers): Map<number, Extent[]> {
  const { version, size, id } = versioned(inside, 1);
  const sizes = inside.next(2);
  const [offset, length, base, index] = [12, 8, 4, 0].map((shift) => (sizes >> shift) & 15) as [
    number,
    number,
    number,
    number,
  ];
  if ([offset, length, base, index].some((bytes) => ![0, 4, 8].includes(bytes)))
    throw damaged('positions have no size');
  const items = new Map<number, Extent[]>();
  const count = inside.next(size);
  if (count > most.items) throw damaged('there are too many items');
  for (let nth = 0; nth < count; nth++) {
    const item = id();
    const method = version > 0 ? inside.next(2) & 15 : 0;
    inside.next(2);
    const start = inside.next(base);
    const extents = inside.next(2);
    if (items.has(item) || method > 1 || extents > most.extents) throw damaged('an item has no position of its own');
    const places = Array.from({ length: extents }, () => {
      if (version > 0) inside.next(index);
      return { isInside: method === 1, at: start + inside.next(offset), length: inside.next(length) };
    });
    items.set(item, places);
  }
  return items;
}

function referencesIn(inside: Numbers): Reference[] {
  const { size } = versioned(inside, 0);
  return inside.boxes(most.references).map(({ type, inside: reference }) => {
    const from = reference.next(size);
    const count = reference.next(2);
    return { type, from, to: Array.from({ length: count }, () => reference.next(size)) };
  });
}

function propertiesIn(inside: Numbers): Map<number, Box[]> {
  const boxes = inside.boxes(most.boxes);
  const all = needed(boxes, 'ipco').boxes(most.properties);
  const owned = new Map<number, Box[]>();
  for (const { type, inside: owners } of boxes) {
    if (type !== 'ipma') continue;
    const { flags, id } = versioned(owners, 0);
    for (let left = owners.next(4); left > 0; left--) {
      const own = ownOf(owned, id());
      for (let properties = owners.next(1); properties > 0; properties--) {
        const property = all[propertyNumber(owners, flags) - 1];
        if (property !== undefined) own.push(property);
      }
    }
  }
  return owned;
}

/** The highest bit says whether a reader may ignore the property. */
const propertyNumber = (owners: Numbers, flags: number): number =>
  flags & 1 ? owners.next(2) & 0x7fff : owners.next(1) & 0x7f;

function ownOf(owned: Map<number, Box[]>, id: number): Box[] {
  const own = owned.get(id) ?? [];
  owned.set(id, own);
  return own;
}
