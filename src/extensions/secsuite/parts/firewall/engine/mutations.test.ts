import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { checkRows } from '#test/rows.ts';
import { mutating, tooMuch } from './mutations.ts';

const plain = (value: unknown): unknown =>
  typeof value === 'object' && value !== null ? JSON.parse(JSON.stringify(value)) : value;

const cases: [names: string, value: unknown, wanted: unknown][] = [
  ['json_decode', '{"a":[1]}', { a: [1] }],
  ['json_decode', '{"a":', null],
  ['json_decode', 5, 5],
  ['json_encode', { a: 'é/', b: [1, null] }, '{"a":"\\u00e9\\/","b":[1,null]}'],
  ['json_encode', '\u{1f642}', '"\\ud83d\\ude42"'],
  ['base64_decode', 'YS Bi-\nIQ==', 'a b!'],
  ['base64_decode', ['YQ=='], ['YQ==']],
  ['urldecode', 'a%2520b+%zz', 'a%20b %zz'],
  ['intval', '12abc', 12],
  ['intval', '1e3', 1000],
  ['intval', ' -3.9', -3],
  ['intval', 'abc', 0],
  ['intval', '1e999', 0],
  ['intval', true, 1],
  ['intval', '-0', 0],
  ['getArrayValues', { a: '1', b: { c: '2', d: '0' }, f: ['x', 'y'] }, 'a=1&c=2&0=x&1=y'],
  ['getArrayValues', { a: '', b: null, c: false, d: 0, e: true, f: 1.5 }, 'e=1&f=1.5'],
  ['getArrayValues', 'text', 'text'],
  [
    'getShortcodeAtts',
    'x [box Width="5" wide] [/box] [plain] [box width=6]',
    { box: { width: '56', 0: 'wide' }, plain: '' },
  ],
  ['getShortcodeAtts', '[a x="<b" y="<b>"]', { a: { x: '', y: '<b>' } }],
  ['getShortcodeAtts', '[a/][b x=1 /]', { a: '', b: { x: '1' } }],
  ['getShortcodeAtts', '[__proto__ x=1]', JSON.parse('{"__proto__":{"x":"1"}}')],
  [
    'getBlockAtts',
    '<!-- wp:group {"a":{"b":"1","l":[1]}} --><!-- wp:my/box {"x":true} /--><!-- /wp:group --><!-- wp:group {"a":{"b":"2","l":[2],"c":3}} /-->',
    { 'core/group': { a: { b: '12', l: [1, 2], c: 3 } }, 'my/box': { x: true } },
  ],
  ['getBlockAtts', 'no block', {}],
  ['urldecode json_decode', '%7B%22a%22%3A1%7D', { a: 1 }],
  ['json_decode intval', 'x', null],
  ['json_decode json_encode', 'false', false],
  ['intval json_encode', 'x', 0],
  ['urldecode nope', '%41', '%41'],
  ['', 'a', 'a'],
];

describe('a value is changed', () => {
  it('as each mutation says', () =>
    checkRows(cases, ([names, value, wanted]) =>
      assert.deepEqual(plain(mutating(names === '' ? [] : names.split(' '))(value)), wanted),
    ));

  const long = 'x'.repeat(256 * 1024 + 1);
  it('only up to a size, before and after', () => {
    assert.equal(mutating(['urldecode'])(long), tooMuch);
    assert.equal(mutating(['getArrayValues'])({ a: long }), tooMuch);
    assert.equal(mutating(['json_encode'])([long]), tooMuch);
    assert.equal(mutating(['urldecode'])(long.slice(1)), long.slice(1));
  });

  it('at most eight times', () => {
    assert.equal(mutating(Array(8).fill('urldecode'))('a'), 'a');
    assert.equal(mutating(Array(9).fill('urldecode'))('a'), tooMuch);
  });

  it('however deep it is', () => {
    let deep: unknown = 'leaf';
    for (let level = 0; level < 100_000; level++) deep = [deep];
    assert.equal(mutating(['getArrayValues'])(deep), '0=leaf');
    assert.equal(mutating(['json_encode'])(deep), false);
  });
});
