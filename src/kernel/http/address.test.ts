import assert from 'node:assert/strict';
import { test } from 'node:test';
import { belowBase, type Layout, placeOf } from './address.ts';

const layout: Layout = { base: '', prefix: 'api', faces: 'both' };
const place = (url: string, more: Partial<Layout> = {}) => {
  const found = placeOf(url, { ...layout, ...more });
  return found && [found.face, found.path, found.query];
};

test('an address of the interface has a face, a path and a query; any other is a page', () => {
  const cases: [string, unknown][] = [
    ['/api', ['neutral', '/', '']],
    ['/api/', ['neutral', '/', '']],
    ['/api?a=1', ['neutral', '/', 'a=1']],
    ['/api/x/v1?a=1?b', ['neutral', '/x/v1', 'a=1?b']],
    ['/wp-json', ['classic', '/', '']],
    ['/wp-json/wp/v2/posts', ['classic', '/wp/v2/posts', '']],
    ['/?rest_route=/x', ['classic', '/x', '']],
    ['/?rest_route=x', ['classic', '/x', '']],
    ['/?a=1&rest_route=%2Fx%2Fy&b=2', ['classic', '/x/y', 'a=1&b=2']],
    ['/?rest_route=/x&a=1&rest_route=/y', ['classic', '/y', 'a=1']],
    ['/?rest_route=/x&rest%5froute=/y', ['classic', '/y', '']],
    ['/?rest.route=/x', ['classic', '/x', '']],
    ['/?rest_route=/x&rest_route[]=/y', undefined],
    ['/?rest_route=/x&rest_route', undefined],
    ['/index.php?rest_route=/', ['classic', '/', '']],
    ['/', undefined],
    ['/?rest_route=', undefined],
    ['/?xrest_route=/x', undefined],
    ['/other?rest_route=/x', undefined],
    ['/apis', undefined],
    ['/wp-jsonx', undefined],
    ['/API/', undefined],
    ['/healthz', undefined],
  ];
  for (const [url, wanted] of cases) assert.deepEqual(place(url), wanted, url);
});

test('the path is decoded once; what is not well encoded stays as it is', () => {
  assert.deepEqual(place('/api/a%20b/%C3%BC')?.[1], '/a b/ü');
  assert.deepEqual(place('/api/%2541')?.[1], '/%41');
  assert.deepEqual(place('/api/%zz/%ff')?.[1], '/%zz/%ff');
  assert.deepEqual(place('/?rest_route=/a+b%2520')?.[1], '/a b%20');
});

test('a face that is switched off is a page like any other', () => {
  assert.equal(place('/wp-json/', { faces: 'neutral' }), undefined);
  assert.equal(place('/?rest_route=/x', { faces: 'neutral' }), undefined);
  assert.equal(place('/api/', { faces: 'classic' }), undefined);
});

test('a base path is part of every address, and its neighbours are not of it', () => {
  const cases = [
    ['/blog/api/x', '/api/x'],
    ['/blog/?rest_route=/x', '/?rest_route=/x'],
    ['/blog?rest_route=/x', '/?rest_route=/x'],
    ['/blog', '/'],
    ['/blogs/api/x', '/blogs/api/x'],
    ['/api/x', '/api/x'],
  ];
  for (const [url = '', below] of cases) assert.equal(belowBase(url, '/blog'), below);
  assert.equal(belowBase('/blog', ''), '/blog');
});

test('the prefix may have several parts', () => {
  assert.deepEqual(place('/v1/interface/x', { prefix: 'v1/interface' }), ['neutral', '/x', '']);
});
