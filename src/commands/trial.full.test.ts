// own process
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { steers } from '#lib/printable.ts';
import type { InstalledPackage } from '#site/packages/packages.ts';
import { bell, ringing } from '#test/shop.ts';
import { soon } from '#test/soon.ts';
import { readConfig } from '../config.ts';
import { createTrial } from './trial.ts';

const data = mkdtempSync(join(tmpdir(), 'gatehouse-test-'));
after(() => rmSync(data, { recursive: true, force: true }));
mkdirSync(join(data, 'extensions'));
mkdirSync(join(data, 'trials'));
process.env.TMPDIR = join(data, 'trials');
writeFileSync(join(data, 'secret'), 'what wraps the keys');

const config = readConfig({ flags: { data }, env: {} });

/** Why what this text declares cannot be, or nothing. */
async function tried(text: string, extension = 60_000): Promise<string | undefined> {
  const entry = join(data, 'extensions', `${readdirSync(join(data, 'extensions')).length}.ts`);
  writeFileSync(entry, text);
  const one: InstalledPackage = {
    slug: 'bell',
    version: '1.0.0',
    sha256: '',
    size: 0,
    manifest: bell,
    files: [],
    active: false,
    beside: [],
  };
  const extensions = {
    wanted: async () => ({ switched: new Map<string, boolean>(), installed: [] }),
    unpacked: async () => entry,
  };
  return createTrial(config, { extension, program: 120_000 })(one, extensions);
}

/** A program that tries this module, and says which process that is once it is at work. */
const siteThatTries = (entry: string): string => `
  import { subscribe } from 'node:diagnostics_channel';
  import { readConfig } from '${join(import.meta.dirname, '../config.ts')}';
  import { createTrial } from '${join(import.meta.dirname, 'trial.ts')}';
  subscribe('child_process', ({ process: child }) =>
    queueMicrotask(() => child.stdio[3].on('data', (said) => String(said).includes('looping') && console.log(child.pid))));
  const extensions = {
    wanted: async () => ({ switched: new Map(), installed: [] }),
    unpacked: async () => '${entry}',
  };
  const config = readConfig({ flags: { data: '${data}' }, env: {} });
  await createTrial(config, { extension: 120_000, program: 120_000 })({ slug: 'bell', manifest: ${JSON.stringify(bell)} }, extensions);
`;

/** Nobody may be there who takes note that it ended. */
function isThere(process: number): boolean {
  try {
    return !/^State:\tZ/m.test(readFileSync(`/proc/${process}/status`, 'utf8'));
  } catch {
    return false;
  }
}

