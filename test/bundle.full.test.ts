// What becomes of a bundle that is missing, cut, old or cannot be made, and what runs beside the program from one.
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Checkout, folder, root } from '#test/checkout.ts';
import { type Ended, start } from '#test/gatehouse.ts';

/** A checkout with a bundler. */
function checkoutWithBundler(): Checkout {
  const checkout = new Checkout();
  symlinkSync(join(root, 'node_modules/esbuild'), join(checkout.fake, 'node_modules/esbuild'));
  return checkout;
}

const bundlesOf = ({ path }: Checkout): string => join(path, '.cache/bundle');
const idsOf = (checkout: Checkout): string[] => readdirSync(bundlesOf(checkout)).sort();

/** Whether it ran from a bundle: that has a folder of its own for compiled code. */
function ranBundled({ code, out, err }: Ended): boolean {
  assert.equal(code, 0, err);
  return JSON.parse(out.split('\n')[0]!).cache.includes('/.cache/bundle/');
}

test('The first start makes the bundle, the next uses it, and a changed source makes another', async () => {
  const checkout = checkoutWithBundler();
  assert.equal(ranBundled(await checkout.run([])), true);
  const [id] = idsOf(checkout);
  const list = () => readFileSync(join(bundlesOf(checkout), id!, 'bundle.json'), 'utf8');
  const first = list();
  const second = await checkout.run([]);
  assert.deepEqual([ranBundled(second), second.err, list()], [true, '', first]);
  writeFileSync(join(checkout.path, 'src/main.ts'), `\n${readFileSync(join(checkout.path, 'src/main.ts'), 'utf8')}`);
  assert.equal(ranBundled(await checkout.run([])), true);
  assert.equal(idsOf(checkout).length, 2);
});

test('A bundle that is cut is made again, and the start says so', async () => {
  const checkout = checkoutWithBundler();
  await checkout.run([]);
  const [id] = idsOf(checkout);
  const offenders: unknown[] = [];
  for (const name of ['main.js', 'main.js.map', 'bundle.json']) {
    truncateSync(join(bundlesOf(checkout), id!, name), 10);
    const ended = await checkout.run([]);
    const isFine = ranBundled(ended) && ended.err === 'The bundle of the program was damaged and was made again.\n';
    if (!isFine || idsOf(checkout).length !== 1) offenders.push({ name, ended, ids: idsOf(checkout) });
  }
  assert.deepEqual(offenders, []);
});

/** Loaded before the launcher: making a bundle fails with this code. */
const failing = (code: string): string[] => {
  const file = join(folder, `${code}.cjs`);
  writeFileSync(
    file,
    `const fs = require('node:fs');
     const make = fs.mkdirSync;
     fs.mkdirSync = (path, ...rest) => {
       if (String(path).includes('/.cache/bundle/new-')) throw Object.assign(new Error('${code}'), { code: '${code}' });
       return make(path, ...rest);
     };`,
  );
  return ['--require', file];
};

test('Where no bundle can be made the sources run, and one sentence says why', async () => {
  const cases: readonly [what: string, how: object, arrange: (checkout: Checkout) => void, sentence: RegExp][] = [
    [
      'a folder that is not writable',
      { node: failing('EACCES') },
      () => {},
      /it may not write to .*\.cache\. Start it/,
    ],
    ['a full disk', { node: failing('ENOSPC') }, () => {}, /there is no room left on the disk of /],
    ['a file in the way', {}, (one) => writeFileSync(bundlesOf(one), ''), /the bundle could not be made \(/],
    [
      'a source that cannot be bundled',
      {},
      (one) => {
        const main = join(one.path, 'src/main.ts');
        writeFileSync(main, `${readFileSync(main, 'utf8')}\nif (args.length > 9) await import('./absent.ts');`);
      },
      /the bundle could not be made \(.*absent\.ts/,
    ],
  ];
  const offenders: unknown[] = [];
  for (const [what, how, arrange, sentence] of cases) {
    const checkout = checkoutWithBundler();
    mkdirSync(join(checkout.path, '.cache'));
    arrange(checkout);
    const ended = await checkout.run([], how);
    const lines = ended.err.trim().split('\n');
    if (ranBundled(ended) || lines.length !== 1 || !sentence.test(lines[0]!)) offenders.push({ what, ended });
  }
  assert.deepEqual(offenders, []);
});

test('What an interrupted start left is removed by the next that makes a bundle', async () => {
  const checkout = checkoutWithBundler();
  const left = join(bundlesOf(checkout), 'new-0123456789ab');
  mkdirSync(left, { recursive: true });
  utimesSync(left, 0, 0);
  assert.equal(ranBundled(await checkout.run([])), true);
  assert.deepEqual(
    idsOf(checkout).filter((name) => name.startsWith('new-')),
    [],
  );
});

test('Starts at the same time each find a whole bundle', async () => {
  const checkout = checkoutWithBundler();
  const all = await Promise.all([1, 2, 3].map((at) => checkout.run([String(at)])));
  assert.deepEqual(
    all.map((ended) => [ranBundled(ended), ended.err]),
    all.map(() => [true, '']),
  );
  assert.equal(idsOf(checkout).length, 1);
});

test('A stack trace of the bundle names the line of the source', async () => {
  const checkout = checkoutWithBundler();
  const main = join(checkout.path, 'src/main.ts');
  writeFileSync(main, `interface Unused { readonly a: string }\n\nthrow new Error('here');\n`);
  const { code, err } = await checkout.run([]);
  assert.equal(code, 1);
  assert.match(err, /Error: here\n {4}at file:.*\/src\/main\.ts:3:7\n/);
});

test('Threads, trials and packages that are not bundled work from the bundle of the program', async () => {
  const data = join(folder, 'bundled-site');
  const run = (...words: string[]) =>
    start(process.execPath, [join(root, 'bin/gatehouse'), ...words, '--data', data]).ended;
  const mail = ['--email', 'editor@example.org', '--role', 'administrator', '--generate'];
  const commands = [
    ['migrate'],
    ['user', 'create', 'editor', ...mail],
    ['seed', '--seed', 'x', '--posts', '2', '--media', '1'],
    ['extension', 'activate', 'hub-connector'],
    ['backup', join(folder, 'site.ghb')],
    ['doctor'],
  ];
  const offenders: unknown[] = [];
  for (const words of commands) {
    const ended = await run(...words);
    if (ended.code !== 0) offenders.push({ words, ended });
  }
  assert.deepEqual(offenders, []);
});
