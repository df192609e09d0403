import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';
import { crc32, deflateRawSync } from 'node:zlib';
import { checkRows } from '#test/rows.ts';
import { type MadeFile, madeZip } from '#test/zips.ts';
import { type Unpacked, unpack, verifyUnpacked } from './unpacking.ts';

const said = { slug: 'guest-book', name: 'Guest book', version: '1.0.0', entry: 'extension.ts' };
const manifest: MadeFile = { name: 'extension.json', content: JSON.stringify(said) };
const entry: MadeFile = { name: 'extension.ts', content: 'export default () => ({});\n' };
const refused = { status: 422, code: 'invalid_package' };

let scratch: string;
before(() => {
  scratch = mkdtempSync(join(tmpdir(), 'gatehouse-test-'));
});
after(() => rmSync(scratch, { recursive: true }));

let folder: string;
let zipFile: string;
const freshFolder = (): void => {
  folder = mkdtempSync(join(scratch, 'one-'));
  zipFile = join(folder, 'package.zip');
};
beforeEach(freshFolder);

const unpacked = (files: readonly MadeFile[] | Buffer): Promise<Unpacked> => {
  writeFileSync(zipFile, Buffer.isBuffer(files) ? files : madeZip(files));
  return unpack(zipFile, join(folder, 'into'));
};

const hashed = (content: string | Buffer) => createHash('sha256').update(content).digest('hex');

test('a package becomes its files, and says of each how long it is and what its hash is', async () => {
  const words = Buffer.from('x'.repeat(70_000));
  const found = await unpacked([manifest, entry, { name: 'lib/words/many.txt', content: words }, { name: 'empty' }]);
  assert.equal(found.manifest.slug, 'guest-book');
  assert.deepEqual(found.files.at(-1), { path: 'lib/words/many.txt', size: 70_000, sha256: hashed(words) });
  assert.deepEqual(
    found.files.map(({ path }) => path),
    ['empty', 'extension.json', 'extension.ts', 'lib/words/many.txt'],
  );
  assert.deepEqual(readFileSync(join(folder, 'into/lib/words/many.txt')), words);
  assert.deepEqual(readFileSync(join(folder, 'into/empty')), Buffer.alloc(0));
});

describe('Nothing is left of a package', () => {
  const bomb = Buffer.alloc(5_000_000);
  const bombed = { packed: deflateRawSync(bomb).length, sum: crc32(bomb), size: 10 };
  const lie = { name: 'lie', content: bomb, head: bombed, listed: bombed };
  const short = { name: 'short', content: 'x'.repeat(500), head: { size: 900 }, listed: { size: 900 } };
  const sum = { name: 'sum', content: 'x'.repeat(500), head: { sum: 1 }, listed: { sum: 1 } };
  const facts = { sum: crc32('x'), size: 1, method: 8 };
  const junk = { name: 'a', content: 'x', bytes: Buffer.concat([deflateRawSync('x'), Buffer.from('junk')]) };
  const torn = { name: 'a', content: 'x'.repeat(500), bytes: Buffer.from('no deflate') };
  const cases: readonly (readonly [string, readonly MadeFile[] | Buffer])[] = [
    ['that leaves its folder', [manifest, entry, { name: '../../evil.ts', content: 'x' }]],
    ['that begins at the root', [manifest, entry, { name: '/tmp/evil.ts', content: 'x' }]],
    ['with a link', [manifest, entry, { name: 'a', content: '/etc', listed: { attributes: (0o120777 << 16) >>> 0 } }]],
    ['that swells', [manifest, entry, { name: 'a', content: bomb }]],
    ['that swells and says that it does not', [manifest, entry, lie]],
    ['with a file that ends early', [manifest, entry, short]],
    ['with a file of another sum', [manifest, entry, sum]],
    ['with junk behind a packed file', [manifest, entry, { ...junk, head: facts, listed: facts }]],
    ['that nobody can unpack', [manifest, entry, { ...torn, head: { method: 8 }, listed: { method: 8 } }]],
    ['without a manifest', [entry]],
    ['with a manifest of another name', [{ ...manifest, name: 'Extension.json' }, entry]],
    ['with a manifest in a folder', [{ ...manifest, name: 'guest-book/extension.json' }, entry]],
    ['whose manifest says nothing', [{ ...manifest, content: '{}' }, entry]],
    ['without its entry', [manifest, { ...entry, name: 'Extension.ts' }]],
    ['that is no archive', Buffer.from('<html>')],
  ];
  test('with files that it must not contain', () =>
    checkRows(cases, async ([, files]) => {
      freshFolder();
      await assert.rejects(unpacked(files), refused);
      assert.deepEqual(readdirSync(folder), ['package.zip']);
      assert.equal(existsSync(join(scratch, 'evil.ts')), false);
    }));

  test('of more than 50 MiB', () => assert.rejects(unpacked(Buffer.alloc(50 * 1024 * 1024 + 1)), refused));

  test('of more than 5,000 files', () =>
    assert.rejects(unpacked(Array.from({ length: 5001 }, (_, n) => ({ name: `${n}` }))), refused));
});

