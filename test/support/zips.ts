// Archives as nobody honest writes them. Each file says of itself what the test wants, in the list and before its bytes.
import { crc32, deflateRawSync } from 'node:zlib';

export interface MadeFile {
  readonly name: string | Buffer;
  readonly content?: string | Buffer;
  /** Left out, it is packed when that makes it smaller. */
  readonly stored?: true;
  /** What is said instead of the truth: before the file, and in the list. */
  readonly head?: Partial<Facts>;
  readonly listed?: Partial<Facts & { readonly attributes: number; readonly offset: number }>;
  /** Behind the head's name, and behind the name in the list. */
  readonly extra?: Buffer;
  /** Between the bytes of this file and the next. */
  readonly behind?: Buffer;
  /** Instead of what packing made of the content. */
  readonly bytes?: Buffer;
}

export interface Facts {
  readonly flags: number;
  readonly method: number;
  readonly sum: number;
  readonly packed: number;
  readonly size: number;
  readonly name: Buffer;
}

export interface MadeEnd {
  readonly before?: Buffer;
  readonly after?: Buffer;
  /** How many files the end says there are. */
  readonly entries?: number;
}

const utf8 = 0x0800;
const host = { unix: (3 << 8) | 20 };

export function madeZip(files: readonly MadeFile[], { before, after, entries }: MadeEnd = {}): Buffer {
  const parts: Buffer[] = before === undefined ? [] : [before];
  const list: Buffer[] = [];
  let at = before?.length ?? 0;
  for (const file of files) {
    const { facts, bytes } = truthOf(file);
    const extra = file.extra ?? Buffer.alloc(0);
    const whole = Buffer.concat([
      numbers([0x04034b50, 4], [20, 2]),
      written({ ...facts, ...file.head }, extra),
      bytes,
      file.behind ?? Buffer.alloc(0),
    ]);
    const { attributes = (0o100644 << 16) >>> 0, offset = at, ...said } = file.listed ?? {};
    list.push(listing({ ...facts, ...said }, extra, attributes, offset));
    parts.push(whole);
    at += whole.length;
  }
  const listed = Buffer.concat(list);
  const count = entries ?? files.length;
  const end = numbers([0x06054b50, 4], [0, 4], [count, 2], [count, 2], [listed.length, 4], [at, 4], [0, 2]);
  return Buffer.concat([...parts, listed, end, after ?? Buffer.alloc(0)]);
}

function truthOf({ name, content = '', stored, bytes }: MadeFile): { facts: Facts; bytes: Buffer } {
  const plain = Buffer.from(content as string);
  const packed = deflateRawSync(plain);
  const isStored = stored === true || packed.length >= plain.length;
  const held = bytes ?? (isStored ? plain : packed);
  const facts = { flags: utf8, method: isStored ? 0 : 8, sum: crc32(plain), packed: held.length, size: plain.length };
  return { facts: { ...facts, name: Buffer.from(name as string) }, bytes: held };
}

const fixed = ({ flags, method, sum, packed, size, name }: Facts, extra: Buffer): Buffer =>
  numbers([flags, 2], [method, 2], [0, 4], [sum, 4], [packed, 4], [size, 4], [name.length, 2], [extra.length, 2]);

const written = (facts: Facts, extra: Buffer): Buffer => Buffer.concat([fixed(facts, extra), facts.name, extra]);

const listing = (facts: Facts, extra: Buffer, attributes: number, offset: number): Buffer =>
  Buffer.concat([
    numbers([0x02014b50, 4], [host.unix, 2], [20, 2]),
    fixed(facts, extra),
    numbers([0, 6], [attributes, 4], [offset, 4]),
    facts.name,
    extra,
  ]);

/** What follows a file whose head did not know its size. */
export const descriptor = (sum: number, packed: number, size: number): Buffer =>
  numbers([0x08074b50, 4], [sum, 4], [packed, 4], [size, 4]);

export const numbers = (...values: readonly (readonly [value: number, bytes: number])[]): Buffer =>
  Buffer.concat(
    values.map(([value, bytes]) => {
      const one = Buffer.alloc(bytes);
      if (value !== 0) one.writeUIntLE(value, 0, bytes);
      return one;
    }),
  );
