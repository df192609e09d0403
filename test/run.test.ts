// The runner on a small tree of its own.
import assert from 'node:assert/strict';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { start } from '#test/gatehouse.ts';
import { soon } from '#test/soon.ts';

const root = join(import.meta.dirname, '..');
const tree = mkdtempSync(join(tmpdir(), 'gatehouse-test-'));
const temporary = mkdtempSync(join(tmpdir(), 'gatehouse-test-'));
// PostgreSQL runs as another user, who must get in.
chmodSync(temporary, 0o711);
const mark = join(tree, 'mark');
after(() => {
  for (const folder of [tree, temporary]) rmSync(folder, { recursive: true });
});

mkdirSync(join(tree, 'src/empty'), { recursive: true });
const support = ['postgres.ts', 'free-port.ts', 'needs.ts', 'programs.ts', 'suites.ts'].map(
  (name) => `test/support/${name}`,
);
for (const part of ['package.json', 'bin', 'test/run.ts', 'test/run', ...support])
  cpSync(join(root, part), join(tree, part), { recursive: true });
symlinkSync(join(root, 'node_modules'), join(tree, 'node_modules'));

const file = (name: string, content: string): void => {
  mkdirSync(join(tree, 'src', name, '..'), { recursive: true });
  writeFileSync(
    join(tree, 'src', name),
    content.replace(/^(?!\/\/)/, `import { before, describe, test } from 'node:test';\n`),
  );
};

file('good.test.ts', `test('one', () => {}); describe('a suite', () => { test('two', () => {}); });`);
file(
  'good/hooks.test.ts',
  `let begun = 0; before(() => { begun += 1; }); test('hooks are of the file', () => { if (begun !== 1) throw new Error(String(begun)); });`,
);
file('good/late.full.test.ts', `test('for the full run', () => {});`);
file(
  'server.test.ts',
  `test('has PostgreSQL', () => { if (!process.env.GATEHOUSE_TEST_POSTGRES?.startsWith('postgres:')) throw new Error('no server'); });`,
);
file(
  'bad/breaks.test.ts',
  `describe('a suite', () => { test('breaks', () => { console.log('said before'); throw new Error('broken on purpose'); }); });`,
);
file('bad/syntax.test.ts', 'test(;');
file('bad/dies.test.ts', `test('ends its process', () => { process.exit(3); });`);
file('bad/hook.test.ts', `before(() => { throw new Error('no site today'); }); test('never begins', () => {});`);
file(
  'bad/own.test.ts',
  `// own process\nimport { test } from 'node:test'; test('is alone', () => { if (globalThis.neighbor) throw new Error('not alone'); });`,
);
file('bad/neighbor.test.ts', `test('changes its process', () => { globalThis.neighbor = true; });`);
file(
  'bad/uncaught.test.ts',
  `test('throws beside it', async () => { setTimeout(() => { throw new Error('nobody caught this'); }); await new Promise((done) => setTimeout(done, 20)); });`,
);
file(
  'bad/late.test.ts',
  `test('leaves an error', () => { setTimeout(() => { throw new Error('too late'); }); }); test('waits', () => new Promise((done) => setTimeout(done, 20)));`,
);
file('bad/none.test.ts', `describe('a suite without tests', () => {});`);
file(
  'bad/skips.test.ts',
  `test('skips itself and fails', (t) => { t.skip('later'); throw new Error('a ]]> \u0007'); });`,
);
mkdirSync(join(tree, 'test/faults'));
writeFileSync(join(tree, 'test/faults/kill.test.ts'), '');
file(
  'left.test.ts',
  `import { needs } from '#test/needs.ts'; needs(false, 'a unicorn', 'rides', async () => {}); test.skip('later', () => {});`,
);
file(
  'flaky.test.ts',
  `import { existsSync, writeFileSync } from 'node:fs'; test('fails once', () => { if (existsSync(process.env.MARK)) return; writeFileSync(process.env.MARK, ''); throw new Error('the first time'); });`,
);
file(
  'spins.test.ts',
  `import { writeFileSync } from 'node:fs'; test('spins', () => { writeFileSync(process.env.MARK, ''); for (;;); });`,
);

const begin = (args: readonly string[], env: NodeJS.ProcessEnv = {}) =>
  start(process.execPath, [join(tree, 'test/run.ts'), ...args], {
    TMPDIR: '/tmp',
    CI: '',
    MARK: mark,
    GATEHOUSE_TEST_POSTGRES: 'none',
    ...env,
  });
const src = (name: string): string => join(tree, 'src', name);

