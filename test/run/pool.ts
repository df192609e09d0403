// The processes that run test files: as many at once as asked for, each taking the next file of a queue.
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FileReport, TestReport } from './report.ts';
import type { CpuSeconds, WorkerMessage } from './worker.ts';

const script = join(import.meta.dirname, 'worker.ts');
const imports = join(import.meta.dirname, '../../bin/imports.mjs');
const testContext = join(import.meta.dirname, 'test-context.ts');
const flags = [
  '--max-semi-space-size=16',
  '--import',
  imports,
  '--import',
  testContext,
  `--test-reporter=${script}`,
  '--test-reporter-destination=stdout',
];

/** A process that has worked this long makes place for a new one, so that no more than its own is lost when it ends by accident. */
const maxCpuSeconds = 75;
const maxOutput = 10_000;

/** Such a file changes or measures its process. */
export const needsOwnProcess = (file: string): boolean => readFileSync(file, 'utf8').startsWith('// own process');

export interface Pool {
  /** Runs all of them; a file that never began is not in the reports. */
  run(files: readonly string[], options: { readonly processes: number; readonly temporary: string }): Promise<void>;
  /** Ends everything at once. */
  stop(): void;
}

const STRAY =
  'Its tests were written after the file was done: open what a suite needs in before(), or use eachEngine().';

type OnDone = (report: FileReport) => void;

/** A file that takes longer than `limit` seconds is ended. */
export function createPool(onDone: OnDone, onNews: (line: string) => void, limit: number): Pool {
  const workers = new Set<Worker>();
  let isStopped = false;
  /** A test that ran when its file was done: a suite waited for something that nobody waited for. */
  const stray = (test: TestReport): void =>
    onDone({
      ...newReport(test.file),
      tests: [test],
      fault: STRAY,
      seconds: 0,
      cpu: { own: 0, children: 0 },
      output: '',
    });

  async function work(queue: string[], temporary: string): Promise<void> {
    let worker: Worker | undefined;
    for (let file = queue.shift(); file !== undefined && !isStopped; file = queue.shift()) {
      const isAlone = needsOwnProcess(file);
      if (worker !== undefined && (isAlone || !worker.isFresh)) worker = await retire(worker);
      worker ??= startWorker(temporary, stray);
      workers.add(worker);
      const report = await worker.run(file, onNews, limit);
      if (!isStopped) onDone(report);
      if (isAlone || worker.hasEnded) worker = await retire(worker);
    }
    if (worker !== undefined) await retire(worker);
  }

  async function retire(worker: Worker): Promise<undefined> {
    await worker.end();
    workers.delete(worker);
    return undefined;
  }

  return {
    async run(files, { processes, temporary }) {
      const queue = [...files];
      await Promise.all(Array.from({ length: processes }, () => work(queue, temporary)));
    },
    stop() {
      isStopped = true;
      for (const worker of workers) worker.kill();
    },
  };
}

interface Worker {
  readonly isFresh: boolean;
  readonly hasEnded: boolean;
  run(file: string, onNews: (line: string) => void, limit: number): Promise<FileReport>;
  end(): Promise<void>;
  kill(): void;
}

function startWorker(temporary: string, onStray: (test: TestReport) => void): Worker {
  // A group of its own: what a file started ends with it.
  const child = spawn(process.execPath, [...flags, script], {
    env: { ...process.env, TMPDIR: temporary },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    detached: true,
  });
  let worked = 0;
  let ended: { readonly how: string } | undefined;
  let current: ((message: WorkerMessage) => void) | undefined;
  let output = '';
  for (const stream of [child.stdout!, child.stderr!])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-maxOutput);
    });
  child.on('message', (message: WorkerMessage) => {
    if (current !== undefined) current(message);
    else if (message.kind === 'test') onStray(message);
  });
  const closed = new Promise<void>((resolve) => {
    const end = (how: string): void => {
      ended = { how };
      current?.({ kind: 'done', cpu: { own: 0, children: 0 } });
      resolve();
    };
    child.once('exit', (code, signal) => end(signal ?? `exit code ${code}`));
    child.once('error', (error) => end(error.message));
  });

  return {
    get isFresh() {
      return worked < maxCpuSeconds;
    },
    get hasEnded() {
      return ended !== undefined;
    },
    async run(file, onNews, limit) {
      const begun = performance.now();
      output = '';
      const report = newReport(file);
      let test: string | undefined;
      const during = (): string => (test === undefined ? 'before its first test' : `in the test "${test}"`);
      const cpu = await new Promise<CpuSeconds>((resolve) => {
        const news = setInterval(() => onNews(`...     ${report.title}  (still ${during()})`), 60_000);
        const end = setTimeout(() => {
          report.fault = `It was not done after ${limit} seconds, and was ended ${during()}.`;
          killGroup(child);
        }, limit * 1000);
        current = (message) => {
          if (message.kind === 'begins') test = message.name;
          if (message.kind === 'uncaught') report.fault ??= message.reason;
          if (message.kind === 'test') report.tests.push(message);
          if (message.kind !== 'done') return;
          clearInterval(news);
          clearTimeout(end);
          resolve(message.cpu);
        };
        if (ended !== undefined) current({ kind: 'done', cpu: { own: 0, children: 0 } });
        else child.send(file);
      });
      current = undefined;
      // What the file printed lies in a pipe of its own: one more turn of the loop reads it.
      for (let turn = 0; turn < 2; turn++) await new Promise((resolve) => setImmediate(resolve));
      // In CI every test must run; elsewhere the tests of a file may all be among those that the machine cannot run.
      if (process.env.CI && report.tests.length === 0) report.fault ??= 'It has no test.';
      if (ended !== undefined) report.fault ??= `Its process ended (${ended.how}) ${during()}.`;
      worked += cpu.own + cpu.children;
      return { ...report, cpu, seconds: (performance.now() - begun) / 1000, output };
    },
    async end() {
      if (child.connected) child.disconnect();
      await closed;
      killGroup(child);
    },
    kill: () => killGroup(child),
  };
}

function newReport(file: string) {
  const tests: FileReport['tests'][number][] = [];
  return { file, title: titleOf(file), tests, fault: undefined as string | undefined };
}

export const titleOf = (file: string): string =>
  file.startsWith(`${process.cwd()}/`) ? file.slice(process.cwd().length + 1) : file;

/** The process and all that it started; nothing where they have ended. */
function killGroup(child: ChildProcess): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  } catch {
    // None of them is left.
  }
}
