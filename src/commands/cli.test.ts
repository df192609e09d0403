// The command line as a function: what a command reaches goes through `io`, so that several run in one process.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { gatehouse } from '#test/gatehouse.ts';
import { sources } from '#test/imports.ts';
import { codeAlone } from '#test/scan.ts';

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-test-'));
after(() => rmSync(folder, { recursive: true }));

test('no command reads the process by itself', () => {
  const reads = /(?<![.\w])(?:process\.(?:env|cwd|chdir|argv|std\w+|on|once|off|exit|exitCode|kill)|console\.)/;
  // A trial is a program of its own.
  const own = /^src\/commands\/trial\//;
  const files = sources('src/{cli,commands,config,extensions/*/commands}/**/*.ts').filter(
    ({ path, isTest }) => !isTest && !own.test(path),
  );
  const offenders = files.flatMap(({ path, text }) =>
    codeAlone(text)
      .split('\n')
      .flatMap((line, at) => (reads.test(line) ? [`${path}:${at + 1}: ${line.trim()}`] : [])),
  );
  assert.ok(files.length > 50);
  assert.deepEqual(offenders, []);
});

test('relative paths start from the folder of the caller, those of flags and variables alike', async () => {
  const found = async (args: readonly string[], env = {}): Promise<string> => {
    const { err } = await gatehouse(['user', 'list', ...args], env, folder);
    return /There is no site in (\S+) yet/.exec(err)?.[1] ?? err;
  };
  assert.deepEqual(
    [await found([]), await found(['--data', 'mine']), await found([], { GATEHOUSE_DATA: './other' })],
    [join(folder, 'data'), join(folder, 'mine'), join(folder, 'other')],
  );
  const { err } = await gatehouse(['verify', 'nothing.ghb'], {}, folder);
  assert.ok(err.includes(join(folder, 'nothing.ghb')), err);
  assert.match((await gatehouse(['routes', '--deployment', './site.json'], {}, folder)).err, /the file does not exist/);
});

test('commands run beside each other, and each is told its own', async () => {
  const [one, two] = await Promise.all([
    gatehouse(['routes', '--json'], {}, folder),
    gatehouse(['settings', 'list', '--data', 'nowhere'], {}, folder),
  ]);
  assert.deepEqual([one.code, one.err, two.code, two.out], [0, '', 1, '']);
  assert.ok(JSON.parse(one.out).length > 0);
});
