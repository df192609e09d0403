// `npm test` and `npm run test:full`: what the tests need is started once, then they run; what cannot run here is named.
//
//   node bin/dev test/run.ts [--full] [--once] [--junit FILE] [--limit SECONDS] [PATH …]     only the test files under these paths
import { globSync, mkdirSync, readFileSync, statfsSync, statSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { quickSettings, startPostgres } from '#test/postgres.ts';
import { readArguments, refuse } from './run/arguments.ts';
import { askedFor, provided } from './run/packages.ts';
import { createPool, titleOf } from './run/pool.ts';
import {
  costLines,
  emptyReport,
  type FileReport,
  fileLines,
  hasFailed,
  numbered,
  totalsOf,
  writeJunit,
} from './run/report.ts';
import { makeScratch } from './run/scratch.ts';

const called = process.cwd();
process.chdir(join(import.meta.dirname, '..'));

const { isFull, isOnce, junit, limit, paths } = readArguments(called);
if (isFull) process.env.GATEHOUSE_TEST_FULL = '1';

const say = (text: string): void => console.log(text);
const inside = (...folders: string[]) => {
  const beginnings = folders.map((folder) => `${resolve(folder)}/`);
  return (file: string): boolean => beginnings.some((beginning) => file.startsWith(beginning));
};
/** They kill, fill and cut, or time the site under load: nothing else runs beside them. */
const isAlone = inside('test/faults', 'test/load');
/** The full run has it, and a run that is given the name of the file. */
const isForFull = (file: string): boolean =>
  (/\.full\.test\.ts$/.test(file) || isAlone(file) || inside('test/s3')(file)) && !paths.includes(file);

const allFiles = globSync(['{src,test,examples,docs,bench}/**/*.test.ts']).map((file) => resolve(file));
const isAt = (path: string) => (file: string) => file === path || file.startsWith(`${path}/`);
for (const path of paths) {
  const there = allFiles.filter(isAt(path));
  if (there.length === 0) refuse(`There is no test file at ${titleOf(path)}.`);
  if (!isFull && there.every(isForFull))
    refuse(`Only the full suite has tests at ${titleOf(path)}: npm run test:full -- ${titleOf(path)}`);
}
const files = allFiles
  .filter((file) => paths.length === 0 || paths.some((path) => isAt(path)(file)))
  .filter((file) => isFull || !isForFull(file));

const costs = '.cache/test-seconds.json';

/** By what they took last time, the longest first; a file that is new here by its size. */
function longestFirst(unsorted: readonly string[]): string[] {
  const known = costsBefore();
  const bytesPerSecond = 4000;
  const costOf = (file: string): number => known[titleOf(file)] ?? statSync(file).size / bytesPerSecond;
  return unsorted.toSorted((a, b) => costOf(b) - costOf(a));
}

function costsBefore(): Record<string, number> {
  try {
    return JSON.parse(readFileSync(costs, 'utf8'));
  } catch {
    return {};
  }
}

function keepCosts(): void {
  const known = costsBefore();
  for (const { title, cpu, seconds } of reports.values())
    known[title] = Number(Math.max(cpu.own + cpu.children, seconds / availableParallelism()).toFixed(1));
  try {
    mkdirSync('.cache', { recursive: true });
    writeFileSync(costs, `${JSON.stringify(known, undefined, 1)}\n`);
  } catch {
    // The next run takes the files by their size.
  }
}

/** The exit code: whoever asked for a report cannot go on without it. */
function keepJunit(path: string): number {
  try {
    writeJunit(path, [...reports.values()]);
    return 0;
  } catch (error) {
    say(`\nThe report could not be written: ${(error as Error).message}.`);
    return 1;
  }
}

/** By file: of one that ran twice, the second. */
const reports = new Map<string, FileReport>();
const flaky: string[] = [];
const notRun: string[] = [];
let stoppedBy: string | undefined;
const stopping = new AbortController();
const pool = createPool(
  {
    onDone(report) {
      reports.set(report.file, report);
      say(fileLines(report));
    },
    onLate({ file, tests, fault }) {
      const before = reports.get(file) ?? emptyReport(file);
      reports.set(file, { ...before, tests: [...before.tests, ...tests], fault: before.fault ?? fault });
      say(fileLines({ ...emptyReport(file), tests, fault }));
    },
    onNews: say,
  },
  limit,
);

// More than once: a parent that is interrupted too passes the signal on.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => {
    stoppedBy ??= signal;
    stopping.abort();
    pool.stop();
  });

/** A real server, or none where the package of npm has none for this platform: its tests are then named as not run. */
async function database() {
  // Another run's, or none on purpose.
  if (process.env.GATEHOUSE_TEST_POSTGRES) return undefined;
  try {
    return await startPostgres(quickSettings);
  } catch (error) {
    // Ctrl-C ends it too, and is heard of in the next turn of the loop.
    await new Promise(setImmediate);
    if (stoppedBy !== undefined) return undefined;
    const lines = (error as Error).message.split('\n');
    const why = lines.find((line) => /FATAL|could not/.test(line)) ?? lines[0];
    say(`PostgreSQL does not start here, so the tests on it do not run: ${why}`);
    process.env.GATEHOUSE_TEST_POSTGRES = 'none';
    return undefined;
  }
}

