// Extensions from packages, in several processes on several machines: what one installs and switches on all serve, each from a copy
// of its own.
import assert from 'node:assert/strict';
import { appendFileSync, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Entry } from '#site/extension.ts';
import { eachEngine } from '#test/databases.ts';
import {
  activate,
  aMachine,
  another,
  ding,
  install,
  isListed,
  rings,
  trusting,
  whereItFails,
} from '#test/package-site.ts';
import { aShop, ringing } from '#test/shop.ts';
import { aSite, type TestSite } from '#test/site.ts';
import { soon } from '#test/soon.ts';
import { extensions as bundled } from '../../src/extensions/all.ts';

const copyOf = ({ config }: TestSite): string => {
  const copies = join(config.data, 'extensions');
  return join(copies, readdirSync(copies).find((name) => name.startsWith('bell-'))!);
};

eachEngine('A package', (engine) => {
  test('is switched on by one process, and served by all of them', async () => {
    const shop = aShop(engine);
    const one = await aSite(engine, trusting(shop));
    const other = await another(engine, one, shop);
    shop.offer();
    assert.equal((await install(one)).status, 200);
    assert.equal(await isListed(one), false);
    assert.equal((await activate(one)).status, 200);
    assert.deepEqual([await isListed(one), await rings(one)], [true, ding]);
    await soon(() => rings(other), ding);
    assert.equal(await isListed(other), true);
    await other.app.services.extensions.deactivate('bell', {});
    assert.equal(await isListed(other), false);
    await soon(() => isListed(one), false);
    assert.equal((await one.get('/api/bell/v1/ring')).status, 404);
    await other.app.services.extensions.remove('bell', {});
    assert.equal((await activate(one)).body.code, 'plugin_not_found');
  });

  test('is part of the site again after a restart', async () => {
    const shop = aShop(engine);
    const one = await aSite(engine, trusting(shop));
    shop.offer();
    await install(one);
    await activate(one);
    assert.equal(await rings(await another(engine, one, shop)), ding);
  });

  test('whose copy on this machine was changed is not run from it', async () => {
    const shop = aShop(engine);
    const one = await aSite(engine, trusting(shop));
    shop.offer();
    await install(one);
    await activate(one);
    appendFileSync(join(copyOf(one), 'extension.ts'), '\nthrow new Error("changed");\n');
    const other = await another(engine, one, shop);
    assert.equal((await other.get('/api/bell/v1/ring')).status, 404);
    assert.equal((await other.get('/api/')).status, 200);
    assert.ok(other.log.lines.some(({ message }) => message.includes('runs without it')));
    other.log.lines.length = 0;
  });

  test('that fails where the site starts is left out there, and told in the log', async () => {
    const shop = aShop(engine);
    const one = await aSite(engine, trusting(shop));
    shop.offer({ entry: `if (globalThis.tooLate) throw new Error('Not here.');${ringing()}` });
    await install(one);
    await activate(one);
    await whereItFails(engine, one, shop, async (other) => {
      assert.equal(await isListed(other), false);
      assert.equal((await other.get('/api/')).status, 200);
      assert.ok(other.log.lines.some(({ message }) => message.includes('runs without it')));
      const seen = await other.app.services.health.look('extensions', { headers: {}, address: '' });
      assert.deepEqual([seen?.seen.state, /: bell$/.test(seen?.seen.finding ?? '')], ['wrong', true]);
    });
  });
});

