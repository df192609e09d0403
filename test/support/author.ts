// An author at the shell, in a folder of their own for each test.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach } from 'node:test';
import { callGatehouse, type Ended, gatehouse } from './gatehouse.ts';

/** Once in a file. */
export function anAuthor() {
  let scratch: string;
  let folder: string;
  before(() => {
    scratch = realpathSync(mkdtempSync(join(tmpdir(), 'gatehouse-test-')));
  });
  after(() => {
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
    run: (name: string, ...args: readonly string[]) => gatehouse(['extension', name, ...args], {}, folder),
    /** The package is tried, in a process of its own. */
    tried: (...args: readonly string[]) =>
      callGatehouse(['extension', 'pack', ...args], { cwd: folder, tries: true }).ended,
    said: (name: string, change: object): void =>
      writeFileSync(at(name, 'extension.json'), JSON.stringify({ ...manifestOf(name), ...change })),
  };
}

async function fine(ended: Promise<Ended>): Promise<Ended> {
  const said = await ended;
  assert.equal(said.code, 0, said.err);
  return said;
}

async function refused(ended: Promise<Ended>, sentence: string | RegExp): Promise<void> {
  const { code, out, err } = await ended;
  assert.ok(code === 1 || code === 2, err);
  assert.equal(out, '');
  assert.match(
    err,
    typeof sentence === 'string' ? new RegExp(sentence.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')) : sentence,
  );
  assert.equal(err.trim().split('\n').length, 1, err);
}
