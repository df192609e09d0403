// What a run of tests looks like to a person: a line per file, every failure whole, the counts at the end.
import type { TestsStream } from 'node:test';
import { inspect } from 'node:util';
import { titleOf } from './batches.ts';

export interface Tally {
  passed: number;
  failed: number;
  /** Tests that did not run, by name. */
  readonly left: string[];
}

interface FileRun {
  passed: number;
  failed: number;
  milliseconds: number;
  said: string;
}

interface Outcome {
  readonly name: string;
  readonly file?: string;
  /** The test file, also when the test itself was written down in a file of support. */
  readonly entryFile?: string;
  readonly nesting: number;
  readonly skip?: string | boolean;
  readonly todo?: string | boolean;
  readonly details: {
    readonly duration_ms: number;
    readonly type?: string;
    readonly error?: Error & { failureType?: string; cause?: unknown };
  };
}

/** Follows one run to its end, adds to the tally and says what happens while it happens. */
export async function follow(stream: TestsStream, tally: Tally, say: (text: string) => void): Promise<void> {
  const files = new Map<string, FileRun>();
  const runOf = (file: string): FileRun => {
    const known = files.get(file) ?? { passed: 0, failed: 0, milliseconds: 0, said: '' };
    files.set(file, known);
    return known;
  };
  for await (const { type, data } of stream) {
    if (type === 'test:stdout' || type === 'test:stderr') {
      const run = runOf(data.file ?? '');
      run.said = (run.said + data.message).slice(-10_000);
    }
    if (type === 'test:diagnostic') uncaught(data.message, runOf(data.file ?? ''));
    if (type === 'test:pass' || type === 'test:fail') settle(data as Outcome, runOf, tally, say);
    if (type === 'test:summary' && data.file !== undefined)
      conclude(data.file, runOf(data.file), data.duration_ms, say);
  }
}

/** An error that no test caught is told among what the file said; the file itself counts as failed. */
function uncaught(message: string, run: FileRun): void {
  if (/asynchronous activity/.test(message)) run.said = `${run.said}${message}\n`;
}

function settle(outcome: Outcome, runOf: (file: string) => FileRun, tally: Tally, say: (text: string) => void): void {
  const { name, skip, todo, details } = outcome;
  const file = outcome.entryFile ?? outcome.file ?? '';
  // Of several that share a process, the one that the test is written in.
  const shown = titleOf(outcome.file?.endsWith('.test.ts') ? outcome.file : file);
  const run = runOf(file);
  const { error } = details;
  if (skip !== undefined || todo !== undefined) {
    tally.left.push(`${name} (${[shown, skip ?? todo].filter((part) => typeof part === 'string').join(': ')})`);
    return;
  }
  // A suite is only as good as its tests, which were told one by one.
  if (details.type === 'suite' && (!error || error.failureType === 'subtestsFailed')) return;
  if (!error) {
    run.passed += 1;
    tally.passed += 1;
    return;
  }
  if (error.failureType === 'subtestsFailed') return;
  run.failed += 1;
  tally.failed += 1;
  // Of a whole file that failed, only what it said tells why.
  const reason = (name === file && run.said.trimEnd()) || inspect(error.cause ?? error);
  say(`\nFAILED  ${name}\n        ${shown}\n${indented(reason)}\n`);
}

function conclude(file: string, run: FileRun, milliseconds: number, say: (text: string) => void): void {
  const seconds = (milliseconds / 1000).toFixed(1);
  const count = `${run.passed} passed${run.failed > 0 ? `, ${run.failed} failed` : ''}`;
  say(`${run.failed > 0 ? 'FAILED' : 'ok    '}  ${titleOf(file)}  (${count}, ${seconds} s)`);
  if (run.failed > 0 && run.said !== '') say(indented(run.said.trimEnd()));
}

const indented = (text: string): string => text.replaceAll(/^/gm, '        ');
