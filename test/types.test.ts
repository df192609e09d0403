import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';

const root = join(import.meta.dirname, '..');

/** The exit code, and all that it printed. */
function ran(script: string, ...args: string[]): [code: number | null, output: string] {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, 'node_modules', script), ...args], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 ** 2,
  });
  return [status, `${stdout}${stderr}`];
}

test('all types fit', () => {
  // One checker: each goes over what the others have seen too, and four take twice the processor time.
  const [code, output] = ran(
    'typescript/bin/tsc',
    ...['-p', '.', '--checkers', '1', '--incremental', '--tsBuildInfoFile', '.cache/tsc.json'],
  );
  assert.equal(code, 0, output);
});

test('all files keep the style', () => {
  const [code, output] = ran('@biomejs/biome/bin/biome', 'check', '.');
  assert.equal(code, 0, output);
});
