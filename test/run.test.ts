// The runner on a small tree of its own.
import assert from 'node:assert/strict';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { start } from '#test/gatehouse.ts';

const root = join(import.meta.dirname, '..');
const tree = mkdtempSync(join(tmpdir(), 'gatehouse-test-'));
const temporary = mkdtempSync(join(tmpdir(), 'gatehouse-test-'));
// PostgreSQL runs as another user, who must get in.
chmodSync(temporary, 0o711);
const mark = join(tree, 'spinning');
after(() => {
  for (const folder of [tree, temporary]) rmSync(folder, { recursive: true });
});

mkdirSync(join(tree, 'src/empty'), { recursive: true });
const support = ['postgres.ts', 'free-port.ts', 'needs.ts', 'programs.ts'].map((name) => `test/support/${name}`);
for (const part of ['package.json', 'bin', 'test/run.ts', 'test/run', ...support]) {
  cpSync(join(root, part), join(tree, part), { recursive: true });
}
symlinkSync(join(root, 'node_modules'), join(tree, 'node_modules'));

const file = (name: string, content: string): void =>
  writeFileSync(join(tree, 'src', name), `import { describe, test } from 'node:test';\n${content}`);

file('good.test.ts', `test('one', () => {}); describe('a suite', () => { test('two', () => {}); });`);
file(
  'server.test.ts',
  `test('has PostgreSQL', () => { if (!process.env.GATEHOUSE_TEST_POSTGRES) throw new Error('no server'); });`,
);
file(
  'bad.test.ts',
  `describe('a suite', () => { test('breaks', () => { console.log('said before'); throw new Error('broken on purpose'); }); });`,
);
file(
  'left.test.ts',
  `import { needs } from '#test/needs.ts'; needs(false, 'a unicorn', 'rides', async () => {}); test.skip('later', () => {});`,
);
file(
  'spins.test.ts',
  `import { writeFileSync } from 'node:fs'; test('spins', () => { writeFileSync(process.env.MARK, ''); for (;;); });`,
);

file(
  'lacking.test.ts',
  `import { withProgram } from '#test/programs.ts'; withProgram('nginx', 'asks nginx', async (path) => console.log('said by ' + path));`,
);

file(
  'needing.test.ts',
  `import { needs } from '#test/needs.ts'; needs(true, 'nothing', 'runs', async () => {}); needs(true, 'nothing', 'fails', async () => { console.log('said by it'); throw new Error('on purpose'); });`,
);

file(
  'uncaught.test.ts',
  `test('throws beside it', async () => { setTimeout(() => { throw new Error('nobody caught this'); }); await new Promise((done) => setTimeout(done, 20)); });`,
);

mkdirSync(join(tree, 'src/many'));
for (let n = 1; n <= 20; n++) {
  const work = n === 7 ? `console.log('said by 7'); throw new Error('broken on purpose');` : '';
  file(`many/${n}.test.ts`, `test('one of many', () => { ${work} });`);
}
file('many/own.test.ts', `test('changes its process', () => { process.env.MANY = 'changed'; });`);

const run = (paths: readonly string[], env: NodeJS.ProcessEnv = {}) =>
  start(process.execPath, [join(tree, 'test/run.ts'), ...paths.map((path) => join(tree, 'src', path))], {
    TMPDIR: '/tmp',
    CI: '',
    ...env,
  });

test('it counts tests and not suites, and starts PostgreSQL for them', async () => {
  const { code, out } = await run(['good.test.ts', 'server.test.ts']).ended;
  assert.equal(code, 0, out);
  assert.match(out, /^ok {6}src\/good\.test\.ts {2}\(2 passed, /m);
  assert.match(out, /\n3 passed, 0 failed\n$/);
});

test('a failure is told with its name, its file, its reason and what the file said', async () => {
  const { code, out } = await run(['bad.test.ts', 'good.test.ts']).ended;
  assert.equal(code, 1);
  assert.match(out, /FAILED {2}breaks\n +src\/bad\.test\.ts\n +Error: broken on purpose\n/);
  assert.match(out, /^ +said before$/m);
  assert.match(out, /\n2 passed, 1 failed\n$/);
});

test('a test that a file of support wrote down is counted and told under the file that asked for it', async () => {
  const { out } = await run(['needing.test.ts']).ended;
  assert.match(out, /FAILED {2}fails\n +src\/needing\.test\.ts\n/);
  assert.match(out, /^FAILED {2}src\/needing\.test\.ts {2}\(1 passed, 1 failed, .*\n +said by it$/m);
});

test('an error that nobody caught fails its file, and is told', async () => {
  const { code, out } = await run(['uncaught.test.ts', 'good.test.ts']).ended;
  assert.equal(code, 1);
  assert.match(out, /FAILED {2}\S*src\/uncaught\.test\.ts\n.*\n +.*Error: nobody caught this/);
});

test('many files share processes, but those that change theirs; each failure is told under its own file', async () => {
  const { code, out } = await run(['many']).ended;
  assert.equal(code, 1);
  assert.match(out, /FAILED {2}one of many\n +src\/many\/7\.test\.ts\n +Error: broken on purpose\n/);
  assert.match(out, /^FAILED {2}src\/many-\d {2}\(5 passed, 1 failed, .*\n +said by 7$/m);
  assert.match(out, /^ok {6}src\/many\/own\.test\.ts {2}\(1 passed, /m);
  assert.match(out, /\n20 passed, 1 failed\n$/);
});

test('what cannot run here is named; in CI it fails', async () => {
  const { code, out } = await run(['left.test.ts', 'good.test.ts']).ended;
  assert.equal(code, 0, out);
  assert.match(out, /\nnot run here:\n( {2}.*\n)* {2}rides \(needs a unicorn\)\n/);
  assert.match(out, /^ {2}later \(src\/left\.test\.ts\)$/m);
  const strict = await run(['left.test.ts', 'good.test.ts'], { CI: 'true' }).ended;
  assert.equal(strict.code, 1);
  assert.match(strict.out, /FAILED {2}rides/);
});

test('a test that drives a program of another maker is told where it is', async () => {
  const { code, out } = await run(['lacking.test.ts'], { GATEHOUSE_TEST_NGINX: process.execPath }).ended;
  assert.equal(code, 0, out);
  assert.doesNotMatch(out, /Installing/);
  assert.match(out, /\n1 passed, 0 failed\n$/);
});

test('a path without tests is no success', async () => {
  const { code, out } = await run(['empty']).ended;
  assert.equal(code, 1);
  assert.match(out, /There is no such test file\./);
});

test('an interruption ends everything it started, also a test that spins, and leaves nothing behind', async () => {
  const spinning = run(['spins.test.ts'], { TMPDIR: temporary, MARK: mark });
  while (!existsSync(mark)) {
    assert.equal(spinning.child.exitCode, null, 'It ended before the test spun.');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  spinning.child.kill('SIGINT');
  const { code, out } = await spinning.ended;
  assert.equal(code, 130);
  assert.match(out, /\nStopped by SIGINT\.\n/);
  assert.deepEqual(readdirSync(temporary), []);
});
