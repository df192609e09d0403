import assert from 'node:assert/strict';
import { test } from 'node:test';
import { urlBelow } from '#lib/addresses.ts';
import { checkRows } from '#test/rows.ts';
import { askedOf, numberIn, spelled } from './asked.ts';

const cases: readonly (readonly [url: string, stem: string, tail: string])[] = [
  ['/', '', 'none 1'],
  ['/2026/11/20/hello/', '2026/11/20/hello', 'none 1'],
  ['/Hello//There?x=/y/', 'hello/there', 'none 1'],
  ['/hello/2/', 'hello', 'part 2'],
  ['/hello/page/3', 'hello', 'page 3'],
  ['/hello/page/0/', 'hello/page/0', 'none 1'],
  ['/page/12345678/', 'page/12345678', 'none 1'],
  ['/hello/comment-page-4/', 'hello', 'comments 4'],
  ['/hello/feed/', 'hello', 'feed 1'],
  ['/hello/feed/atom/', 'hello', 'feed 1'],
  ['/rss', '', 'feed 1'],
  ['/hello/embed/', 'hello', 'embed 1'],
];

test('an address asks for a page, feed or embed of its stem', () =>
  checkRows(cases, ([url, stem, tail]) => {
    const asked = askedOf({ url, query: {} });
    assert.deepEqual([asked.stem.join('/'), `${asked.tail.kind} ${asked.tail.number}`], [stem, tail]);
  }));

test('a number in a query is one, or nothing', () => {
  const numbers = ['7', '0', '-1', '1.5', '1e3', '', '9'.repeat(16), ['7'], undefined].map((p) => numberIn({ p }, 'p'));
  assert.deepEqual(numbers, [7, 0, ...Array(7).fill(undefined)]);
});

test('addresses are compared by their paths, whatever their escapes look like', () => {
  assert.equal(spelled('http://a.test/%D0%BF/?x#y'), 'http://a.test/%d0%bf/');
  assert.equal(urlBelow('http://a.test/x', 'feed/'), 'http://a.test/x/feed/');
  assert.equal(urlBelow('http://a.test/x/', 'feed/'), 'http://a.test/x/feed/');
});
