// Packages whose modules go on by themselves, or do not come to an end: commands end when their work is done, and when they are told to.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { eachEngine, type TestEngine } from '#test/databases.ts';
import { spawned, startGatehouse } from '#test/gatehouse.ts';
import { aMadePlace } from '#test/serving.ts';
import { aShop, ringing } from '#test/shop.ts';

/** A site on which this package is switched on. */
async function aSiteWith(engine: TestEngine, entry: string) {
  const shop = aShop(engine);
  const place = await aMadePlace(engine);
  const env = { ...place.env, GATEHOUSE_CATALOGUE: shop.catalogue.path, GATEHOUSE_CATALOGUE_KEY: shop.key };
  const run = (...args: string[]) => spawned([...args, ...place.where], env);
  shop.offer({ entry });
  assert.equal((await run('extension', 'install', 'bell')).code, 0);
  const on = await run('extension', 'activate', 'bell');
  assert.deepEqual([on.code, on.out], [0, 'Bell is on.\n'], on.err);
  return { run, start: (...args: string[]) => startGatehouse([...args, ...place.where], env) };
}

eachEngine('Beside a package', (engine) => {
  test('that has timers and does not end them, commands end with all that they have to say', async () => {
    const { run } = await aSiteWith(engine, `setInterval(() => {}, 1000);${ringing()}`);
    const all = await run('settings', 'list', '--json');
    assert.equal(all.code, 0, all.err);
    assert.ok(JSON.parse(all.out).length > 0, 'to the last word');
    assert.equal((await run('settings', 'show', 'nothing')).code, 2);
  });

  test('that never comes to be loaded, a site that starts stops when it is told to', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-test-'));
    engine.atEnd(async () => rmSync(folder, { recursive: true, force: true }));
    const late = join(folder, 'late');
    const waiting = `if (!process.permission && existsSync('${late}')) {
      console.error('It waits.');
      await new Promise(() => {});
    }`;
    const { start } = await aSiteWith(engine, `import { existsSync } from 'node:fs';${waiting}${ringing()}`);
    writeFileSync(late, '');
    const site = start('serve', '--port', '0');
    await site.until(/It waits/);
    site.child.kill('SIGTERM');
    assert.equal((await site.ended).code, 1);
  });
});
