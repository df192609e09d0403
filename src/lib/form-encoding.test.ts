import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { checkRows } from '#test/rows.ts';
import { plusToSpaces } from './form-encoding.ts';

describe('Every plus is a blank', () => {
  const texts = ['', 'a', '+', 'a+b+', '✓+é+𝄞+\ud834+\u2b2b+\u002b\u2b00'];
  test('in a short text and in a long one', () =>
    checkRows(texts, (text) => {
      assert.equal(plusToSpaces(text), text.split('+').join(' '));
      const long = `${text}${'x'.repeat(5000)}${text}`;
      assert.equal(plusToSpaces(long), long.split('+').join(' '));
    }));
});
