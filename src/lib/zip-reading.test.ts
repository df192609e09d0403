import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { crc32 } from 'node:zlib';
import { checkRows } from '#test/rows.ts';
import { descriptor, type MadeEnd, type MadeFile, madeZip, numbers } from '#test/zips.ts';
import { zip } from './zip.ts';
import { BadZip, readZip } from './zip-reading.ts';

const limits = { files: 20, bytes: 3_000_000, ratio: 100 };

const listed = (archive: Buffer) =>
  readZip({ size: archive.length, read: async (at, length) => archive.subarray(at, at + length) }, limits);

const named = (...names: readonly string[]): MadeFile[] => names.map((name) => ({ name, content: 'x' }));
const folder = (name: string): MadeFile => ({ name, listed: { attributes: (0o040755 << 16) >>> 0 } });
const link = (name: string): MadeFile => ({ name, content: '/etc', listed: { attributes: (0o120777 << 16) >>> 0 } });
const kind = (mode: number): MadeFile[] => [{ name: 'a', content: 'x', listed: { attributes: (mode << 16) >>> 0 } }];
const dos = (attributes: number): MadeFile[] => [{ name: 'a', content: 'x', listed: { attributes } }];
const later = 0x0808;
const text = 'Hello';
const zeros = { flags: later, sum: 0, packed: 0, size: 0 };
const truth = [crc32(text), 5, 5] as const;

describe('What is read', () => {
  const cases: readonly (readonly [string, readonly MadeFile[], readonly string[]])[] = [
    ['an archive without files', [], []],
    ['files in folders', named('a.txt', 'b/c.txt', 'b/d/e.txt'), ['a.txt', 'b/c.txt', 'b/d/e.txt']],
    ['folders that are listed, which are no files', [folder('b/'), ...named('b/c.txt')], ['b/c.txt']],
    ['names in any letters', named('wörter/日本.txt'), ['wörter/日本.txt']],
    ['names that begin with dots', named('.hidden', '..a/b'), ['.hidden', '..a/b']],
    ['files that somebody may run', kind(0o100755), ['a']],
    ['files that say nothing of their kind', kind(0), ['a']],
    ['a file of 100 kB that was nothing but zeros', [{ name: 'a', content: Buffer.alloc(100_000) }], ['a']],
    [
      'sizes that stand behind the file',
      [{ name: 'a', content: text, head: zeros, listed: { flags: later }, behind: descriptor(...truth) }],
      ['a'],
    ],
    [
      'the same without a sign before them',
      [{ name: 'a', content: text, head: zeros, listed: { flags: later }, behind: descriptor(...truth).subarray(4) }],
      ['a'],
    ],
    ['moments in extra fields', [{ name: 'a', content: 'x', extra: numbers([0x5455, 2], [5, 2], [1, 5]) }], ['a']],
  ];
  test('is the list of its files', () =>
    checkRows(cases, async ([, files, paths]) => {
      assert.deepEqual(
        (await listed(madeZip(files))).map(({ path }) => path),
        paths,
      );
    }));

  test('what the site itself wrote', async () => {
    const written = await Array.fromAsync(zip([{ path: 'a/b.txt', content: 'ä' }], new Date('2026-11-22T12:00:00Z')));
    const [one, ...others] = await listed(Buffer.concat(written));
    assert.deepEqual([one?.path, one?.size, one?.sum, others.length], ['a/b.txt', 2, crc32('ä'), 0]);
  });
});

describe('Names that no archive gets away with', () => {
  const names = [
    ...['', '/etc/passwd', '../a', 'a/../b', '..', '.', './a', 'a//b', 'a/', 'a\\b', '..\\a', 'C:\\a', 'C:/a', 'a:b'],
    ...['a\0.ts', 'a\nb', 'a\u202eb', 'a ', ' a', 'a.', 'a./b', 'aux', 'a/NUL.txt', 'com1.ts', 'a?', 'a*', '\u2028'],
    ...['x'.repeat(101), 'y/'.repeat(20).concat('z'), `${'x'.repeat(99)}/`.repeat(3).concat('z')],
  ];
  test('are refused', () =>
    checkRows(names, (name) => assert.rejects(listed(madeZip([{ name, content: 'x' }])), BadZip)));
});

