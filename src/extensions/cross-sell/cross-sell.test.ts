// What recommends an extension installs it and switches it on, over real HTTP, and the site has its routes at once.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachEngine, type TestEngine } from '#test/databases.ts';
import { aShop } from '#test/shop.ts';
import { aSite } from '#test/site.ts';

const base = '/api/xsell_pcs/v1/plugincrosssell';

async function aSiteWithShop(engine: TestEngine, env: Record<string, string> = {}) {
  const shop = aShop(engine);
  const trusting = { GATEHOUSE_CATALOGUE: shop.catalogue.path, GATEHOUSE_CATALOGUE_KEY: shop.key, ...env };
  const site = await aSite(engine, { env: trusting });
  const { post } = site.as('administrator');
  return {
    site,
    shop,
    install: (plugin_slug: string) => post(`${base}/install_plugin`, { plugin_slug }),
    activate: (plugin_slug: string) => post(`${base}/activate_plugin`, { plugin_slug }),
  };
}

eachEngine('Recommended extensions', (engine) => {
  test('are installed, then switched on, and serve from then on', async () => {
    const { site, shop, install, activate } = await aSiteWithShop(engine);
    shop.offer();
    const installed = await install('bell');
    assert.deepEqual(
      [installed.status, installed.body],
      [
        200,
        {
          success: true,
          message: 'Bell 1.2.0 is installed. It is not turned on yet.',
          data: { slug: 'bell', installed: true, active: false, version: '1.2.0' },
        },
      ],
    );
    assert.equal((await site.get('/api/bell/v1/ring')).body.code, 'rest_no_route');
    const active = await activate('bell');
    assert.deepEqual(
      [active.status, active.body],
      [
        200,
        {
          success: true,
          message: 'Bell is turned on.',
          data: { slug: 'bell', installed: true, active: true, version: '1.2.0' },
        },
      ],
    );
    assert.deepEqual((await site.get('/api/bell/v1/ring')).body, { ring: 'ding' });
    assert.ok((await site.get('/api/')).body.namespaces.includes('bell/v1'));
  });

  test('that are there already are left as they are', async () => {
    const { shop, install, activate } = await aSiteWithShop(engine);
    shop.offer();
    await install('bell');
    const again = await install('bell');
    assert.deepEqual([again.status, again.body.message], [200, 'Bell is installed already.']);
    await activate('bell');
    assert.equal((await activate('bell')).body.message, 'Bell is turned on already.');
    assert.equal((await install('embeds')).status, 200);
    assert.equal((await activate('embeds')).body.data.active, true);
  });

  test('can be asked for in three ways, as JSON or as a form', async () => {
    const { site } = await aSiteWithShop(engine);
    const { put, patch, request } = site.as('administrator');
    for (const verb of [put, patch])
      assert.equal((await verb(`${base}/install_plugin`, { plugin_slug: 'embeds', current_slug: 'x' })).status, 200);
    const form = await request('POST', `${base}/activate_plugin`, {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'plugin_slug=embeds',
    });
    assert.equal(form.status, 200);
  });

  test('that nobody offers, or that are not installed, are not found', async () => {
    const { site, shop, install, activate } = await aSiteWithShop(engine);
    shop.offer();
    shop.offer({ manifest: { slug: 'gong', namespaces: ['gong/v1'] }, listed: { type: 'pro' } });
    const attempts = [
      install('nope'),
      install('gong'),
      install('core'),
      activate('nope'),
      activate('bell'),
      activate('core'),
    ];
    for (const attempt of attempts) {
      const { status, body } = await attempt;
      assert.deepEqual([status, body.success, body.code], [404, false, 'plugin_not_found']);
      assert.deepEqual([body.data.installed, body.data.active, body.data.version], [false, false, null]);
    }
    await install('bell');
    shop.withdraw('bell');
    const { status, body } = await activate('bell');
    assert.deepEqual([status, body.code], [404, 'plugin_not_found']);
    assert.deepEqual(body.data, { status: 404, slug: 'bell', installed: true, active: false, version: '1.2.0' });
    assert.equal((await site.app.services.extensions.find('bell'))?.active, false);
  });

  test('do not install what recommends them', async () => {
    const { install } = await aSiteWithShop(engine);
    const { status, body } = await install('cross-sell');
    assert.deepEqual([status, body.success, body.code, body.data.active], [409, false, 'already_using', true]);
  });

  test('with a name that is none are refused as a bad argument, in the same shape', async () => {
    const { site } = await aSiteWithShop(engine);
    const { post } = site.as('administrator');
    for (const plugin_slug of ['../x', 'Bell', 'a--b', '-a', '', 'x'.repeat(65), 'bell/bell', 'bell\n', ['bell'], {}])
      for (const route of ['install_plugin', 'activate_plugin']) {
        const { status, body } = await post(`${base}/${route}`, { plugin_slug });
        assert.deepEqual([status, body.success, body.code], [400, false, 'rest_invalid_param'], String(plugin_slug));
        assert.ok('plugin_slug' in body.data.params);
      }
    assert.equal((await post(`${base}/install_plugin`, {})).body.code, 'rest_missing_callback_param');
  });

  test('are for administrators', async () => {
    const { site } = await aSiteWithShop(engine);
    for (const route of ['install_plugin', 'activate_plugin']) {
      const asked = { plugin_slug: 'embeds' };
      assert.equal((await site.post(`${base}/${route}`, asked)).status, 401);
      const { status, body } = await site.as('editor').post(`${base}/${route}`, asked);
      assert.deepEqual([status, body.success, body.code], [403, false, 'rest_forbidden']);
    }
  });

  test('are not installed where the operator keeps it to themselves', async () => {
    const { shop, install } = await aSiteWithShop(engine, { GATEHOUSE_FILE_MODS: 'off' });
    shop.offer();
    const { status, body } = await install('bell');
    assert.deepEqual([status, body.code], [403, 'file_mods_disabled']);
  });

  test('that do not start stay off, with a short message and nothing of their inside', async () => {
    const { site, shop, install, activate } = await aSiteWithShop(engine);
    shop.offer({ entry: 'throw new Error("inside: /etc/passwd");' });
    await install('bell');
    const { status, body } = await activate('bell');
    assert.deepEqual([status, body.success, body.code], [500, false, 'activation_failed']);
    assert.deepEqual(body.data, { status: 500, slug: 'bell', installed: true, active: false, version: '1.2.0' });
    assert.doesNotMatch(body.message, /passwd|\/tmp|\.ts:\d/);
    assert.equal((await site.get('/api/bell/v1/ring')).status, 404);
  });
});