/** The tests in a browser, which run when it is there. */
async function browserFiles(): Promise<string[]> {
  const browsing = files.filter(inside('test/browser'));
  if (browsing.length === 0) return [];
  if ((await provided(say, 'chromium', stopping.signal)) !== undefined || stoppedBy !== undefined) return browsing;
  notRun.push('the tests in test/browser (install Chromium, or set GATEHOUSE_TEST_CHROMIUM to its path)');
  return [];
}

/** What fails beside others and passes alone is no fault of the program, and is named. */
async function retry(temporary: string): Promise<void> {
  const failed = [...reports.values()].filter(hasFailed).map(({ file }) => file);
  const most = 3;
  if (isOnce || failed.length === 0 || failed.length > most || stoppedBy !== undefined) return;
  say(`\nOnce more, alone: ${failed.map(titleOf).join(', ')}`);
  for (const file of failed) await pool.run([file], { processes: 1, temporary });
  for (const file of failed) if (!hasFailed(reports.get(file)!)) flaky.push(titleOf(file));
}

function folders() {
  try {
    return makeScratch();
  } catch (error) {
    return refuse(`The tests need a folder to write to, which TMPDIR can name: ${(error as Error).message}`);
  }
}

/** Bytes. */
const leastFree = 64 * 2 ** 20;

/** A full disk fails tests in many ways, and this is what they have in common. */
function warnOfFullDisk(): void {
  const failed = [...reports.values()].filter(hasFailed);
  if (failed.length === 0) return;
  const said = failed.flatMap(({ tests, fault, output }) => [fault, output, ...tests.map(({ reason }) => reason)]);
  const isNamed = said.some((text) => /ENOSPC|no space left|disk is full/i.test(text ?? ''));
  const { bavail, bsize } = statfsSync(dirname(scratch.quick));
  if (isNamed || bavail * bsize < leastFree)
    say(`\nThe disk of ${scratch.quick} was full; set TMPDIR to another folder for the tests.`);
}

function conclude(begun: number): number {
  const done = [...reports.values()];
  const { passed, failed, skipped } = totalsOf(done);
  const ci = Boolean(process.env.CI);
  const never = stoppedBy === undefined ? [] : files.filter((file) => !reports.has(file)).map(titleOf);
  const left = [...notRun, ...skipped];
  if (done.length > 1) say(costLines(done, cpuSeconds(), isFull));
  const minutes = ((performance.now() - begun) / 60_000).toFixed(1);
  say(`${minutes} minutes, ${numbered(done.length, 'file')}, ${files.length - done.length} not run`);
  if (left.length > 0)
    say(`\nnot run here${ci ? ', which CI does not allow' : ''}:\n${left.map((one) => `  ${one}`).join('\n')}`);
  if (never.length > 0) say(`\nStopped by ${stoppedBy}. ${numbered(never.length, 'file')} did not run to the end.`);
  warnOfFullDisk();
  for (const title of flaky) say(`flaky   ${title}  (failed beside others, passed alone)`);
  say(`\n${passed} passed, ${failed} failed`);
  if (stoppedBy !== undefined) return 130;
  return failed > 0 || passed === 0 || (ci && left.length > 0) ? 1 : 0;
}

/** Of this process and all that it started, also the server of PostgreSQL. */
function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  try {
    const fields = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1)!.split(' ');
    return (user + system) / 1e6 + (Number(fields[13]) + Number(fields[14])) / 100;
  } catch {
    return [...reports.values()].reduce((all, { cpu }) => all + cpu.own + cpu.children, (user + system) / 1e6);
  }
}

const begun = performance.now();
const scratch = folders();
process.env.TMPDIR = scratch.quick;
process.env.GATEHOUSE_TEST_PREPARED = scratch.quick;
say(`Running ${numbered(files.length, 'test file')} under Node ${process.versions.node}`);
const postgres = files.length > 0 ? await database() : undefined;
try {
  if (postgres) process.env.GATEHOUSE_TEST_POSTGRES = postgres.url;
  const browsing = browserFiles();
  for (const name of isFull ? askedFor(files) : []) await provided(say, name, stopping.signal);
  const isBrowsing = inside('test/browser');
  const together = files.filter((file) => !isAlone(file) && !isBrowsing(file));
  const processes = availableParallelism();
  await pool.run(longestFirst(together), { processes, temporary: scratch.quick });
  await pool.run(longestFirst(await browsing), { processes, temporary: scratch.quick });
  await pool.run(files.filter(isAlone), { processes: 1, temporary: scratch.real });
  await retry(scratch.real);
} finally {
  await postgres?.stop();
  scratch.clear();
}
if (paths.length === 0 && stoppedBy === undefined) keepCosts();
process.exit(Math.max(junit === undefined ? 0 : keepJunit(junit), conclude(begun)));
