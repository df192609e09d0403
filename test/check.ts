// `npm run check`: style, types, and the tests of pure code, of the store, of the order of the code and of the contract. It takes
// about a minute on two cores, so that it can run before every commit; `npm test` runs everything.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { join } from 'node:path';

process.chdir(join(import.meta.dirname, '..'));

/** These start processes and servers of their own and see how they end, which takes longer than all others of the store. */
const slow = /\/store\/(?:processes|in-use|postgres\/(?:silence|away|engine|refusals))\.test\.ts$/;
const quickTests = [
  ...globSync('src/{lib,kernel,store,config}/**/*.test.ts').filter((file) => !slow.test(file)),
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

/** Each checker of types goes over what the others have seen too: with four, it takes twice the processor time of one. */
const types = exitCode([
  'node_modules/typescript/bin/tsc',
  '-p',
  '.',
  '--checkers',
  '1',
  '--incremental',
  '--tsBuildInfoFile',
  '.cache/tsc.json',
]);
const style = await exitCode(['node_modules/@biomejs/biome/bin/biome', 'check', '.']);
const tests = await exitCode(['test/run.ts', ...quickTests]);
process.exit(Math.max(style, await types, tests));