test('counts tests and not suites, leaves the full run its files, and starts PostgreSQL', async () => {
  const junit = join(tree, 'junit.xml');
  const { code, out } = await begin(['--junit', junit, src('good.test.ts'), src('good'), src('server.test.ts')], {
    GATEHOUSE_TEST_POSTGRES: undefined,
  }).ended;
  assert.equal(code, 0, out);
  assert.match(out, /^ok {6}src\/good\.test\.ts {2}\(2 passed, /m);
  assert.match(out, /^CPU \d+ of 900 s$/m);
  assert.match(out, /\n4 passed, 0 failed\n$/);
  assert.match(readFileSync(junit, 'utf8'), /<testcase classname="src\/good\.test\.ts" name="two"/);
});

test('tells each failure with its file and its reason, and goes on', async () => {
  const junit = join(tree, 'bad.xml');
  const { code, out } = await begin(['--junit', junit, src('bad'), src('good.test.ts')]).ended;
  assert.equal(code, 1);
  assert.match(
    out,
    /FAILED {2}breaks\n +src\/bad\/breaks\.test\.ts\n +Error: broken on purpose\n[\s\S]*^ +said before$/m,
  );
  assert.match(out, /FAILED {2}The file could not be run\n +src\/bad\/syntax\.test\.ts\n[\s\S]*?SyntaxError/);
  assert.match(
    out,
    /FAILED {2}src\/bad\/dies\.test\.ts\n +Its process ended \(exit code 3\) in the test "ends its process"/,
  );
  assert.match(out, /hook\.test\.ts\n[\s\S]*Error: no site today/);
  assert.match(out, /FAILED {2}throws beside it\n +src\/bad\/uncaught\.test\.ts\n +Error: nobody caught this/);
  assert.match(out, /FAILED {2}src\/bad\/late\.test\.ts\n +Test "leaves an error" at .*"Error: too late"/);
  assert.match(out, /FAILED {2}src\/bad\/none\.test\.ts\n +It has no test\./);
  assert.match(out, /FAILED {2}skips itself and fails\n +src\/bad\/skips\.test\.ts\n/);
  assert.match(readFileSync(junit, 'utf8'), /message="Error: a \]\]&gt; \ufffd"/);
  assert.match(out, /^ok {6}src\/bad\/own\.test\.ts {2}\(1 passed, /m);
  assert.match(out, /^ok {6}src\/good\.test\.ts {2}\(2 passed, /m);
  assert.doesNotMatch(out, /Once more, alone/);
});

test('runs a failed file once more, alone, and names it as flaky if it passes', async () => {
  const { code, out } = await begin([src('flaky.test.ts'), src('good.test.ts')]).ended;
  rmSync(mark);
  assert.equal(code, 0, out);
  assert.match(out, /^flaky {3}src\/flaky\.test\.ts /m);
  assert.match(out, /\n3 passed, 0 failed\n$/);
});

test('names the tests that cannot run here; in CI they fail', async () => {
  const { code, out } = await begin([src('left.test.ts'), src('good.test.ts')]).ended;
  assert.equal(code, 0, out);
  assert.match(out, /\nnot run here:\n( {2}.*\n)* {2}rides \(src\/left\.test\.ts: needs a unicorn\)\n/);
  assert.match(out, /^ {2}later \(src\/left\.test\.ts\)$/m);
  const strict = await begin([src('left.test.ts'), src('good.test.ts')], { CI: 'true' }).ended;
  assert.equal(strict.code, 1);
  assert.match(strict.out, /\nnot run here, which CI does not allow:\n/);
});

test('refuses what it cannot run in one sentence, before anything runs', async () => {
  const good = src('good.test.ts');
  const cases: [args: string[], said: string, env?: NodeJS.ProcessEnv][] = [
    [[good, src('empty')], 'There is no test file at src/empty.'],
    [[join(tree, 'test/faults')], 'Only the full suite has tests at test/faults: npm run test:full -- test/faults'],
    [['--limit', 'soon', good], '--limit takes a number of seconds, and not "soon".'],
    [['--fill', good], "Unknown option '--fill'. The options are --full, --once, --junit FILE and --limit SECONDS."],
    [
      ['--junit', join(good, 'x.xml'), good],
      `The report cannot be written: EEXIST: file already exists, mkdir '${good}'.`,
    ],
    [
      [good],
      "The tests need a folder to write to, which TMPDIR can name: ENOENT: no such file or directory, mkdtemp '/no/such/gatehouse-tests-XXXXXX'",
      { TMPDIR: '/no/such' },
    ],
  ];
  const said = await Promise.all(
    cases.map(async ([args, , env]) => {
      const { code, out, err } = await begin(args, env).ended;
      return { code, text: (out + err).replace(/-\d+-XXXXXX/, '-XXXXXX') };
    }),
  );
  assert.deepEqual(
    said,
    cases.map(([, text]) => ({ code: 2, text: `${text}\n` })),
  );
});

test('ends a file that hangs, and names its test', async () => {
  const { code, out } = await begin(['--limit', '5', src('spins.test.ts')]).ended;
  rmSync(mark);
  assert.equal(code, 1);
  assert.match(out, /It was not done after 5 seconds, and was ended in the test "spins"\./);
});

test('an interruption ends everything it started, a test that spins as well, and leaves nothing behind', async () => {
  const spinning = begin([src('spins.test.ts')], { TMPDIR: temporary, GATEHOUSE_TEST_POSTGRES: undefined });
  await soon(async () => existsSync(mark), true);
  spinning.child.kill('SIGINT');
  spinning.child.kill('SIGINT');
  const { code, out } = await spinning.ended;
  assert.equal(code, 130);
  assert.match(out, /\nStopped by SIGINT\. 1 file did not run to the end\.\n/);
  assert.deepEqual(readdirSync(temporary), []);
});