test('no changed byte gets through: a package is refused, or holds what it held', async () => {
  const whole = madeZip([manifest, entry, { name: 'lib/words.txt', content: 'robin, wren, robin, wren, robin' }]);
  const { files } = await unpacked(whole);
  for (let at = 0; at < whole.length; at += 3) {
    rmSync(join(folder, 'into'), { recursive: true, force: true });
    const changed = Buffer.from(whole);
    changed[at] = changed[at]! ^ 0x15;
    const found = await unpacked(changed).catch((error) => {
      assert.equal(error.code, 'invalid_package', `${at}: ${error}`);
      assert.equal(existsSync(join(folder, 'into')), false);
    });
    if (found) assert.deepEqual(found.files, files, `${at}`);
  }
});

test('a folder that is there already is left alone', async () => {
  mkdirSync(join(folder, 'into'));
  writeFileSync(join(folder, 'into/mine'), 'mine');
  await assert.rejects(unpacked([manifest, entry]), { code: 'EEXIST' });
  assert.equal(readFileSync(join(folder, 'into/mine'), 'utf8'), 'mine');
});

describe('A folder is known again', () => {
  const changes: readonly (readonly [string, (into: string) => void, boolean])[] = [
    ['as it was unpacked', () => {}, true],
    [
      'not with a changed byte',
      (into) => writeFileSync(join(into, 'extension.ts'), 'export default () => ([]);\n'),
      false,
    ],
    ['not with a file more', (into) => writeFileSync(join(into, 'lib/more.ts'), ''), false],
    ['not with a folder more', (into) => mkdirSync(join(into, 'node_modules')), false],
    ['not with a file less', (into) => rmSync(join(into, 'lib/a.ts')), false],
    ['not without any', (into) => rmSync(into, { recursive: true }), false],
    [
      'not with a link to the same bytes',
      (into) => {
        writeFileSync(join(folder, 'same.ts'), 'a');
        rmSync(join(into, 'lib/a.ts'));
        symlinkSync(join(folder, 'same.ts'), join(into, 'lib/a.ts'));
      },
      false,
    ],
    [
      'not with a folder in the place of a file',
      (into) => {
        rmSync(join(into, 'lib/a.ts'));
        mkdirSync(join(into, 'lib/a.ts'));
      },
      false,
    ],
  ];
  test('by its files alone', () =>
    checkRows(changes, async ([, change, isSame]) => {
      freshFolder();
      const { files } = await unpacked([manifest, entry, { name: 'lib/a.ts', content: 'a' }]);
      change(join(folder, 'into'));
      assert.equal(await verifyUnpacked(join(folder, 'into'), files), isSame);
    }));

  test('not when it is a link itself', async () => {
    const { files } = await unpacked([manifest, entry]);
    symlinkSync(join(folder, 'into'), join(folder, 'linked'));
    assert.equal(await verifyUnpacked(join(folder, 'linked'), files), false);
  });
});
