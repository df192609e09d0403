import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readExif, readIptc } from './photo-metadata.ts';

type Entry = readonly [tag: number, type: number, count: number, value: number];

/** A list of these, at the beginning of so many bytes. */
function exifBlock(entries: readonly Entry[], size = 1024): Buffer {
  const bytes = Buffer.alloc(size);
  bytes.write('II*\0\x08', 'latin1');
  place(bytes, 8, entries);
  return bytes;
}

function place(bytes: Buffer, at: number, entries: readonly Entry[]): void {
  bytes.writeUInt16LE(entries.length, at);
  for (const [nth, [tag, type, count, value]] of entries.entries()) {
    const from = at + 2 + nth * 12;
    bytes.writeUInt16LE(tag, from);
    bytes.writeUInt16LE(type, from + 2);
    bytes.writeUInt32LE(count, from + 4);
    bytes.writeUInt32LE(value, from + 8);
  }
}

const [model, sensitivity, inside] = [272, 34_855, 0x8769];
const [text, short, long] = [2, 3, 4];

test('the first of two of one name counts, also where the other stands in the list inside', () => {
  const bytes = exifBlock([
    [sensitivity, short, 1, 100],
    [sensitivity, short, 1, 200],
    [inside, long, 1, 512],
  ]);
  place(bytes, 512, [[sensitivity, short, 1, 400]]);
  assert.deepEqual(readExif(bytes), { ISO: 100 });
});

test('a list inside of the one inside is not looked for', () => {
  const bytes = exifBlock([[inside, long, 1, 256]]);
  place(bytes, 256, [[inside, long, 1, 512]]);
  place(bytes, 512, [[sensitivity, short, 1, 400]]);
  assert.deepEqual(readExif(bytes), {});
});

test('what is longer than a camera writes says nothing', () => {
  const entries: Entry[] = [[sensitivity, short, 1, 100]];
  assert.deepEqual(readExif(exifBlock(entries, 64 * 1024)), { ISO: 100 });
  assert.deepEqual(readExif(exifBlock(entries, 64 * 1024 + 1)), {});
});

test('two hundred entries are looked at', () => {
  const others = (many: number): Entry[] => new Array(many).fill([1, short, 1, 1]);
  const sought: Entry = [sensitivity, short, 1, 100];
  assert.deepEqual(readExif(exifBlock([...others(199), sought], 4096)), { ISO: 100 });
  assert.deepEqual(readExif(exifBlock([...others(200), sought], 4096)), {});
});

test('a text is read to its end, and no further than 4,000 letters', () => {
  const bytes = exifBlock([[model, text, 60_000, 512]], 32_768);
  bytes.fill('x', 512);
  assert.deepEqual(readExif(bytes), { Model: 'x'.repeat(4_000) });
  bytes.write('Camera\0', 512, 'latin1');
  assert.deepEqual(readExif(bytes), { Model: 'Camera' });
});

const [title, keyword] = [5, 25];

const iptcBlock = (words: readonly (readonly [set: number, word: string])[]): Buffer =>
  Buffer.concat(
    words.map(([set, word]) =>
      Buffer.concat([Buffer.from([0x1c, 2, set, 0, Buffer.byteLength(word)]), Buffer.from(word)]),
    ),
  );

test('the first of two of one name counts, but of keywords all do', () => {
  const said = readIptc(
    iptcBlock([
      [title, 'One'],
      [keyword, 'a'],
      [title, 'Two'],
      [keyword, 'b'],
    ]),
  );
  assert.deepEqual(said, { ObjectName: 'One', Keywords: ['a', 'b'] });
});

test('a hundred keywords are read, and what stands behind the others', () => {
  const many = Array.from({ length: 150 }, (_, at) => [keyword, `${at}`] as const);
  const { Keywords, ObjectName } = readIptc(iptcBlock([...many, [title, 'One']]));
  assert.deepEqual([Keywords?.length, Keywords?.at(-1), ObjectName], [100, '99', 'One']);
});

test('what is longer than an editor writes says nothing', () => {
  const said = iptcBlock([[title, 'One']]);
  const longer = (length: number): Buffer => Buffer.concat([said, Buffer.alloc(length - said.length)]);
  assert.deepEqual(readIptc(longer(64 * 1024)), { ObjectName: 'One' });
  assert.deepEqual(readIptc(longer(64 * 1024 + 1)), {});
});
