// `npm run check`: what is quick enough to run before every commit.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { join } from 'node:path';

process.chdir(join(import.meta.dirname, '..'));

async function ends(args: readonly string[]): Promise<number> {
  const [code] = await once(spawn(process.execPath, args, { stdio: 'inherit' }), 'exit');
  return Number(code ?? 1);
}

const biome = ends(['node_modules/@biomejs/biome/bin/biome', 'check', '.']);
const types = ends(['node_modules/typescript/bin/tsc', '-p', '.']);
const early = await Promise.all([biome, types]);
const tests = await ends(['test/run.ts', 'src', 'docs', 'examples', 'test/contract', ...globSync('test/*.test.ts')]);
process.exit(Math.max(...early, tests));
