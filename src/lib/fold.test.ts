import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { processorTime } from '#test/turns.ts';
import { fold } from './fold.ts';

const cases: [string, string][] = [
  ['Ann', 'ann'],
  ['Ångström', 'angstrom'],
  ['STRASSE', 'strasse'],
  ['Straße', 'strasse'],
  ['Łódź', 'lodz'],
  ['Ærø', 'aero'],
  ['İstanbul', 'istanbul'],
  ['Crème brûlée', 'creme brulee'],
  ['ﬁne', 'fine'],
  ['Ёлка', 'елка'],
  ['ΑΘΗΝΑ', 'αθηνα'],
  ['日本', '日本'],
];

for (const [text, folded] of cases) test(`${text} is compared as ${folded}`, () => assert.equal(fold(text), folded));

test('however a letter with a sign is written, it is one', () => {
  assert.equal(fold('e\u0301'), fold('\u00e9'));
});

test('what is folded stays as it is', () => {
  fc.assert(fc.property(fc.string({ unit: 'grapheme' }), (text) => fold(fold(text)) === fold(text)));
});

test('many signs on one letter take no longer than many letters', () => {
  const timed = (text: string): number => {
    const begun = processorTime();
    fold(text);
    return processorTime() - begun;
  };
  const [signs, letters] = [`a${'\u0300\u0316'.repeat(200_000)}`, 'ä'.repeat(400_000)];
  assert.ok(timed(signs) < 20 * timed(letters) + 100, 'in order by the square of their number it takes a minute');
});
