import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCounting } from './counts.ts';

test('What cannot be counted is told and left out; who has left is not asked', async () => {
  const told: unknown[] = [];
  const counting = createCounting((error) => told.push(error));
  const failure = new Error('It is away.');
  counting.also(async () => ({ bans: 3 }));
  counting.also(() => Promise.reject(failure));
  const leave = counting.also(async () => ({ galleries: 2 }));
  assert.deepEqual(await counting.all(), { bans: 3, galleries: 2 });
  leave();
  assert.deepEqual(await counting.all(), { bans: 3 });
  assert.deepEqual(told, [failure, failure]);
});
