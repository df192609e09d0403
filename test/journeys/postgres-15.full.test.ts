// An older PostgreSQL than the one that every other test runs on: the tests of the store and of posts pass on it too.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { asked } from '#test/databases.ts';
import { start } from '#test/gatehouse.ts';
import { startPostgres } from '#test/postgres.ts';
import { withProgram } from '#test/programs.ts';

const root = join(import.meta.dirname, '../..');
const nouns = [
  ...['changes', 'columns', 'contains', 'migrate', 'search', 'store', 'words'].map((name) => `src/store/${name}`),
  ...['engine', 'statements'].map((name) => `src/store/postgres/${name}`),
  'src/extensions/core/posts/posts',
];
/** The tests of a noun, of the quick run and of the full run. */
const testsOf = (noun: string): string[] => {
  const files = [`${noun}.test.ts`, `${noun}.full.test.ts`].filter((file) => existsSync(join(root, file)));
  assert.ok(files.length > 0, noun);
  return files;
};

withProgram('postgres15', 'PostgreSQL 15 keeps what PostgreSQL 18 keeps', async (path) => {
  const server = await startPostgres({}, dirname(dirname(path)));
  try {
    const [version] = await asked(server.url, 'show server_version');
    assert.match(String(version?.server_version), /^15\./);
    const args = ['--import', join(root, 'bin/imports.mjs'), '--test', '--test-concurrency=1', '--test-reporter=tap'];
    const env = { GATEHOUSE_TEST_POSTGRES: server.url, GATEHOUSE_TEST_FULL: '1' };
    const { code, out, err } = await start(
      process.execPath,
      [...args, '--test-name-pattern=\\(postgres\\)', ...nouns.flatMap(testsOf)],
      env,
      root,
    ).ended;
    const failures = out.split('\n').filter((line) => /^\s*(?:not ok|error:)/.test(line));
    assert.deepEqual([code, failures], [0, []], err);
    const passed = Number(/^# pass (\d+)$/m.exec(out)?.[1]);
    assert.ok(passed > 60, `${passed} tests passed`);
  } finally {
    await server.stop();
  }
});
