// `npm run check`: types, style, the order of the code, the contract, and the tests that changed since the last commit or lie beside
// code that did.
// It takes about a minute on two cores, so that it can run before every commit; `npm test` runs the whole quick suite.
import { execFileSync } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { dirname, join } from 'node:path';

process.chdir(join(import.meta.dirname, '..'));

const always = [
  'test/types.test.ts',
  'test/architecture.test.ts',
  'test/architecture-suite.test.ts',
  'test/outside.test.ts',
  'test/errors.test.ts',
  'test/contract/contract.test.ts',
  'docs/generate.test.ts',
  'docs/tour.test.ts',
];

const git = (...args: string[]): string[] =>
  execFileSync('git', args, { encoding: 'utf8' }).split('\n').filter(Boolean);

/** The files that differ from the last commit, new ones as well. */
function changedFiles(): string[] {
  try {
    return [...git('diff', '--name-only', 'HEAD'), ...git('ls-files', '--others', '--exclude-standard')];
  } catch {
    // A copy without its history: nothing is known of what changed.
    return [];
  }
}

const changed = changedFiles();
const folders = new Set(changed.filter((file) => /^(src|examples)\//.test(file)).map((file) => dirname(file)));
const beside = [...folders].flatMap((folder) => globSync(`${folder}/*.test.ts`));
const tests = [...beside, ...changed.filter((file) => /\.test\.ts$/.test(file) && existsSync(file))];
const isQuick = (file: string): boolean => !/\.full\.test\.ts$|^test\/(?:faults|load|s3)\//.test(file);
const files = new Set([...always, ...tests.filter(isQuick)]);
process.argv.splice(2, Number.POSITIVE_INFINITY, '--once', ...files);
await import('./run.ts');
