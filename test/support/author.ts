// An author at the shell, in a folder of their own for each test.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach } from 'node:test';
import { Failed, WrongUse } from '#cli/command.ts';
import { Problem } from '#kernel/problem.ts';
import { parse } from '../../src/commands/arguments.ts';
import { createAsk } from '../../src/commands/ask.ts';
import { command as family } from '../../src/commands/extension.ts';
import { createInput } from '../../src/commands/input.ts';
import type { Ended } from './gatehouse.ts';

/** Once in a file. */
export function anAuthor() {
  let scratch: string;
  let folder: string;
  before(() => {
    scratch = realpathSync(mkdtempSync(join(tmpdir(), 'gatehouse-test-')));
  });
  after(() => {
    process.chdir(tmpdir());
    rmSync(scratch, { recursive: true });
  });
  beforeEach(() => {
    folder = mkdtempSync(join(scratch, 'author-'));
  });
  const at = (...path: readonly string[]): string => join(folder, ...path);
  const manifestOf = (name: string) => JSON.parse(readFileSync(at(name, 'extension.json'), 'utf8'));
  return {
    at,
    fine,
    refused,
    manifestOf,
    run: (name: string, ...args: readonly string[]) => run(folder, name, args),
    said: (name: string, change: object): void =>
      writeFileSync(at(name, 'extension.json'), JSON.stringify({ ...manifestOf(name), ...change })),
  };
}

/** As the command line does it, without a process of its own. */
async function run(folder: string, name: string, args: readonly string[]): Promise<Ended> {
  const [out, err]: [string[], string[]] = [[], []];
  const { command } = family.members.find((one) => one.name === name)!;
  process.chdir(folder);
  const ended = (code: number): Ended => ({ code, signal: null, out: out.join('\n'), err: err.join('\n') });
  try {
    const ask = createAsk(command, parse(args, command), {
      env: {},
      input: createInput(process.stdin, process.stderr),
      out: (line) => out.push(line),
      note: (line) => err.push(line),
    });
    return ended(await command.run(ask));
  } catch (error) {
    if (!(error instanceof Failed || error instanceof WrongUse || error instanceof Problem)) throw error;
    err.push(error.message);
    return ended(1);
  }
}

async function fine(ended: Promise<Ended>): Promise<Ended> {
  const said = await ended;
  assert.equal(said.code, 0, said.err);
  return said;
}

async function refused(ended: Promise<Ended>, sentence: string | RegExp): Promise<void> {
  const { code, out, err } = await ended;
  assert.deepEqual([code, out], [1, ''], err);
  assert.match(
    err,
    typeof sentence === 'string' ? new RegExp(sentence.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')) : sentence,
  );
  assert.equal(err.trim().split('\n').length, 1, err);
}
