// `npm test`: everything the tests need is started once, then they run; what cannot run on this machine is named.
//
//   node bin/dev test/run.ts [PATH …]     only the test files under these paths
import { globSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { run } from 'node:test';
import { startPostgres } from '#test/postgres.ts';
import { inBatches } from './run/batches.ts';
import { askedFor, provided } from './run/packages.ts';
import { follow, type Tally } from './run/report.ts';
import { makeScratch } from './run/scratch.ts';
import { endAll, watch } from './run/watch.ts';

process.chdir(join(import.meta.dirname, '..'));

const say = (text: string): void => console.log(text);
const stopped = new AbortController();
// More than once: a parent that is interrupted too passes the signal on.
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    stopped.abort(new Error(`Stopped by ${signal}.`));
    endAll();
  });
}

/** Files of one kind, asked for or all. */
function chosen(files: readonly string[], asked: readonly string[]): string[] {
  const under = asked.map((path) => resolve(path));
  const wanted = (file: string): boolean =>
    under.length === 0 || under.some((path) => file === path || file.startsWith(`${path}/`));
  return files.map((file) => resolve(file)).filter(wanted);
}

const isFull = process.argv.includes('--full');
if (isFull) process.env.GATEHOUSE_TEST_FULL = '1';
const paths = process.argv.slice(2).filter((word) => word !== '--full');
/** What takes long, kills, loads or depends on real time: the full run has it, and whoever names the file. */
const isForFull = (file: string): boolean =>
  /(\.full\.test\.ts$|^test\/(faults|load|s3)\/)/.test(file) && !paths.includes(file);
const all = globSync(['{src,test,examples,docs,bench}/**/*.test.ts']).sort();
const files = chosen(isFull ? all : all.filter((file) => !isForFull(file)), paths);
const inside = (folder: string) => (file: string) => file.startsWith(`${resolve(folder)}/`);
/** These kill, fill and cut: nothing else may run beside them, but for a browser that looks at pages. */
const alone = files.filter(inside('test/faults'));
const browsing = files.filter(inside('test/browser'));
/** These time the site under load: nothing at all runs beside them. */
const timed = files.filter(inside('test/load'));
const others = files.filter((file) => ![alone, browsing, timed].some((kind) => kind.includes(file)));
/** Here is what takes long: begun first, so that no core waits for it in the end. */
const isLong = (file: string): boolean =>
  /\/(?:test\/(?:contract|journeys)|src\/(?:extensions\/[^/]+\/)?commands)\//.test(file);
const together = [...others.filter(isLong), ...others.filter((file) => !isLong(file))];
const light = ['--import', join(import.meta.dirname, 'run/light.ts')];

async function runAll(paths: readonly string[], concurrency: number, tally: Tally): Promise<void> {
  if (paths.length === 0 || stopped.signal.aborted) return;
  await follow(run({ files: paths, concurrency, signal: stopped.signal, execArgv: light }), tally, say);
}

/** In seconds, for one file. */
async function within(limit: number, ...running: Promise<void>[]): Promise<void> {
  const done = watch(limit, say);
  await Promise.all(running);
  done();
}

function browser(tally: Tally): string[] {
  if (browsing.length === 0) return [];
  if (provided(say, 'chromium') !== undefined) return browsing;
  tally.left.push('the tests in test/browser (install Chromium, or set GATEHOUSE_TEST_CHROMIUM to its path)');
  return [];
}

function conclude({ passed, failed, left }: Tally): number {
  const ci = Boolean(process.env.CI);
  if (left.length > 0) {
    say(`\nnot run here${ci ? ', which CI does not allow' : ''}:`);
    for (const one of left) say(`  ${one}`);
  }
  if (stopped.signal.aborted) say(`\n${stopped.signal.reason.message}`);
  if (passed + failed === 0) say('\nThere is no such test file.');
  say(`\n${passed} passed, ${failed} failed`);
  if (stopped.signal.aborted) return 130;
  return failed > 0 || passed === 0 || (ci && left.length > 0) ? 1 : 0;
}

const tally: Tally = { passed: 0, failed: 0, left: [] };
const scratch = makeScratch();
process.env.TMPDIR = scratch.quick;
const notRun = join(scratch.real, 'not-run');
process.env.GATEHOUSE_NOT_RUN = notRun;
process.env.GATEHOUSE_TEST_PREPARED = scratch.quick;
say(`Running ${files.length} test files under Node ${process.versions.node}`);
for (const name of askedFor(files)) provided(say, name);
const postgres = files.length > 0 ? await startPostgres() : undefined;
try {
  if (postgres) process.env.GATEHOUSE_TEST_POSTGRES = postgres.url;
  // One more than there are cores: there is always one that waits.
  await within(600, runAll(inBatches(together, scratch.real), availableParallelism() + 1, tally));
  process.env.TMPDIR = scratch.real;
  await within(900, runAll(browser(tally), 1, tally), runAll(alone, 1, tally));
  await within(900, runAll(timed, 1, tally));
  tally.left.push(...new Set(readFileSync(notRun, { encoding: 'utf8', flag: 'a+' }).split('\n').filter(Boolean)));
} finally {
  await postgres?.stop();
  scratch.clear();
}
process.exit(conclude(tally));
