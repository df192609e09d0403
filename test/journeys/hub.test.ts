// A school with two sites and one overview: both sites tell a hub how they are, over HTTP, until one of them leaves.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hour, minute } from '#lib/spans.ts';
import { eachEngine } from '#test/databases.ts';
import { aHubHouse, type HubHouse } from '#test/hub-house.ts';
import { aSite, type TestSite } from '#test/site.ts';

eachEngine('Several sites and their hub', (engine) => {
  const envFor = ({ origin }: HubHouse) => ({ GATEHOUSE_FETCH_ALLOW_HOSTS: new URL(origin).host });

  /** As `gatehouse hub add` prints it for the environment of the site. */
  async function joined(hub: HubHouse, name: string, url: string): Promise<TestSite> {
    const { key } = await hub.sites.add(name);
    const named = { GATEHOUSE_HUB_URL: `${hub.origin}/api/hub/v1`, GATEHOUSE_HUB_API_KEY: key };
    return aSite(engine, { clock: hub.clock, env: { ...envFor(hub), ...named }, config: { url } });
  }
  const sync = (site: TestSite, body: object = {}) =>
    site.as('administrator').post('/api/hub-connector/v1/sync', body, { origin: site.config.url });

  test('both stand in one table, each as it is', async () => {
    const hub = await aHubHouse(engine);
    const hillside = await joined(hub, 'Hillside', 'http://hillside.test');
    const riverside = await joined(hub, 'Riverside', 'http://riverside.test');
    await hillside.as('administrator').post('/api/core/v2/posts', { title: 'Open day', status: 'publish' });
    for (const site of [hillside, riverside]) {
      const { status, body } = await sync(site);
      assert.equal(status, 200, JSON.stringify(body));
      assert.deepEqual([body.data.membership, body.data.skipped], ['full', false]);
    }
    const { body } = await hub.as('administrator').get('/api/hub/v1/sites');
    assert.deepEqual(
      body.map(({ name, address, inventory }: Listed) => [name, address, inventory.stats.posts]),
      [
        ['Hillside', 'http://hillside.test', 1],
        ['Riverside', 'http://riverside.test', 0],
      ],
    );
    const { text } = await (await hub.visitor('administrator')).get('/hub');
    assert.match(text, /http:\/\/hillside\.test\/[\s\S]*1 post, 0 pages[\s\S]*http:\/\/riverside\.test\//);
  });

  test('what was told is not told again, unless somebody wants it; and twice a day it is told by itself', async () => {
    const hub = await aHubHouse(engine);
    const site = await joined(hub, 'Hillside', 'http://hillside.test');
    await sync(site);
    hub.clock.pass(minute);
    assert.equal((await sync(site)).body.data.reason, 'unchanged');
    assert.equal((await sync(site, { force: true })).body.data.skipped, false);
    const told = async () => (await hub.sites.findByName('Hillside'))?.synced_at;
    const before = await told();
    const { jobs } = site.app.services;
    await jobs.settled();
    hub.clock.pass(13 * hour);
    await jobs.settled();
    hub.clock.pass(hour);
    await jobs.settled();
    assert.ok(String(await told()) > String(before));
  });

  test('a site that leaves is forgotten; one that came with the key of another is refused', async () => {
    const hub = await aHubHouse(engine);
    const site = await aSite(engine, { clock: hub.clock, env: envFor(hub), config: { url: 'http://hillside.test' } });
    const { key } = await hub.sites.add('Hillside');
    const given = { url: `${hub.origin}/api/hub/v1`, key };
    const group = site.app.services.settings.groups.find(({ name }) => name === 'hub')!;
    await site.app.services.settings.change(group, given, 0);
    assert.equal((await sync(site)).status, 200);

    const env = { ...envFor(hub), GATEHOUSE_HUB_URL: given.url, GATEHOUSE_HUB_API_KEY: key };
    const copy = await aSite(engine, { clock: hub.clock, env, config: { url: 'http://staging.test' } });
    const refused = await sync(copy);
    assert.deepEqual([refused.status, refused.body.code], [502, 'already_registered']);

    const left = await site.as('administrator').post('/api/hub-connector/v1/logout');
    assert.deepEqual([left.status, left.body], [200, { success: true, data: {} }]);
    assert.equal(await hub.sites.findByName('Hillside'), undefined);
    assert.equal((await sync(site)).body.code, 'not_logged_in');
    hub.clock.pass(minute);
    assert.equal((await sync(copy, { force: true })).body.code, 'hub_is_empty');
    await hub.sites.add('Riverside');
    hub.clock.pass(minute);
    assert.equal((await sync(copy, { force: true })).body.code, 'invalid_api_key_or_expired');
  });

  test('a hub that removed a site is believed, and a key that was laid down stays', async () => {
    const hub = await aHubHouse(engine);
    const site = await joined(hub, 'Hillside', 'http://hillside.test');
    await hub.sites.add('Riverside');
    await sync(site);
    const { id } = (await hub.sites.findByName('Hillside'))!;
    await hub.as('administrator').delete(`/api/hub/v1/sites/${id}`);
    hub.clock.pass(minute);
    const { status, body } = await sync(site, { force: true });
    assert.deepEqual([status, body.code], [409, 'invalid_api_key_or_expired']);
    hub.clock.pass(minute);
    assert.equal((await sync(site, { force: true })).body.code, 'invalid_api_key_or_expired');
  });
});

interface Listed {
  readonly name: string;
  readonly address: string;
  readonly inventory: { readonly stats: { readonly posts: number } };
}