describe('An extension that is tried', () => {
  test('is fine when it joins a site', async () => assert.equal(await tried(ringing()), undefined));

  test('has so much time and no more', async () => {
    assert.match((await tried('for (;;) {}', 300)) ?? '', /^It took longer than [\d.]+ seconds to start\.$/);
    assert.match((await tried(`await new Promise(() => {}); ${ringing()}`, 300)) ?? '', /longer|ended the process/);
  });

  const greedy: readonly (readonly [what: string, text: string])[] = [
    ['of values', 'const all = []; for (;;) all.push(new Array(1e6).fill(Math.random()));'],
    ['of bytes', `globalThis.kept = Buffer.alloc(1200 * 2 ** 20, 1); ${ringing()}`],
  ];
  for (const [what, text] of greedy)
    test(`has so much memory and no more, ${what} too`, async () =>
      assert.equal(await tried(text), 'It used too much memory.'));

  test('says why it fails, and not where things lie', async () => {
    assert.match((await tried("import './gone.ts';")) ?? '', /^Cannot find module 'gone\.ts' imported from \d+\.ts$/);
    assert.equal(
      await tried("throw new Error('No /etc/bell/tune.txt, see https://bell.example/help');"),
      'No tune.txt, see https://bell.example/help',
    );
  });

  const refused: readonly (readonly [what: string, text: string])[] = [
    [
      'reads the secret of the site',
      `import { readFileSync } from 'node:fs'; readFileSync('${join(data, 'secret')}');`,
    ],
    ['writes beside the site', `import { writeFileSync } from 'node:fs'; writeFileSync('${join(data, 'mine')}', '');`],
    ['starts a program', `import { execSync } from 'node:child_process'; execSync('true');`],
    ['sends a signal', `process.kill(process.ppid, 'SIGKILL');`],
    ['starts a thread', `import { Worker } from 'node:worker_threads'; new Worker('1', { eval: true });`],
    [
      'asks the network',
      `import { connect } from 'node:net'; await new Promise((_, no) => connect(9, '127.0.0.1').on('error', no));`,
    ],
  ];
  for (const [what, text] of refused)
    test(`may not do what it likes: one that ${what}`, async () =>
      assert.match((await tried(`${text} ${ringing()}`)) ?? '', /restricted|permission|cannot send signals/i));

  test('has no page at an address of the site itself, or where nobody finds it', async () => {
    const at = (...paths: string[]): string =>
      ringing().replace(
        'nouns:',
        `pages: () => ${JSON.stringify(paths)}.map((path) => ({ path, visit() {} })), nouns:`,
      );
    assert.equal(await tried(at('/bell', '/bell/tower', '/home')), undefined);
    for (const path of ['/', '/account/bells', '/wp-json/bells'])
      assert.equal(await tried(at('/bell', path)), `The page ${path} of bell is at a path that the site itself uses.`);
    assert.match((await tried(at('/bell/'))) ?? '', /The page \/bell\/ of bell is not a valid path/);
  });

  test('finds nothing of the environment of the site', async () => {
    process.env.GATEHOUSE_TEST_WORD = 'a word';
    const looks = `if (process.env.GATEHOUSE_TEST_WORD) throw new Error('found');`;
    assert.equal(await tried(`${looks} ${ringing()}`), undefined);
    delete process.env.GATEHOUSE_TEST_WORD;
  });

  const saying = `
    import fs, { writeSync } from 'node:fs';
    import { syncBuiltinESMExports } from 'node:module';
    const say = (line) => writeSync(3, line + '\\n');`;

  test('is not believed when it says itself that it is fine', async () =>
    assert.match(
      (await tried(`${saying} say('{"is":"fine"}'); throw new Error('Not fine.'); ${ringing()}`)) ?? '',
      /Not fine/,
    ));

  test('is not believed when it puts our own words into others', async () => {
    const instead = (how: string) => `${saying} ${how} throw new Error('Not fine.'); ${ringing()}`;
    for (const text of [
      "fs.writeSync = (to, line) => say(line.replace('fault', 'fine')); syncBuiltinESMExports();",
      `JSON.stringify = (told) => '{ "is": "fine", "word": "' + told.word + '" }';`,
      "Object.prototype.toJSON = function () { return this.is === 'fault' ? { is: 'fine', word: this.word } : this; };",
    ])
      assert.match((await tried(instead(text), 2000)) ?? '', /Not fine|longer|ended the process/);
  });

  test('harms nobody by what it sends, and is shown as it is said in a line', async () => {
    const says = (...lines: string[]) => `${saying} for (const line of [${lines.join()}]) say(line); ${ringing()}`;
    const senseless = ['null', '5', '[]', '"fine"', '{ "is": "fault", "why": {} }', '{ "is": 5 }', '', '{', '\u0000'];
    const ofTheRuntime = ['{"cmd":"NODE_HANDLE_ACK"}', '{"cmd":"NODE_HANDLE","type":"net.Server"}'];
    assert.equal(await tried(says(...[...senseless, ...ofTheRuntime].map((line) => JSON.stringify(line)))), undefined);
    assert.equal(await tried(says("'x'.repeat(2e5)")), undefined);
    assert.match((await tried(says("...Array(1000).fill('{}')"), 2000)) ?? '', /longer|ended the process/);
    const long = await tried(says(`JSON.stringify({ is: 'fault', why: '\\x1b[31m\\n' + 'x'.repeat(1e4) })`));
    assert.deepEqual([long?.length, steers(long ?? '')], [300, false]);
  });

  test('ends with the site that has it tried, however busy it is, and the next one takes its folder away', async () => {
    const looping = join(data, 'extensions', 'looping.ts');
    writeFileSync(looping, `${saying} say('looping'); for (;;) {}`);
    const site = spawn(process.execPath, ['--input-type=module-typescript', '-e', siteThatTries(looping)]);
    const trial = Number((await once(site.stdout, 'data'))[0]);
    assert.equal(isThere(trial), true);
    site.kill('SIGKILL');
    await soon(async () => isThere(trial), false);
    const [folder] = readdirSync(join(data, 'trials'));
    await tried(ringing());
    assert.deepEqual(readdirSync(join(data, 'trials')), [folder], 'it may still be at work');
    utimesSync(join(data, 'trials', folder!), 0, 0);
    await tried(ringing());
  });

  test('leaves nothing behind', () => assert.deepEqual(readdirSync(join(data, 'trials')), []));
});
