// bin/gatehouse on checkouts where nothing, or something wrong, is installed: when npm is called, and what is left when it fails.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, test } from 'node:test';
import { Checkout, folder, root } from '#test/checkout.ts';
import { start } from '#test/gatehouse.ts';

test('bin/dev without a file says what it wants', async () => {
  const { code, err } = await start(process.execPath, [join(root, 'bin/dev')]).ended;
  assert.deepEqual([code, err], [2, 'Name the file to run: node bin/dev FILE …\n']);
});

test('an empty checkout installs what serving needs and starts; the second start asks npm for nothing', async () => {
  const checkout = new Checkout();
  const lock = readFileSync(join(checkout.path, 'package-lock.json'), 'utf8');
  const first = await checkout.run(['serve', '--port', '1']);
  assert.equal(first.code, 0, first.err);
  const { args, cache, heaps } = JSON.parse(first.out);
  assert.deepEqual([args, cache, heaps], [['serve', '--port', '1'], join(checkout.path, '.cache/compiled'), '2']);
  assert.equal((await checkout.run(['again'])).code, 0);
  assert.equal(checkout.calls.length, 1);
  assert.match(checkout.calls[0] ?? '', /^install --no-save .*--omit=dev --include=optional --ignore-scripts /);
  assert.deepEqual(checkout.leftovers, []);
  assert.equal(readFileSync(join(checkout.path, 'package-lock.json'), 'utf8'), lock);
});

test('what development needs is installed for development, and an update keeps it', async () => {
  const checkout = new Checkout();
  await checkout.run(['serve']);
  const tool = { 'node_modules/tool': { version: '1.0.0', dev: true } };
  checkout.wants(tool);
  assert.equal((await checkout.run(['serve'])).code, 0);
  assert.equal(checkout.calls.length, 1, 'serving needs no tool');
  const dev = { bin: join(checkout.path, 'bin/dev') };
  assert.equal((await checkout.run(['src/main.ts', 'x'], dev)).code, 0);
  assert.match(checkout.calls[1] ?? '', /--include=dev/);
  checkout.wants({ ...tool, 'node_modules/lib': { version: '1.1.0' } });
  await checkout.run(['serve']);
  assert.match(checkout.calls[2] ?? '', /--include=dev/);
});

test('several starts at once install once', async () => {
  const checkout = new Checkout();
  checkout.tell('hold');
  const all = ['1', '2', '3', '4'].map((name) => checkout.start([name]));
  await checkout.npmStarted();
  await Promise.all(all.map(({ until }) => until(/(Waiting for another start|Installing what) .*1 s/)));
  checkout.forget('hold');
  for (const { ended } of all) assert.equal((await ended).code, 0);
  assert.equal(checkout.calls.length, 1);
});

test('an install that is killed leaves nothing in the way of the next', async () => {
  const checkout = new Checkout();
  checkout.tell('hold');
  const first = checkout.start([]);
  await checkout.npmStarted();
  first.child.kill('SIGKILL');
  await first.ended;
  assert.equal(existsSync(join(checkout.path, 'node_modules')), false);
  checkout.forget('hold');
  // As if a while had passed since the killed one last touched its lock.
  utimesSync(join(checkout.path, '.cache/install.lock'), 0, 0);
  assert.equal((await checkout.run([])).code, 0);
  assert.deepEqual(checkout.leftovers, []);
});

describe('an install that stood still for long leaves the one that took over alone', () => {
  async function overtaken(checkout: Checkout) {
    const lock = join(checkout.path, '.cache/install.lock');
    checkout.tell('hold');
    const first = checkout.start([]);
    await checkout.npmStarted();
    first.child.kill('SIGSTOP');
    utimesSync(lock, 0, 0);
    const second = checkout.start([]);
    await second.until(/Installing what/);
    first.child.kill('SIGCONT');
    return { first, second, held: () => readFileSync(lock, 'utf8') };
  }

  test('when it is ended', async () => {
    const checkout = new Checkout();
    const { first, second, held } = await overtaken(checkout);
    const token = held();
    first.child.kill('SIGTERM');
    assert.equal((await first.ended).code, 143);
    assert.equal(held(), token);
    checkout.forget('hold');
    assert.equal((await second.ended).code, 0);
    assert.deepEqual(checkout.leftovers, []);
  });

  test('when it goes on: it starts with what the other one installed', async () => {
    const checkout = new Checkout();
    const { first, second } = await overtaken(checkout);
    checkout.forget('hold');
    const ended = await Promise.all([first.ended, second.ended]);
    assert.deepEqual(
      ended.map(({ code }) => code),
      [0, 0],
      ended.map(({ err }) => err).join(),
    );
    assert.equal(checkout.calls.length, 2);
    assert.deepEqual(checkout.leftovers, []);
  });
});

test('a signal during the install ends npm too and leaves nothing behind', async () => {
  const checkout = new Checkout();
  checkout.tell('hold');
  const first = checkout.start([]);
  await checkout.npmStarted();
  first.child.kill('SIGTERM');
  assert.equal((await first.ended).code, 143);
  assert.deepEqual(checkout.leftovers, []);
  checkout.forget('hold');
});

describe('a failed install is one sentence, and what was installed before stays', () => {
  const reasons: readonly [string, string, RegExp][] = [
    ['without the network', 'npm error code ENOTFOUND', /^Gatehouse could not reach the npm registry .*\.\n$/],
    ['with a full disk', 'npm error code ENOSPC', /^There is no room left on the disk .*\.\n$/],
    [
      'for any other reason',
      'npm error code E1\nnpm error the package went away',
      /^npm could not install .*the package went away.*\.\n$/,
    ],
  ];
  for (const [what, said, sentence] of reasons) {
    test(what, async () => {
      const checkout = new Checkout();
      await checkout.run([]);
      checkout.wants({ 'node_modules/lib': { version: '2.0.0' } });
      checkout.tell('fail', said);
      const { code, out, err } = await checkout.run([]);
      assert.deepEqual([code, out], [1, '']);
      assert.match(err, sentence);
      const kept = readFileSync(join(checkout.path, 'node_modules/lib/package.json'), 'utf8');
      assert.deepEqual(JSON.parse(kept), { version: '1.0.0' });
      assert.deepEqual(checkout.leftovers, []);
    });
  }
});

test('it starts through a link from another folder, and works there', async () => {
  const checkout = new Checkout();
  const link = join(folder, 'linked');
  symlinkSync(join(checkout.path, 'bin/gatehouse'), link);
  const { out } = await checkout.run(['x'], { bin: link, cwd: dirname(checkout.path) });
  assert.equal(JSON.parse(out).cwd, dirname(checkout.path));
});

describe('under a Node that cannot become another program', () => {
  const without = join(folder, 'no-execve.cjs');
  writeFileSync(without, 'process.execve = undefined;');
  const how = { node: ['--require', without] };

  test('the exit code is passed on, and an end by a signal is an end by that signal', async () => {
    assert.equal((await new Checkout().run(['code', '5'], how)).code, 5);
    assert.equal((await new Checkout().run(['die'], how)).signal, 'SIGKILL');
  });

  // What they write to is closed only when both have ended.
  for (const [name, signal, left, value] of [
    ['a signal is passed on, and its answer back', 'SIGTERM', 'code', 7],
    ['the program stops when what started it is killed', 'SIGKILL', 'signal', 'SIGKILL'],
  ] as const)
    test(name, async () => {
      const one = new Checkout().start(['wait'], how);
      await one.until(/ready/);
      one.child.kill(signal);
      assert.equal((await one.ended)[left], value);
    });
});
