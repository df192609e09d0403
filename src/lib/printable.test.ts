import assert from 'node:assert/strict';
import { test } from 'node:test';
import { printable, printableJson } from './printable.ts';

const nasty = 'a\u001b[31mb\u009b2Jc\u0007d\re\nf\u202eg\u2028h\u007fi';

test('what steers a terminal is replaced, and a name stays one line', () => {
  assert.equal(printable(nasty), 'a�[31mb�2Jc�d�e�f�g�h�i');
});

test('letters of every script, their joints included, stay as they are', () => {
  for (const name of ['Ærøskøbing', '山田 太郎', 'می‌خواهم', '👩‍👧']) assert.equal(printable(name), name);
});

test('JSON keeps its meaning', () => {
  const text = printableJson({ name: nasty });
  assert.deepEqual(JSON.parse(text), { name: nasty });
  assert.equal(text.replaceAll('\n', ''), printable(text.replaceAll('\n', '')));
});
