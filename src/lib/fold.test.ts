import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import '#test/seeded.ts';
import { measuresTime, quickest } from '#test/doubling.ts';
import { checkRows } from '#test/rows.ts';
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

test('texts are compared without case and accents', () =>
  checkRows(cases, ([text, folded]) => assert.equal(fold(text), folded)));

test('however a letter with a sign is written, it is one', () => {
  assert.equal(fold('e\u0301'), fold('\u00e9'));
});

test('what is folded stays as it is', () => {
  fc.assert(fc.property(fc.string({ unit: 'grapheme' }), (text) => fold(fold(text)) === fold(text)));
});

test('many signs on one letter take no longer than many letters', () => {
  const signs = `a${'\u0300\u0316'.repeat(200_000)}`;
  assert.equal(fold(signs), 'a');
  if (!measuresTime) return;
  const [ofSigns = 0, ofLetters = 0] = quickest(
    () => fold(signs),
    () => fold('ä'.repeat(400_000)),
  );
  assert.ok(ofSigns < 20 * ofLetters + 100, 'in order by the square of their number it takes a minute');
});
