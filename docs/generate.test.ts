import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { stale } from './generate.ts';

test('the generated pages say what the code says; "npm run docs" brings them up to date', async () => {
  assert.deepEqual(await stale(), []);
});

test('no route says only that it depends who may', () => {
  const routes = readFileSync(join(import.meta.dirname, 'routes.md'), 'utf8');
  assert.deepEqual(
    routes.split('\n').filter((line) => line.includes('| Depends on who')),
    [],
  );
});
