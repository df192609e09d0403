// Runs the tests of an extension that does not lie in this checkout.
//
//   node bin/dev test/elsewhere.ts FOLDER
import { globSync } from 'node:fs';
import { resolve } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';

// An extension runs on both databases.
process.env.GATEHOUSE_TEST_FULL = '1';
const folder = resolve(process.argv[2] ?? '.');
const files = globSync('**/*.test.{ts,js,mjs}', { cwd: folder, exclude: ['**/node_modules/**'] }).sort();

run({ files: files.map((file) => resolve(folder, file)), concurrency: 1 })
  .on('test:fail', () => {
    process.exitCode = 1;
  })
  .compose(new spec())
  .pipe(process.stdout);
