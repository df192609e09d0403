// Plugins as clients know them, over real HTTP: which there are, and to install, switch and remove them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachEngine, type TestEngine } from '#test/databases.ts';
import { aShop } from '#test/shop.ts';
import { aSite } from '#test/site.ts';

const plugins = '/api/core/v2/plugins';

async function aSiteWithShop(engine: TestEngine) {
  const shop = aShop(engine);
  const env = { GATEHOUSE_CATALOGUE: shop.catalogue.path, GATEHOUSE_CATALOGUE_KEY: shop.key };
  const site = await aSite(engine, { env });
  return { site, shop, ...site.as('administrator') };
}

eachEngine('Plugins', (engine) => {
  test('are the extensions that are here, with what is said of each', async () => {
    const { get } = await aSiteWithShop(engine);
    const { status, body, headers } = await get(plugins);
    assert.deepEqual([status, headers.get('allow')], [200, 'GET, POST']);
    const names = body.map(({ plugin }: { plugin: string }) => plugin);
    assert.ok(names.includes('embeds/embeds') && names.includes('cross-sell/cross-sell'));
    assert.ok(!names.includes('core/core'));
    const { _links, ...one } = (await get(`${plugins}/cross-sell/cross-sell`)).body;
    assert.deepEqual(
      [one.status, one.name, one.author, one.network_only],
      ['active', 'Cross-sell', 'Gatehouse', false],
    );
    assert.match(_links.self[0].href, /core\/v2\/plugins\/cross-sell\/cross-sell$/);
    assert.deepEqual(_links.self[0].targetHints.allow, ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']);
    const found = (await get(`${plugins}?search=recommends&status=active`)).body;
    assert.deepEqual(
      found.map(({ textdomain }: { textdomain: string }) => textdomain),
      ['cross-sell'],
    );
    assert.deepEqual((await get(`${plugins}?search=recommends&status=inactive`)).body, []);
  });

  test('that come with the program are switched off and on, and their routes go and come', async () => {
    const { site, put, post, get } = await aSiteWithShop(engine);
    const embed = '/api/oembed/1.0/embed';
    assert.equal((await site.get(embed)).body.code, 'rest_missing_callback_param');
    const off = await put(`${plugins}/embeds/embeds`, { status: 'inactive' });
    assert.deepEqual([off.status, off.body.status], [200, 'inactive']);
    assert.deepEqual([(await site.get(embed)).status, (await site.get(embed)).body.code], [404, 'rest_no_route']);
    assert.equal((await site.get('/api/')).body.namespaces.includes('oembed/1.0'), false);
    const on = await post(plugins, { slug: 'embeds', status: 'active' });
    assert.deepEqual([on.status, on.body.status], [201, 'active']);
    assert.match(on.headers.get('location') ?? '', /plugins\/embeds\/embeds$/);
    assert.equal((await site.get(embed)).body.code, 'rest_missing_callback_param');
    assert.equal((await put(`${plugins}/embeds/embeds`, {})).body.status, 'active');
    assert.equal((await get(`${plugins}/embeds/embeds`)).body.status, 'active');
  });

  test('of the catalogue are installed, switched on, and removed once they are off', async () => {
    const { site, shop, post, put, get, delete: remove } = await aSiteWithShop(engine);
    shop.offer();
    const made = await post(plugins, { slug: 'bell' });
    assert.deepEqual([made.status, made.body.plugin, made.body.status], [201, 'bell/bell', 'inactive']);
    assert.deepEqual([made.body.version, made.body.author], ['1.2.0', '']);
    const bell = `${plugins}/bell/bell`;
    assert.equal((await put(bell, { status: 'active' })).body.status, 'active');
    assert.deepEqual((await site.get('/api/bell/v1/ring')).body, { ring: 'ding' });
    const still = await remove(bell);
    assert.deepEqual([still.status, still.body.code], [400, 'rest_cannot_delete_active_plugin']);
    await put(bell, { status: 'inactive' });
    const gone = await remove(bell);
    assert.deepEqual([gone.status, gone.body.deleted, gone.body.previous.plugin], [200, true, 'bell/bell']);
    assert.equal((await get(bell)).body.code, 'rest_plugin_not_found');
  });

  test('that come with the program, and those that are not there, are refused by their codes', async () => {
    const { put, post, delete: remove } = await aSiteWithShop(engine);
    const embeds = `${plugins}/embeds/embeds`;
    assert.equal((await remove(embeds)).body.code, 'rest_cannot_delete_active_plugin');
    await put(embeds, { status: 'inactive' });
    const bundled = await remove(embeds);
    assert.deepEqual([bundled.status, bundled.body.code], [400, 'rest_cannot_delete']);
    const unknown = await post(plugins, { slug: 'nope' });
    assert.deepEqual([unknown.status, unknown.body.code], [404, 'plugins_api_failed']);
    assert.equal((await put(`${plugins}/nope/nope`, { status: 'active' })).body.code, 'rest_plugin_not_found');
    assert.equal((await put(`${plugins}/core/core`, { status: 'inactive' })).body.code, 'rest_plugin_not_found');
    assert.equal((await put(embeds, { status: 'zzz' })).body.code, 'rest_invalid_param');
    assert.equal((await post(plugins, { slug: '../x' })).body.code, 'plugins_api_failed');
    assert.equal((await post(plugins, { slug: 'x'.repeat(65) })).body.code, 'rest_invalid_param');
    assert.equal((await post(plugins, {})).body.code, 'rest_missing_callback_param');
  });

  test('are for administrators', async () => {
    const { site } = await aSiteWithShop(engine);
    const embeds = `${plugins}/embeds/embeds`;
    const editor = site.as('editor');
    const refusals = [
      [await editor.get(plugins), 'rest_cannot_view_plugins'],
      [await editor.get(embeds), 'rest_cannot_view_plugin'],
      [await editor.post(plugins, { slug: 'embeds' }), 'rest_cannot_install_plugin'],
      [await editor.put(embeds, { status: 'inactive' }), 'rest_cannot_manage_plugins'],
      [await editor.put(`${plugins}/nope/nope`, { status: 'inactive' }), 'rest_cannot_manage_plugins'],
      [await editor.delete(embeds), 'rest_cannot_manage_plugins'],
    ] as const;
    for (const [{ status, body }, code] of refusals) assert.deepEqual([status, body.code], [403, code]);
    assert.equal((await site.put(embeds, { status: 'inactive' })).status, 401);
    assert.equal((await site.as('administrator').get(embeds)).body.status, 'active');
  });
});
