// `npm run check`: style, types, and the tests of pure code, of the store, of the order of the code and of the contract. It takes less
// than a minute on two cores, so that it can run before every commit; `npm test` runs everything.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

process.chdir(join(import.meta.dirname, '..'));

/** Files and folders. */
const quickTests = [
  'src/lib',
  'src/kernel',
  'src/store',
  'src/config',
  'src/site/platform',
  'test/architecture.test.ts',
  'test/architecture-suite.test.ts',
  'test/outside.test.ts',
  'test/contract/contract.test.ts',
  'test/contract/document.test.ts',
  'docs/generate.test.ts',
  'docs/tour.test.ts',
];

async function exitCode(args: readonly string[]): Promise<number> {
  const [code] = await once(spawn(process.execPath, args, { stdio: 'inherit' }), 'exit');
  return Number(code ?? 1);
}

const style = exitCode(['node_modules/@biomejs/biome/bin/biome', 'check', '.']);
const types = exitCode([
  'node_modules/typescript/bin/tsc',
  '-p',
  '.',
  '--incremental',
  '--tsBuildInfoFile',
  '.cache/tsc.json',
]);
const early = await Promise.all([style, types]);
const tests = await exitCode(['test/run.ts', ...quickTests]);
process.exit(Math.max(...early, tests));
