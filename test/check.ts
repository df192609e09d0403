// `npm run check`: what is quick enough to run before every commit.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { join } from 'node:path';

process.chdir(join(import.meta.dirname, '..'));

/** Processes that come and go, servers that are killed, every argument of every route: `npm test` alone runs these. */
const slow = [
  'src/commands/app-password.test.ts',
  'src/commands/backup.test.ts',
  'src/commands/doctor.test.ts',
  'src/commands/first-user.test.ts',
  'src/commands/jobs.test.ts',
  'src/commands/serve.test.ts',
  'src/commands/settings.test.ts',
  'src/commands/user-terminal.test.ts',
  'src/commands/user.test.ts',
  'src/extensions/core/users/meanwhile.test.ts',
  'src/extensions/core/users/users.test.ts',
  'src/main.test.ts',
  'src/site/transfer/backup/alone.test.ts',
  'src/site/transfer/backup/replacing.test.ts',
  'src/site/transfer/backup/restore.test.ts',
  'src/site/email/digests.test.ts',
  'src/site/email/mail.test.ts',
  'src/store/postgres/away.test.ts',
  'src/store/processes.test.ts',
  'test/contract/access-a-postgres.test.ts',
  'test/contract/access-a-sqlite.test.ts',
  'test/contract/access-b-postgres.test.ts',
  'test/contract/access-b-sqlite.test.ts',
  'test/contract/access-kinds.test.ts',
  'test/contract/fuzz.test.ts',
  'test/contract/fuzz-blocks.test.ts',
  'test/contract/fuzz-kinds.test.ts',
  'test/contract/fuzz-navigation.test.ts',
  'test/contract/fuzz-pages.test.ts',
  'test/contract/fuzz-posts.test.ts',
  'test/contract/generated-clients.test.ts',
  'test/contract/rights-records.test.ts',
  'test/run.test.ts',
  'test/runtime.test.ts',
  'test/start.test.ts',
  'test/upgrade.test.ts',
];
const isQuick = (file: string): boolean => !slow.includes(file);

async function ends(args: readonly string[]): Promise<number> {
  const [code] = await once(spawn(process.execPath, args, { stdio: 'inherit' }), 'exit');
  return Number(code ?? 1);
}

const biome = ends(['node_modules/@biomejs/biome/bin/biome', 'check', '.']);
const types = ends(['node_modules/typescript/bin/tsc', '-p', '.']);
const early = await Promise.all([biome, types]);
const quick = globSync(['{src,docs,examples,test/contract}/**/*.test.ts', 'test/*.test.ts']).filter(isQuick);
const tests = await ends(['test/run.ts', ...quick]);
process.exit(Math.max(...early, tests));