eachEngine('Beside one that cannot be used here', (engine) => {
  test('what asks for a capability of one that is switched off is left out, and what both declare stays', async () => {
    const shop = aShop(engine);
    const one = await aSite(engine, trusting(shop));
    const may = (access: string) => ringing('SLUG').replace("access: 'public'", `access: '${access}'`);
    const offer = (slug: string, entry: string, capabilities: string[]) =>
      shop.offer({
        manifest: { slug, namespaces: [`${slug}/v1`], capabilities },
        entry: entry
          .replaceAll('SLUG', slug)
          .replace(`name: '${slug}',`, `name: '${slug}', capabilities: ${JSON.stringify(capabilities)},`),
      });
    offer('first', may('ring_bells'), ['ring_bells']);
    offer('second', may('ring_bells'), ['ring_bells']);
    offer('third', may('ring_loud'), []);
    offer('loud', may('ring_loud'), ['ring_loud']);
    for (const slug of ['first', 'second', 'loud', 'third']) {
      await install(one, slug);
      const { status, text } = await activate(one, slug);
      assert.equal(status, 200, text);
    }
    const administrator = one.as('administrator');
    const status = async (slug: string) => (await administrator.get(`/api/${slug}/v1/ring`)).status;
    const { extensions } = one.app.services;
    await extensions.deactivate('first', {});
    assert.deepEqual([await status('first'), await status('second'), await status('third')], [404, 200, 200]);
    await extensions.deactivate('loud', {});
    assert.deepEqual([await status('second'), await status('third'), await status('loud')], [200, 404, 404]);
    const other = await another(engine, one, shop);
    assert.equal((await other.get('/api/')).status, 200, 'the site starts');
    assert.equal((await other.get('/api/second/v1/ring')).status, 401);
    for (const { log } of [one, other]) log.lines.length = 0;
  });

  test('what keeps something of records is asked when one is deleted; a slug that others begin tables with is refused', async () => {
    const shop = aShop(engine);
    const site = await aSite(engine, trusting(shop));
    const keeping = `
export default ({ sql }) => ({
  name: 'stars',
  tables: { migrations: [{ name: '0001-gone', up: async ({ table, column }) => {
    await table('stars_gone').addColumn('post_id', column.integer, (c) => c.primaryKey()).execute();
  } }] },
  nouns: () => ({}),
  extends: { post: { erased: async (tx, { id }) => void (await sql\`insert into stars_gone (post_id) values (\${id})\`.execute(tx)) } },
});`;
    shop.offer({ manifest: { slug: 'stars', namespaces: [] }, entry: keeping });
    await install(site, 'stars');
    assert.equal((await activate(site, 'stars')).status, 200);
    const administrator = site.as('administrator');
    const { body } = await administrator.post('/api/core/v2/posts', { title: 'Gone', status: 'publish' });
    assert.equal((await administrator.delete(`/api/core/v2/posts/${body.id}?force=true`)).status, 200);
    const { db } = site.app.services.store;
    const [gone] = await db.selectFrom('stars_gone').selectAll().execute();
    assert.equal(gone?.post_id, body.id);
    shop.offer({ manifest: { slug: 'post', namespaces: [] }, entry: keeping.replaceAll('stars', 'post') });
    await install(site, 'post');
    assert.equal((await activate(site, 'post')).body.code, 'activation_failed');
    site.log.lines.length = 0;
  });

  test('what serves the addresses of another is left out, and the site starts', async () => {
    const shop = aShop(engine);
    const one = await aSite(engine, trusting(shop));
    shop.offer();
    await install(one);
    await activate(one);
    // As a later version of the program might.
    const clash: Entry<object> = ({ route }) => ({
      name: 'late-bell',
      nouns: () => ({}),
      routes: {
        'bell/v1': [
          route({ method: 'GET', path: 'ring', summary: 'Rings', access: 'public', handle: () => ({ ring: 'dong' }) }),
        ],
      },
    });
    const { data, database, media } = one.config;
    const options = trusting(shop, { config: { data, media, ...(database && { database }) } });
    const other = await aSite(engine, { ...options, extensions: [...bundled, clash] });
    assert.equal(await rings(other), '{"ring":"dong"}');
    assert.ok(other.log.lines.some(({ message }) => message.includes('runs without it')));
    other.log.lines.length = 0;
  });
});

eachEngine('On several machines', (engine) => {
  // An embedded database is on one.
  if (engine.name === 'sqlite') return;
  test('each makes a copy of its own of what another installed', async () => {
    const shop = aShop(engine);
    const one = await aSite(engine, trusting(shop));
    const other = await another(engine, one, shop, aMachine(engine));
    shop.offer();
    await install(one);
    await activate(one);
    await soon(() => rings(other), ding);
    assert.ok(existsSync(copyOf(other)));
    await other.app.services.extensions.deactivate('bell', {});
    await soon(() => isListed(one), false);
  });
});
