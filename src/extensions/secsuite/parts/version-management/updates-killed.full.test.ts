// Automatic updates of a process that is killed in the middle: the earlier or the later version is there as a whole.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import type { JobTables } from '#site/jobs/tables.ts';
import type { PackageTables } from '#site/packages/tables.ts';
import { openStore, type Store } from '#store/store.ts';
import { keptLog, type TestEngine, testEngine } from '#test/databases.ts';
import { spawned } from '#test/gatehouse.ts';
import { aMadePlace, type Serving } from '#test/serving.ts';
import { aShop, ringing } from '#test/shop.ts';
import { soon } from '#test/soon.ts';
import type { SettingsTables } from '../../settings/tables.ts';
import { readDetails } from './update-details.ts';

/** Rings another ring, and never comes to be loaded by a site while there is such a file. */
const later = (held: string, more = ''): string => `
import { existsSync } from 'node:fs';
if (!process.permission && existsSync('${held}')) {
  console.error('It waits.');
  await new Promise(() => {});
}
${ringing().replace('ding', 'dong').replace("name: 'bell',", `name: 'bell', ${more}`)}`;

const ill = `health: { checks: [{
  name: 'clapper', what: 'Clapper', about: 'Whether there is one.', badge: 'Performance',
  look: () => ({ state: 'wrong', finding: 'there is none', remedy: 'Make one.' }),
}] },`;

async function aSiteToUpdate(engine: TestEngine) {
  const [shop, place] = [aShop(engine), await aMadePlace(engine)];
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-test-'));
  engine.atEnd(async () => rmSync(folder, { recursive: true, force: true }));
  const held = join(folder, 'held');
  const env = { GATEHOUSE_CATALOGUE: shop.catalogue.path, GATEHOUSE_CATALOGUE_KEY: shop.key };
  shop.offer();
  const first = await place.serve(env);
  const store: Store<SettingsTables & JobTables & PackageTables> = await openStore({
    ...place,
    tables: [],
    log: keptLog(),
  });
  engine.atEnd(() => store.close());
  for (const step of ['install', 'activate']) {
    const { code, err } = await spawned(['extension', step, 'bell', ...place.where], { ...place.env, ...env });
    assert.equal(code, 0, err);
  }
  const set = { plugin_automatic_updates: 'all', update_window_start: 0, update_window_hours: 24 };
  await store.write(async (tx) => {
    const row = { module: 'version-management', stored: JSON.stringify(set) };
    await tx
      .insertInto('secsuite_settings')
      .values(row)
      .onConflict((on) => on.column('module').doUpdateSet(row))
      .execute();
  });
  const look = () =>
    store.write(async (tx) => {
      const moved = tx.updateTable('schedules').set({ next_at: '2020-01-01T00:00:00.000Z' });
      return (await moved.where('name', '=', 'security-suite.updates').executeTakeFirst()).numUpdatedRows;
    });
  const details = async () => {
    const rows = store.db.selectFrom('secsuite_settings').select('stored').where('module', '=', 'version-management');
    return readDetails(JSON.parse((await rows.executeTakeFirst())?.stored ?? '{}').update_details);
  };
  const version = async () =>
    (await store.db.selectFrom('extensions').select('version').where('slug', '=', 'bell').executeTakeFirst())?.version;
  const rings = async ({ origin }: Serving) => (await fetch(`${origin}/api/bell/v1/ring`)).text();
  const kill = async (site: Serving) => {
    site.child.kill('SIGKILL');
    await site.ended;
  };
  return { shop, held, first, look, details, version, rings, kill, serve: () => place.serve(env) };
}

// The wait until the next process takes the job over is the same on both stores.
describe('version-management: a killed update', () => {
  const engine = testEngine('sqlite');
  test('has the later version once that was written, and says that it was interrupted', async () => {
    const { shop, held, first, look, details, version, rings, kill, serve } = await aSiteToUpdate(engine);
    await soon(() => rings(first), '{"ring":"ding"}');
    writeFileSync(held, '');
    shop.offer({ manifest: { version: '1.3.0' }, entry: later(held) });
    await soon(look, 1n);
    await first.until(/It waits/);
    assert.equal(await version(), '1.3.0');
    assert.equal((await details()).pending?.to, '1.3.0');
    await kill(first);
    rmSync(held);
    const second = await serve();
    await soon(() => rings(second), '{"ring":"dong"}');
    await soon(async () => {
      const { pending, failures, lastRun } = await details();
      return [pending, failures, lastRun > 0].map(String).join();
    }, 'undefined,[object Object],true');
    assert.deepEqual((await details()).failures, {});
    await kill(second);
  });

  test('has the earlier version again if the site is not well with the later one', async () => {
    const { shop, held, first, look, details, version, rings, kill, serve } = await aSiteToUpdate(engine);
    await soon(() => rings(first), '{"ring":"ding"}');
    writeFileSync(held, '');
    shop.offer({ manifest: { version: '1.3.0' }, entry: later(held, ill) });
    await soon(look, 1n);
    await first.until(/It waits/);
    await kill(first);
    rmSync(held);
    const second = await serve();
    await soon(version, '1.2.0');
    await soon(() => rings(second), '{"ring":"ding"}');
    await soon(async () => (await details()).failures.bell?.version, '1.3.0');
    await kill(second);
  });

  test('has the earlier version before that, and is done again', async () => {
    const { shop, held, first, look, details, version, rings, kill, serve } = await aSiteToUpdate(engine);
    await soon(() => rings(first), '{"ring":"ding"}');
    shop.offer({ manifest: { version: '1.3.0' }, entry: later(held) });
    await soon(look, 1n);
    const isBegun = async () => (await details()).pending?.to === '1.3.0' || (await version()) === '1.3.0';
    await soon(isBegun, true);
    await kill(first);
    const after = await version();
    const second = await serve();
    assert.ok(['1.2.0', '1.3.0'].includes(String(after)), String(after));
    await soon(() => rings(second), '{"ring":"dong"}');
    await soon(async () => (await details()).pending, undefined);
    await kill(second);
  });
});
