// A newer version of an extension makes its tables and does not start after all: the one before goes on, in every process and after
// a restart; what the owner does by hand does not go back to it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachEngine, type TestEngine } from '#test/databases.ts';
import { aShop, ringing } from '#test/shop.ts';
import { aSite, type TestSite } from '#test/site.ts';
import { withinASecond } from '#test/soon.ts';

const bellOf = (migrations: readonly string[], nouns = '({})'): string =>
  ringing().replace(
    'nouns: () => ({}),',
    `nouns: () => ${nouns},
  tables: { migrations: ${JSON.stringify(migrations)}.map((name) => ({ name, up: async ({ table, column }) => {
    await table('bell_' + name.slice(5)).addColumn('id', column.integer, (c) => c.primaryKey()).execute();
  } })) },`,
  );

async function aScene(engine: TestEngine) {
  const shop = aShop(engine);
  const env = { GATEHOUSE_CATALOGUE: shop.catalogue.path, GATEHOUSE_CATALOGUE_KEY: shop.key };
  const site = await aSite(engine, { env });
  const { data, media, database } = site.config;
  return {
    site,
    offer: (version: string, entry: string) => void shop.offer({ manifest: { version }, entry }),
    another: (its = data) => aSite(engine, { env, config: { data: its, media, ...(database && { database }) } }),
  };
}

const rings = async (site: TestSite): Promise<number> => (await site.get('/api/bell/v1/ring')).status;
const health = async (site: TestSite) =>
  (await site.app.services.health.look('extensions', { headers: {}, address: '' }))?.seen;

eachEngine('A version that made its tables and does not start', (engine) => {
  test('is taken back, and the one before goes on beside them, after a restart as well', async () => {
    const { site, offer, another } = await aScene(engine);
    const { extensions } = site.app.services;
    offer('1.0.0', bellOf(['0001-rings']));
    await extensions.install('bell', {});
    await extensions.activate('bell', {});
    const other = await another();
    offer('1.1.0', bellOf(['0001-rings', '0002-ropes'], `{ throw new Error('no'); }`));
    await assert.rejects(extensions.update('bell', {}), {
      code: 'activation_failed',
      message: 'Bell 1.1.0 does not start: Read the log of the site for the cause. 1.0.0 goes on.',
    });
    const { db } = site.app.services.store;
    assert.deepEqual(await db.selectFrom('bell_ropes').selectAll().execute(), [], 'its tables were made');
    const restarted = await another();
    for (const one of [site, other, restarted]) {
      await withinASecond(async () => `${await rings(one)} ${(await health(one))?.state}`, '200 ok');
      await one.app.services.extensions.deactivate('bell', {});
      await one.app.services.extensions.activate('bell', {});
      assert.equal(await rings(one), 200);
    }
    offer('1.2.0', bellOf(['0001-rings', '0002-ropes', '0003-wheels']));
    assert.equal((await restarted.app.services.extensions.update('bell', {})).version, '1.2.0');
    for (const one of [site, other, restarted]) one.log.lines.length = 0;
  });

  test('leaves the one before refused where somebody goes back to it by hand', async () => {
    const { site, offer } = await aScene(engine);
    const { extensions } = site.app.services;
    offer('1.0.0', bellOf(['0001-rings']));
    await extensions.install('bell', {});
    await extensions.activate('bell', {});
    offer('1.1.0', bellOf(['0001-rings', '0002-ropes'], `{ throw new Error('no'); }`));
    await assert.rejects(extensions.update('bell', {}));
    await extensions.deactivate('bell', {});
    await extensions.remove('bell', {});
    offer('1.0.1', bellOf(['0001-rings']));
    await extensions.install('bell', {});
    await assert.rejects(extensions.activate('bell', {}), /Bell 1\.0\.1 does not start: .*they have 0002-ropes/);
    site.log.lines.length = 0;
  });
});

eachEngine('A version that one machine cannot load', (engine) => {
  // An embedded database is on one.
  if (engine.name === 'sqlite') return;
  test('leaves the one before at work there; the log and the health of that process say so', async () => {
    const { site, offer, another } = await aScene(engine);
    const { extensions } = site.app.services;
    offer('1.0.0', bellOf([]));
    await extensions.install('bell', {});
    await extensions.activate('bell', {});
    const { data } = await engine.place();
    const other = await another(data);
    assert.equal(await rings(other), 200);
    offer('1.1.0', `if (import.meta.url.includes('${data}')) throw new Error('Not here.');${bellOf([])}`);
    await extensions.update('bell', {});
    const told = (one: TestSite, start: string) => one.log.lines.some(({ message }) => message.startsWith(start));
    await withinASecond(async () => told(other, 'This version of an extension cannot be used here.'), true);
    assert.deepEqual([await rings(site), await rings(other)], [200, 200]);
    assert.deepEqual([(await health(site))?.state, (await health(other))?.state], ['ok', 'wrong']);
    assert.equal((await health(other))?.finding, 'running in an earlier version than the installed one: bell');
    assert.ok(told(site, 'Another version of an extension was turned on'));
    other.log.lines.length = 0;
  });
});
