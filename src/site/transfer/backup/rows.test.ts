import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { TableEntry } from './format.ts';
import { packed, unpacked } from './rows.ts';

const table: TableEntry = { name: 'notes', columns: [{ name: 'text', kind: 'text' }] };
const MiB = 2 ** 20;
const tooMuch = { name: 'ArchiveProblem', message: /a block of notes is too large/ };

describe('A block of rows', () => {
  test('is refused when little would become very many rows, or one row very many values', () => {
    assert.throws(() => unpacked(packed(Array.from({ length: MiB }, () => '[1]')), table), tooMuch);
    for (const value of ['{}', '[]', '1'])
      assert.throws(() => unpacked(packed([`[${`${value},`.repeat(MiB)}1]`]), table), tooMuch);
    assert.throws(() => unpacked(packed([`["${'x'.repeat(3 * MiB)}",[]]`]), table), tooMuch);
  });

  test('may hold one long row, whatever signs are in its text', () => {
    const text = '"[{,\\"'.repeat(MiB);
    assert.deepEqual(unpacked(packed([JSON.stringify([text])]), table), [{ text }]);
  });
});
