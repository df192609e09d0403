import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tiffSays } from './tiff.ts';

type Entry = readonly [tag: number, type: number, count: number, value: number];

/** A list of these, at the beginning of so many bytes. */
function written(entries: readonly Entry[], size = 1024): Buffer {
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
  const bytes = written([
    [sensitivity, short, 1, 100],
    [sensitivity, short, 1, 200],
    [inside, long, 1, 512],
  ]);
  place(bytes, 512, [[sensitivity, short, 1, 400]]);
  assert.deepEqual(tiffSays(bytes), { ISO: 100 });
});

test('a list inside of the one inside is not looked for', () => {
  const bytes = written([[inside, long, 1, 256]]);
  place(bytes, 256, [[inside, long, 1, 512]]);
  place(bytes, 512, [[sensitivity, short, 1, 400]]);
  assert.deepEqual(tiffSays(bytes), {});
});

test('what is longer than a camera writes says nothing', () => {
  const entries: Entry[] = [[sensitivity, short, 1, 100]];
  assert.deepEqual(tiffSays(written(entries, 64 * 1024)), { ISO: 100 });
  assert.deepEqual(tiffSays(written(entries, 64 * 1024 + 1)), {});
});

test('two hundred entries are looked at', () => {
  const others = (many: number): Entry[] => new Array(many).fill([1, short, 1, 1]);
  const sought: Entry = [sensitivity, short, 1, 100];
  assert.deepEqual(tiffSays(written([...others(199), sought], 4096)), { ISO: 100 });
  assert.deepEqual(tiffSays(written([...others(200), sought], 4096)), {});
});

test('a text is read to its end, and no further than 4,000 letters', () => {
  const bytes = written([[model, text, 60_000, 512]], 32_768);
  bytes.fill('x', 512);
  assert.deepEqual(tiffSays(bytes), { Model: 'x'.repeat(4_000) });
  bytes.write('Camera\0', 512, 'latin1');
  assert.deepEqual(tiffSays(bytes), { Model: 'Camera' });
});
