import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { checkRows } from '#test/rows.ts';
import { readManifest, refuseTaken, unmet } from './manifest.ts';

const good = {
  slug: 'guest-book',
  name: 'Guest book',
  version: '1.0.0',
  description: 'What visitors say.',
  requires: { gatehouse: '>=0.3.0' },
  entry: 'src/extension.ts',
  namespaces: ['guest-book/v1'],
  capabilities: ['guest_book_write'],
};

const read = (said: unknown) => readManifest(Buffer.from(JSON.stringify(said)));
const refused = { status: 422, code: 'invalid_package' };

test('a manifest says what it says', () => assert.deepEqual(read(good), good));

test('what it need not say is empty, and what it says beyond that is nobody’s business', () => {
  const { slug, name, version, entry } = good;
  const said = read({ slug, name, version, entry, licence: 'MIT', nouns: 'none' });
  assert.deepEqual(said, {
    slug,
    name,
    version,
    entry,
    description: '',
    requires: {},
    namespaces: [],
    capabilities: [],
  });
});

describe('A manifest is refused with', () => {
  const members: readonly (readonly [string, unknown])[] = [
    ...[undefined, '', 7, null, 'Guest', 'a--b', '-a', 'a_b', '../a', 'a/b', 'a'.repeat(65)].map(
      (value) => ['slug', value] as const,
    ),
    ...[undefined, '', '  ', 'a\nb', 'a\u202eb', 'x'.repeat(101), {}].map((value) => ['name', value] as const),
    ...[undefined, '1', '1.0', 'v1.0.0', 1].map((value) => ['version', value] as const),
    ...[7, 'x'.repeat(1001), '\u0000'].map((value) => ['description', value] as const),
    ...[null, [], 'gatehouse', { gatehouse: '1.0.0' }, { gatehouse: 1 }, { '../x': '>=1.0.0' }].map(
      (value) => ['requires', value] as const,
    ),
    ...[
      undefined,
      '',
      '/a.ts',
      '../a.ts',
      'a/../b.ts',
      'a\\b.ts',
      'C:/a.ts',
      'a.json',
      'a',
      'file:///a.ts',
      'node:fs.js',
    ].map((value) => ['entry', value] as const),
    ...[['guest'], ['guest/1'], ['Guest/v1'], ['a/b/v1'], ['a/v1', 'a/v1'], ['/v1'], 'a/v1', [7], {}].map(
      (value) => ['namespaces', value] as const,
    ),
    ...[['Write'], ['a-b'], [''], ['a', 'a'], 'a', Array.from({ length: 51 }, (_, n) => `a${n}`)].map(
      (value) => ['capabilities', value] as const,
    ),
  ];
  test('a member that is missing or wrong', () =>
    checkRows(members, ([name, value]) => assert.throws(() => read({ ...good, [name]: value }), refused)));

  const documents: readonly (readonly [string, Buffer])[] = [
    ['nothing', Buffer.alloc(0)],
    ['a list', Buffer.from('[]')],
    ['a text', Buffer.from('"guest-book"')],
    ['what is no JSON', Buffer.from("{ slug: 'guest-book' }")],
    ['what is not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
    ['more than anybody reads', Buffer.from(JSON.stringify({ ...good, more: 'x'.repeat(70_000) }))],
  ];
  test('bytes that are not a JSON object', () =>
    checkRows(documents, ([, bytes]) => assert.throws(() => readManifest(bytes), refused)));
});

test('what it cannot do without is told when it is not there', () => {
  const here = { gatehouse: '0.4.0', embeds: '0.4.0' };
  assert.equal(unmet({ requires: {} }, here), undefined);
  assert.equal(unmet({ requires: { gatehouse: '>=0.4.0', embeds: '<1.0.0' } }, here), undefined);
  const newer = unmet({ requires: { gatehouse: '>=0.5.0' } }, here);
  assert.equal(newer, 'It needs gatehouse >=0.5.0, but this site has 0.4.0.');
  const other = unmet({ requires: { constructor: '>=0.0.0' } }, here);
  assert.equal(other, 'It needs constructor >=0.0.0, but this site does not have it.');
});

describe('The namespaces of a package are its own', () => {
  const taken = ['core/v2', 'oembed/1.0', 'media-folders/v1'];
  test('and no namespace of Gatehouse', () =>
    checkRows(['core/v2', 'media-folders/v1', 'wp/v2', 'batch/v1'], (one) =>
      assert.throws(() => refuseTaken({ namespaces: ['a/v1', one] }, taken), refused),
    ));
  test('guest-book/v1 is free', () => refuseTaken({ namespaces: ['guest-book/v1'] }, taken));
});
