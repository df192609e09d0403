// The processes that run test files: as many at once as asked for, each taking the next file of a queue.
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
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
/** For a process that was let go: it ends at once, unless something in it spins. */
const mostMillisecondsToEnd = 30_000;

/** Such a file changes or measures its process. */
export const needsOwnProcess = (file: string): boolean => readFileSync(file, 'utf8').startsWith('// own process');

export interface Pool {
  /** Runs all of them; a file that never began is not in the reports. */
  run(files: readonly string[], options: { readonly processes: number; readonly temporary: string }): Promise<void>;
  /** Ends everything at once. */
  stop(): void;
}

const lateTests =
  'Its tests were written after the file was done: open what a suite needs in before(), or use eachEngine().';

/** What became known of a file after its report: tests that it wrote too late, an error that it left behind. */
export interface LateReport {
  readonly file: string;
  readonly tests: readonly TestReport[];
  readonly fault: string;
}

export interface Listener {
  onDone(report: FileReport): void;
  onLate(report: LateReport): void;
  onNews(line: string): void;
}

/** A file that takes longer than `limit` seconds is ended. */
export function createPool(listener: Listener, limit: number): Pool {
  const workers = new Set<Worker>();
  let isStopped = false;

  async function work(queue: string[], temporary: string): Promise<void> {
    let worker: Worker | undefined;
    for (let file = queue.shift(); file !== undefined && !isStopped; file = queue.shift()) {
      const isAlone = needsOwnProcess(file);
      if (worker !== undefined && (isAlone || !worker.isFresh)) worker = await retire(worker);
      if (isStopped) break;
      worker ??= startWorker(temporary, listener);
      workers.add(worker);
      const report = await worker.run(file, limit);
      if (!isStopped) listener.onDone(report);
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
  run(file: string, limit: number): Promise<FileReport>;
  end(): Promise<void>;
  kill(): void;
}

function startWorker(temporary: string, { onLate, onNews }: Listener): Worker {
  // A group of its own: what a file started ends with it.
  const child = spawn(process.execPath, [...flags, script], {
    env: { ...process.env, TMPDIR: temporary },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    detached: true,
  });
  let worked = 0;
  let ended: { readonly how: string } | undefined;
  let current: ((message: WorkerMessage) => void) | undefined;
  /** The last file that it ran. */
  let last: string | undefined;
  let output = '';
  for (const stream of [child.stdout!, child.stderr!])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-maxOutput);
    });
  child.on('message', (message: WorkerMessage) => {
    if (message.kind === 'uncaught') {
      const file = message.file === undefined ? last : resolve(message.file);
      if (file !== undefined && (file !== last || current === undefined))
        return onLate({ file, tests: [], fault: message.reason });
    }
    if (current !== undefined) current(message);
    else if (message.kind === 'test') onLate({ file: message.file, tests: [message], fault: lateTests });
  });
  const closed = Promise.withResolvers<void>();
  const end = (how: string): void => {
    ended = { how };
    current?.({ kind: 'done', cpu: { own: 0, children: 0 } });
    closed.resolve();
  };
  child.once('exit', (code, signal) => end(signal ?? `exit code ${code}`));
  child.on('error', (error) => end(error.message));

  return {
    get isFresh() {
      return worked < maxCpuSeconds;
    },
    get hasEnded() {
      return ended !== undefined;
    },
    async run(file, limit) {
      const before = last === undefined ? '' : `, after ${titleOf(last)}`;
      last = file;
      const begun = performance.now();
      output = '';
      const report = newReport(file);
      let test: string | undefined;
      let isDone = false;
      const during = (): string => (test === undefined ? `before its first test${before}` : `in the test "${test}"`);
      const cpu = await new Promise<CpuSeconds>((resolve) => {
        const news = setInterval(() => onNews(`...     ${report.title}  (still ${during()})`), 60_000);
        const end = setTimeout(() => {
          report.fault = `It was not done after ${limit} seconds, and was ended ${during()}.`;
          killGroup(child);
        }, limit * 1000);
        current = (message) => {
          if (message.kind === 'begins') test = message.name;
          else note(report, message, isDone);
          if (message.kind !== 'done') return;
          isDone = true;
          clearInterval(news);
          clearTimeout(end);
          resolve(message.cpu);
        };
        if (ended !== undefined) current({ kind: 'done', cpu: { own: 0, children: 0 } });
        else child.send(file);
      });
      // What the file printed lies in a pipe of its own: one more turn of the loop reads it.
      for (let turn = 0; turn < 2; turn++) await new Promise((resolve) => setImmediate(resolve));
      current = undefined;
      if (ended !== undefined) report.fault ??= `Its process ended (${ended.how}) ${during()}.`;
      if (report.tests.length === 0) report.fault ??= 'It has no test.';
      worked += cpu.own + cpu.children;
      return { ...report, cpu, seconds: (performance.now() - begun) / 1000, output };
    },
    async end() {
      const loops = setTimeout(() => {
        if (last !== undefined) onLate({ file: last, tests: [], fault: 'Its process did not end after the tests.' });
        killGroup(child);
      }, mostMillisecondsToEnd);
      if (child.connected) child.disconnect();
      await closed.promise;
      clearTimeout(loops);
      killGroup(child);
    },
    kill: () => killGroup(child),
  };
}

function note(report: ReturnType<typeof newReport>, message: WorkerMessage, isDone: boolean): void {
  if (message.kind === 'uncaught') report.fault ??= message.reason;
  if (message.kind !== 'test') return;
  report.tests.push(message);
  if (isDone) report.fault ??= lateTests;
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
