// `npm run check`: types, style, the order of the code, the contract, and the tests beside the files that changed since the last commit.
// It takes about a minute on two cores, so that it can run before every commit; `npm test` runs the whole quick suite.
import { execFileSync, spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
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

const folders = new Set(
  changedFiles()
    .filter((file) => /^(src|examples)\//.test(file))
    .map((file) => dirname(file)),
);
const beside = [...folders]
  .flatMap((folder) => globSync(`${folder}/*.test.ts`))
  .filter((file) => !/\.full\.test\.ts$/.test(file));
const { status } = spawnSync(process.execPath, ['test/run.ts', ...new Set([...always, ...beside])], {
  stdio: 'inherit',
});
process.exit(status ?? 1);
