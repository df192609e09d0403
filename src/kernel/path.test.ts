import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodedPath } from './table.ts';

test('a path is decoded once, and left alone when it is not well encoded', () => {
  const cases: [string, string][] = [
    ['/a/b', '/a/b'],
    ['/a%20b', '/a b'],
    ['/a+b', '/a+b'],
    ['/%C3%BC', '/ü'],
    ['/a%2Fb', '/a/b'],
    ['/%2541', '/%41'],
    ['/a%00b', '/a%00b'],
    ['/%zz', '/%zz'],
    ['/%C3', '/%C3'],
    ['/%ED%A0%80', '/%ED%A0%80'],
  ];
  for (const [sent, wanted] of cases) assert.equal(decodedPath(sent), wanted, sent);
});