describe('Pairs of names that no archive gets away with', () => {
  const pairs: readonly (readonly [string, readonly MadeFile[]])[] = [
    ['the same twice', named('a', 'a')],
    ['the same in capitals', named('a.ts', 'A.ts')],
    ['folders that differ in capitals', named('lib/a', 'Lib/b')],
    ['an accent spelled in two ways', named('caf\u00e9', 'cafe\u0301')],
    ['a letter that is another in capitals', named('ſ', 's')],
    ['a file that is also a folder', named('a', 'a/b')],
    ['a folder that is also a file', [...named('a/b'), { name: 'a', content: 'x' }]],
    ['a folder listed twice', [folder('b/'), folder('b/')]],
  ];
  test('are refused', () => checkRows(pairs, ([, files]) => assert.rejects(listed(madeZip(files)), BadZip)));
});

describe('What is neither a file nor a folder', () => {
  const odd: readonly (readonly [string, readonly MadeFile[]])[] = [
    ['a link', [link('a')]],
    ['a pipe', kind(0o010644)],
    ['a device', kind(0o020644)],
    ['a disk', kind(0o060644)],
    ['a socket', kind(0o140644)],
    ['a folder with the name of a file', kind(0o040755)],
    ['a file with the name of a folder', [{ name: 'a/', listed: { attributes: (0o100644 << 16) >>> 0 } }]],
    ['a folder by the other way of saying it', dos(0x10)],
    ['the name of a disk', dos(0x08)],
    ['a link of the other system', dos(0x400)],
    ['a folder with bytes in it', [{ name: 'a/', content: 'x', listed: { attributes: (0o040755 << 16) >>> 0 } }]],
  ];
  test('is refused', () => checkRows(odd, ([, files]) => assert.rejects(listed(madeZip(files)), BadZip)));
});

describe('Archives that say one thing here and another there', () => {
  const one = (said: Partial<MadeFile>): MadeFile[] => [{ name: 'a', content: text, ...said }, ...named('b')];
  const lies: readonly (readonly [string, readonly MadeFile[], MadeEnd?])[] = [
    ['another name before the file', one({ head: { name: Buffer.from('z') } })],
    ['another size before the file', one({ head: { size: 4 } })],
    ['another sum before the file', one({ head: { sum: 1 } })],
    ['another way of packing before the file', one({ head: { method: 8 } })],
    ['sizes left out without saying that they follow', one({ head: { sum: 0, packed: 0, size: 0 } })],
    ['sizes behind the file that are others', one({ ...behind([truth[0], 5, 6]) })],
    ['a sum behind the file that is another', one({ ...behind([1, 5, 5]) })],
    ['no sizes behind the file', one({ head: zeros, listed: { flags: later } })],
    ['a file that is packed larger than it lies there', one({ listed: { packed: 4000 }, head: { packed: 4000 } })],
    ['a stored file of two sizes', one({ stored: true, listed: { size: 9 }, head: { size: 9 } })],
    ['two files that lie in one another', [...named('a'), { name: 'b', content: 'x', listed: { offset: 0 } }]],
    ['bytes between two files', one({ behind: Buffer.from('hidden') })],
    ['bytes before the first file', named('a'), { before: Buffer.from('#!/bin/sh\n') }],
    ['bytes behind the end', named('a'), { after: Buffer.from('more') }],
    ['a file that is not in the list', named('a', 'b'), { entries: 1 }],
    ['a list of more files than there are', named('a'), { entries: 2 }],
    ['a file that begins nowhere', [{ name: 'a', content: 'x', listed: { offset: 0xfffffff0 } }]],
  ];
  test('are refused', () => checkRows(lies, ([, files, end]) => assert.rejects(listed(madeZip(files, end)), BadZip)));
});

