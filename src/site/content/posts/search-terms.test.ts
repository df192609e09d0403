import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkRows } from '#test/rows.ts';
import { termsOf } from './search.ts';

const cases: [string, string[], string[]][] = [
  ['river stone', ['river', 'stone'], []],
  ['  River,STONE+Éclair ', ['river', 'stone', 'eclair'], []],
  ['"river stone" bank', ['river stone', 'bank'], []],
  ['"river stone', ['river stone'], []],
  ['river -stone', ['river'], ['stone']],
  ['river -"old stone"', ['river'], ['old stone']],
  ['well-known', ['well-known'], []],
  ['the river of a', ['river'], []],
  ['"the" river', ['the', 'river'], []],
  ['the', ['the'], []],
  ['of the', ['of the'], []],
  ['x', ['x'], []],
  ['日', ['日'], []],
  ['river river', ['river'], []],
  ['-stone', [], ['stone']],
  ['', [], []],
  [' , + "" ', [], []],
  ['- --', ['-'], []],
];
test('a search is split into words and phrases', () =>
  checkRows(cases, ([search, wanted, unwanted]) => {
    const terms = termsOf(search);
    assert.deepEqual([terms.wanted, terms.unwanted], [wanted, unwanted]);
  }));

test('a sentence of many words is looked for as one', () => {
  const words = Array.from({ length: 20 }, (_, at) => `word${at}`).join(' ');
  assert.deepEqual(termsOf(words).wanted, [words]);
});

test('the phrase is what was typed of what is wanted', () => {
  assert.equal(termsOf('The "River  Stone" -bank').phrase, 'the river  stone');
});
