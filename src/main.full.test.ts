import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';

test('a reader that has seen enough is no fault', () => {
  const command = `"${process.execPath}" "${join(import.meta.dirname, 'main.ts')}" openapi | head -c 1`;
  const { stdout, stderr } = spawnSync('sh', ['-c', command], { encoding: 'utf8' });
  assert.deepEqual([stdout, stderr], ['{', '']);
});