function behind(facts: readonly [number, number, number]): Partial<MadeFile> {
  return { head: zeros, listed: { flags: later }, behind: descriptor(...facts) };
}

describe('Archives in ways that are not read', () => {
  const both = (facts: NonNullable<MadeFile['head']>): MadeFile[] => [
    { name: 'a', content: 'x', head: facts, listed: facts },
  ];
  const ways: readonly (readonly [string, Buffer])[] = [
    ['encrypted', madeZip(both({ flags: 0x0801 }))],
    ['strongly encrypted', madeZip(both({ flags: 0x0841 }))],
    ['with a hidden list', madeZip(both({ flags: 0x2800 }))],
    ['packed in another way', madeZip(both({ method: 12 }))],
    ['with large numbers', madeZip([{ name: 'a', content: 'x', extra: numbers([1, 2], [8, 2], [1, 6], [0, 2]) }])],
    ['with a second name', madeZip([{ name: 'a', content: 'x', extra: numbers([0x7075, 2], [1, 2], [1, 1]) }])],
    ['with extra fields that are cut off', madeZip([{ name: 'a', content: 'x', extra: numbers([0x5455, 2], [9, 2]) }])],
    ['with names in nobody knows which letters', madeZip([{ name: Buffer.from([0x61, 0xff]), head: {} }])],
    ['with names of old systems', madeZip([{ name: Buffer.from([0x81]), head: { flags: 0 }, listed: { flags: 0 } }])],
    ['of nothing at all', Buffer.alloc(0)],
    ['that are none', Buffer.from('<html>404, not found, as pages say it</html>')],
    ['cut off', madeZip(named('a', 'b')).subarray(0, -30)],
  ];
  test('are refused', () => checkRows(ways, ([, archive]) => assert.rejects(listed(archive), BadZip)));

  test('and no cut and no changed byte makes it fail in another way', async () => {
    const whole = madeZip([{ name: 'a', content: text, ...behind([...truth]) }, ...named('b/c')]);
    for (let at = 0; at < whole.length; at += 1) {
      await listed(whole.subarray(0, at)).catch((error) => assert.ok(error instanceof BadZip, String(error)));
      const changed = Buffer.from(whole);
      changed[at] = changed[at]! ^ 0xff;
      await listed(changed).catch((error) => assert.ok(error instanceof BadZip, `${at}: ${String(error)}`));
    }
  });
});

describe('Archives that would fill the disk', () => {
  const zerosOf = (bytes: number) => Buffer.alloc(bytes);
  test('a file that swells', () =>
    assert.rejects(listed(madeZip([{ name: 'a', content: zerosOf(200_000) }])), /grows to more than 100 times/));

  test('many files that swell together, each of them excused', () => {
    const files = Array.from({ length: 15 }, (_, n) => ({ name: `${n}`, content: zerosOf(100_000) }));
    return assert.rejects(listed(madeZip(files)), /grows/);
  });

  test('more bytes than there may be', () => {
    const noise = Buffer.from(Array.from({ length: 1_000_001 }, (_, n) => (n * n) % 251));
    const files = ['a', 'b', 'c'].map((name) => ({ name, content: noise, stored: true as const }));
    return assert.rejects(listed(madeZip(files)), /holds more than 3000000 bytes/);
  });

  test('more files than there may be', () =>
    assert.rejects(listed(madeZip(named(...Array.from({ length: 21 }, (_, n) => `${n}`)))), /more than 20 files/));

  test('more folders than there may be', () =>
    assert.rejects(listed(madeZip(Array.from({ length: 41 }, (_, n) => folder(`${n}/`)))), /lists too many files/));
});
