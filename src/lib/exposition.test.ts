import assert from 'node:assert/strict';
import { test } from 'node:test';
import { family } from './exposition.ts';

test('a family of figures is written as Prometheus reads it', () => {
  const text = family('gauge', 'shelves', 'Shelves.', [{ value: 3 }, { value: 1, labels: { room: 'a"b\\c\nd' } }]);
  assert.equal(text, '# HELP shelves Shelves.\n# TYPE shelves gauge\nshelves 3\nshelves{room="a\\"b\\\\c\\nd"} 1\n');
});
