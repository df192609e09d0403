import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkRows } from '#test/rows.ts';
import { nearest, suggestion } from './nearest.ts';

const commands = ['serve', 'migrate', 'routes', 'openapi', 'doctor'];

test('a mistyped word suggests the nearest known word, or none', () =>
  checkRows(
    [
      ['serv', 'serve'],
      ['Server', 'serve'],
      ['migarte', 'migrate'],
      ['route', 'routes'],
      ['xyz', undefined],
      ['', undefined],
    ] as const,
    ([word, meant]) => assert.equal(nearest(word, commands), meant),
  ));

test('a suggestion is a sentence, or nothing at all', () => {
  assert.equal(suggestion('serv', commands), ' Did you mean serve?');
  assert.equal(suggestion('xyz', commands), '');
});
