import assert from 'node:assert/strict';
import { test } from 'node:test';
import { t } from '#kernel/schema.ts';
import { createAddedValues } from './extending.ts';

const never = new Promise<never>(() => {});

test('A field that nobody fills is waited for no longer than seconds, and not asked for again for a minute', async () => {
  let now = Date.parse('2026-01-01T00:00:00Z');
  let asked = 0;
  const told: string[] = [];
  const said: string[] = [];
  const values = createAddedValues({
    store: {
      changes: { at: () => 0, isCurrent: true, say: (topics) => void said.push(...topics), watch: () => () => {} },
      readBefore() {},
    },
    clock: () => new Date(now),
    log: { error: (_, message) => void told.push(message) },
    after(_, run) {
      const immediate = setImmediate(run);
      return () => clearImmediate(immediate);
    },
  });
  const field = {
    name: 'stars',
    by: 'starry',
    schema: t.integer(),
    of(): Promise<never> {
      asked += 1;
      return never;
    },
  };
  for (let time = 0; time < 2; time++) assert.deepEqual(await values.of(field, [1]), new Map());
  assert.equal(asked, 1);
  assert.equal(said.length, 2);
  now += 60_000;
  assert.deepEqual(await values.of(field, [1]), new Map());
  assert.equal(asked, 2);
  assert.deepEqual(told, ['The field stars of the extension starry could not be read, and is left out.']);
});
