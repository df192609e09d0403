import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import '#test/seeded.ts';
import { checkRows } from '#test/rows.ts';
import { returnTo } from './sign-in.ts';

const base = 'https://site.test/cms';

const kept: readonly (readonly [asked: string, path: string])[] = [
  ['/account', '/account'],
  ['/cms/account?a=1&b=2#part', '/cms/account?a=1&b=2#part'],
  ['account', '/cms/account'],
  ['?page=2', '/cms/?page=2'],
  ['https://site.test', '/'],
  ['https://site.test/a/../b', '/b'],
  ['HTTPS://SITE.TEST:443/a', '/a'],
  ['/a//b', '/a//b'],
  ['/%2F%2Fevil.test', '/%2F%2Fevil.test'],
  ['/grüße', '/gr%C3%BC%C3%9Fe'],
];

const foreign: readonly string[] = [
  '',
  'https://evil.test',
  'http://site.test/',
  'https://site.test:8443/',
  'https://site.test.evil.test/',
  'https://site.test@evil.test/',
  'https://person@site.test/',
  'https://:word@site.test/',
  '//evil.test',
  '///evil.test',
  '////evil.test',
  'https://site.test//evil.test',
  '/..//evil.test',
  '/.//evil.test',
  '/\\evil.test',
  '\\\\evil.test',
  'https:\\\\evil.test',
  '/a\\b',
  '/\t/evil.test',
  '/\n/evil.test',
  '/a\r\nSet-Cookie: x',
  '\u0000/account',
  ' //evil.test',
  '\u00a0//evil.test',
  'javascript:alert(1)',
  'data:text/html,x',
  'site.test:443',
  'https://',
  'https://[',
  `/${'a'.repeat(8000)}`,
];

describe('After signing in', () => {
  test('a path of the site is followed', () =>
    checkRows(kept, ([asked, path]) => assert.equal(returnTo(asked, base), path)));
  test('an address elsewhere is not followed', () =>
    checkRows(foreign, (asked) => assert.equal(returnTo(asked, base), undefined)));

  test('nothing that is made of such pieces leads a browser to another host', () => {
    const pieces = [
      '/',
      '//',
      '\\',
      '.',
      '..',
      '@',
      ':',
      '?',
      '#',
      '%2f',
      '%5c',
      'http:',
      'https:',
      'site.test',
      'evil.test',
    ];
    const odd = ['\t', '\n', ' ', '\u0000', '\u3002', '\uff0f', '[', ']', ';', '443', 'javascript:', '&'];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces, ...odd), { maxLength: 8 }), (parts) => {
        const path = returnTo(parts.join(''), base);
        if (path !== undefined) assert.equal(new URL(path, 'https://127.0.0.1/cms/login').origin, 'https://127.0.0.1');
      }),
      { numRuns: 5000 },
    );
  });
});
