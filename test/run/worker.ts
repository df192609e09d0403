// A process that runs test files, one at a time, each inside a suite of its own. The runner names the next file and reads what happens.
// Node's test runner loads this file a second time, as its reporter.
import { readFileSync } from 'node:fs';
import { beforeEach, describe } from 'node:test';
import { pathToFileURL } from 'node:url';
import { inspect } from 'node:util';
import { suitesWritten } from '#test/suites.ts';

/** Seconds of processor time: of this process, and of those that it started and that have ended. */
export interface CpuSeconds {
  readonly own: number;
  readonly children: number;
}

export type WorkerMessage =
  | { readonly kind: 'ready' }
  | { readonly kind: 'begins'; readonly name: string }
  | {
      readonly kind: 'test';
      readonly name: string;
      readonly outcome: 'passed' | 'failed' | 'skipped';
      readonly seconds: number;
      /** Why it failed or was skipped. */
      readonly reason: string;
      /** Where the test is written down. */
      readonly file: string;
    }
  | {
      readonly kind: 'uncaught';
      readonly reason: string;
      /** The file of the test that left the error, below the root of the project. */
      readonly file: string | undefined;
    }
  | { readonly kind: 'done'; readonly cpu: CpuSeconds };

interface TestEvent {
  readonly type: string;
  readonly data: {
    readonly name: string;
    readonly nesting: number;
    readonly file?: string;
    readonly skip?: string | boolean;
    readonly todo?: string | boolean;
    readonly details?: {
      readonly duration_ms: number;
      readonly type?: string;
      readonly error?: Error & { failureType?: string; cause?: unknown };
    };
  };
}

const send = (message: WorkerMessage): void => {
  if (process.connected) process.send?.(message);
};

/** Sends what Node's test runner says to the runner of this project. */
export default async function* report(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const event of events) {
    const message = messageOf(event);
    if (message !== undefined) send(message);
    if (isFileEnd(event)) send({ kind: 'done', cpu: cpuSince() });
  }
  yield '';
}

const isFileEnd = ({ type, data }: TestEvent): boolean =>
  data.nesting === 0 && /^test:(pass|fail)$/.test(type) && data.name.startsWith(filePrefix);

function messageOf({ type, data }: TestEvent): WorkerMessage | undefined {
  if (type !== 'test:pass' && type !== 'test:fail') return undefined;
  const { duration_ms: milliseconds = 0, type: kind, error } = data.details ?? {};
  const where = isFileEnd({ type, data })
    ? { name: outsideTests(error), file: '' }
    : { name: data.name, file: data.file ?? '' };
  const about = { kind: 'test', seconds: milliseconds / 1000, ...where } as const;
  // A test that skips itself and fails afterwards has failed.
  const left = error === undefined ? (data.skip ?? data.todo) : data.todo;
  if (left !== undefined && left !== false)
    return { ...about, outcome: 'skipped', reason: typeof left === 'string' ? left : '' };
  // A suite, and a test of several, is as good as its parts, which are told one by one.
  if (error?.failureType === 'subtestsFailed') return undefined;
  if (error !== undefined) return { ...about, outcome: 'failed', reason: withoutNode(inspect(error.cause ?? error)) };
  return kind === 'suite' ? undefined : { ...about, outcome: 'passed', reason: '' };
}

const outsideTests = (error?: { readonly failureType?: string }): string =>
  error?.failureType === 'hookFailed' ? 'A hook of the file failed' : 'The file could not be run';

/** The lines of a stack in Node's own code say nothing about a test. */
const withoutNode = (stack: string): string => stack.replaceAll(/\n +at .*\bnode:.*?(?=(?: \{)?(?:\n|$))/g, '');

const filePrefix = 'file ';
const ticksPerSecond = 100;

/** The kernel tells the time of ended children only on Linux. */
function childSeconds(): number {
  try {
    const fields = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1)!.split(' ');
    return (Number(fields[13]) + Number(fields[14])) / ticksPerSecond;
  } catch {
    return 0;
  }
}

let last = { own: 0, children: 0 };

function cpuSince(): CpuSeconds {
  const { user, system } = process.cpuUsage();
  const now = { own: (user + system) / 1e6, children: childSeconds() };
  const since = { own: now.own - last.own, children: now.children - last.children };
  last = now;
  return since;
}

if (process.argv[1] === import.meta.filename) {
  // Ahead of the reporter, which hears of a test that spins only when it has ended.
  beforeEach((context) => send({ kind: 'begins', name: context.name }));
  process.on('message', (file: string) => {
    void describe(`${filePrefix}${file}`, async () => {
      await import(pathToFileURL(file).href);
      await suitesWritten();
    });
  });
  // The tests of a file keep no process alive that the runner has let go.
  process.on('disconnect', () => process.exit());
  send({ kind: 'ready' });
}
