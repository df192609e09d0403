import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crc32, inflateRawSync } from 'node:zlib';
import { checkRows } from '#test/rows.ts';
import { type ZipFile, zip } from './zip.ts';

const moment = new Date('2026-11-20T12:34:56Z');

async function bytesOf(files: readonly ZipFile[]): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(zip(files, moment)));
}

/** Read by the list at its end, as programs do. */
function read(archive: Buffer): ZipFile[] {
  const end = archive.length - 22;
  assert.equal(archive.readUInt32LE(end), 0x06054b50);
  const files: ZipFile[] = [];
  let at = archive.readUInt32LE(end + 16);
  assert.equal(at + archive.readUInt32LE(end + 12), end);
  for (let left = archive.readUInt16LE(end + 10); left > 0; left -= 1) {
    assert.equal(archive.readUInt32LE(at), 0x02014b50);
    const [sum, packed, size] = [16, 20, 24].map((from) => archive.readUInt32LE(at + from));
    const named = archive.readUInt16LE(at + 28);
    const start = archive.readUInt32LE(at + 42);
    assert.equal(archive.readUInt32LE(start), 0x04034b50);
    assert.deepEqual(archive.subarray(start + 4, start + 30), archive.subarray(at + 6, at + 32));
    const path = archive.subarray(start + 30, start + 30 + named).toString();
    const content = inflateRawSync(archive.subarray(start + 30 + named, start + 30 + named + packed!));
    assert.deepEqual([content.length, crc32(content)], [size, sum]);
    files.push({ path, content: content.toString() });
    at += 46 + named;
  }
  return files;
}

const cases: readonly (readonly [string, readonly ZipFile[]])[] = [
  ['nothing', []],
  ['one file', [{ path: 'a.txt', content: 'a' }]],
  ['an empty file', [{ path: 'empty.txt', content: '' }]],
  ['any letters, in names and in files', [{ path: 'wörter/日本.txt', content: 'Übergröße 🎉' }]],
  [
    'many files, one of them long',
    [
      ...Array.from({ length: 300 }, (_, n) => ({ path: `${n}.txt`, content: `${n}` })),
      { path: 'long', content: 'x'.repeat(1_000_000) },
    ],
  ],
];
test('a ZIP archive holds what was put in', () =>
  checkRows(cases, async ([, files]) => assert.deepEqual(read(await bytesOf(files)), files)));
