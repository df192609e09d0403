import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reading } from './args/settle.ts';
import { nobody } from './caller.ts';
import type { Problem } from './problem.ts';
import { t } from './schema.ts';

const read = reading({ name: t.string({ minLength: 1 }), often: t.integer({ default: 1, maximum: 9 }) });

test('what a form sent is read as a route reads its arguments', () => {
  assert.deepEqual(read({ name: 'Ada', often: '3', _wpnonce: 'x' }, nobody), { name: 'Ada', often: 3 });
  assert.deepEqual(read({ name: 'Ada' }, nobody), { name: 'Ada', often: 1 });
});

test('what is wrong is told of each field', () => {
  assert.throws(
    () => read({ name: '', often: '99' }, nobody),
    ({ status, details }: Problem) => {
      assert.equal(status, 400);
      assert.deepEqual(Object.keys(details.params as object), ['name', 'often']);
      return true;
    },
  );
  assert.throws(() => read({}, nobody), { status: 400 });
});
