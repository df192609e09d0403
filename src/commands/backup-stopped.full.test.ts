// A backup or a restore that is stopped takes away what it unpacked, and the next one what a killed one left.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { testEngine } from '#test/databases.ts';
import { spawned, startGatehouse } from '#test/gatehouse.ts';
import { aShop } from '#test/shop.ts';
import { aSite } from '#test/site.ts';

/** A bell with a table, which takes for ever to be loaded while there is such a file. */
const slow = (file: string): string => `
import { existsSync } from 'node:fs';
if (existsSync(${JSON.stringify(file)})) {
  console.log('It is being loaded.');
  await new Promise((resolve) => setTimeout(resolve, 600_000));
}
export default () => ({
  name: 'bell',
  nouns: () => ({}),
  tables: { migrations: [{ name: '0001-rings', up: async ({ table, column }) => {
    await table('bell_rings').addColumn('id', column.integer, (c) => c.primaryKey()).execute();
  } }] },
});`;

describe('What is unpacked for a backup or a restore', () => {
  const engine = testEngine('sqlite');
  const aFolder = (): string => {
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-test-'));
    engine.atEnd(async () => rmSync(folder, { recursive: true, force: true }));
    return folder;
  };

  test('goes when it is stopped, and what was left by one that was killed goes with the next', async () => {
    const [scratch, work, shop] = [aFolder(), aFolder(), aShop(engine)];
    const [held, archive, stopped] = [join(work, 'held'), join(work, 'site.ghb'), join(work, 'stopped.ghb')];
    shop.offer({ manifest: { namespaces: [] }, entry: slow(held) });
    const trusting = { GATEHOUSE_CATALOGUE: shop.catalogue.path, GATEHOUSE_CATALOGUE_KEY: shop.key };
    const site = await aSite(engine, { env: trusting });
    await site.app.services.extensions.install('bell', {});
    await site.app.services.extensions.activate('bell', {});
    const where = ['--data', site.config.data];
    const env = { TMPDIR: scratch };
    const forgotten = join(scratch, 'gatehouse-packages-forgotten');
    const others = ['gatehouse-packages-young', 'gatehouse-other'];
    for (const name of ['gatehouse-packages-forgotten', ...others])
      mkdirSync(join(scratch, name, 'x'), { recursive: true });
    const twoDaysAgo = new Date(Date.now() - 2 * 86_400_000);
    utimesSync(forgotten, twoDaysAgo, twoDaysAgo);
    assert.equal((await spawned(['backup', archive, ...where], env)).code, 0);
    assert.deepEqual(readdirSync(scratch).sort(), others.toSorted());

    writeFileSync(held, '');
    const restore = ['restore', archive, '--data', aFolder()];
    const stops = [
      [['backup', stopped, ...where], 'SIGTERM'],
      [restore, 'SIGINT'],
    ] as const;
    for (const [command, signal] of stops) {
      const running = startGatehouse(command, { ...env, GATEHOUSE_SECRET: site.config.secret });
      await running.until(/It is being loaded\./);
      assert.equal(readdirSync(scratch).length, 3);
      running.child.kill(signal);
      assert.equal((await running.ended).signal, signal);
      assert.deepEqual(readdirSync(scratch).sort(), others.toSorted());
    }
    assert.deepEqual(readdirSync(work).sort(), ['held', 'site.ghb']);
  });
});
