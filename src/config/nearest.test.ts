import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nearest, suggestion } from './nearest.ts';

const commands = ['serve', 'migrate', 'routes', 'openapi', 'doctor'];

for (const [word, meant] of [
  ['serv', 'serve'],
  ['Server', 'serve'],
  ['migarte', 'migrate'],
  ['route', 'routes'],
  ['xyz', undefined],
  ['', undefined],
] as const) {
  test(`"${word}" probably means ${meant ?? 'nothing we have'}`, () => assert.equal(nearest(word, commands), meant));
}

test('a suggestion is a sentence, or nothing at all', () => {
  assert.equal(suggestion('serv', commands), ' Did you mean serve?');
  assert.equal(suggestion('xyz', commands), '');
});
