// The page of caches names every place in the code that keeps something in memory, and no other.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { sources } from '#test/imports.ts';

const page = readFileSync(join(import.meta.dirname, 'caches.md'), 'utf8');
const shapes = [
  'src/kernel/topic-cache.ts',
  'src/site/platform/cache/records.ts',
  'src/site/platform/cache/snapshot.ts',
];

test('the page of caches names every place that keeps something', () => {
  const named = [...page.matchAll(/\]\(\.\.\/(src\/[^)]+)\)/g)].map(([, path = '']) => path);
  const keeping = sources('src/**/*.ts').filter(
    ({ text, isTest }) =>
      !isTest && /\bnew (?:Lru|TopicCache)\b|= (?:cachedByTable|createSnapshot|createFollower)\b/.test(text),
  );
  const found = keeping.map(({ path }) => path).filter((path) => !shapes.includes(path));
  assert.deepEqual(named.filter((path) => !shapes.includes(path)).sort(), found.sort());
});
