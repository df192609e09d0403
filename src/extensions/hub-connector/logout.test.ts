import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import { Problem } from '#kernel/problem.ts';
import { second } from '#lib/spans.ts';
import { eachEngine } from '#test/databases.ts';
import {
  aHub,
  answering,
  fixedSite,
  hubGroupOf,
  hubKey,
  idle,
  join,
  joinedSite,
  overtaken,
  pleased,
  setHub,
} from '#test/hub-double.ts';
import { aSite, noon, type TestSite } from '#test/site.ts';
import type { HubConnector } from './routes.ts';

const path = '/api/hub-connector/v1/logout';
const logout = (site: TestSite) => site.as('administrator').post(path);
const sync = (site: TestSite, body?: object) => site.as('administrator').post('/api/hub-connector/v1/sync', body);

const keptOf = async ({ app }: TestSite) => {
  const { settings, store } = app.services;
  const { url, key } = await settings.read(hubGroupOf(settings.groups));
  const state = await store.db.selectFrom('hub_connector_state').selectAll().execute();
  return { url, key, state: state.map(({ target, ...rest }) => rest) };
};

/** Of a site that left: that it did. */
const nothing = [
  {
    id: 1,
    hash: null,
    synced_at: null,
    fails: 0,
    tried_at: null,
    hub_site_id: 0,
    refusal: null,
    membership: 'left',
  },
];

eachEngine('A site that leaves its hub', (engine) => {
  test('tells the hub, forgets what it knew of it, and is told no more', async () => {
    const hub = await aHub(engine);
    const site = await joinedSite(engine, hub);
    hub.answer = answering(200, {});
    const { status, body } = await logout(site);
    assert.deepEqual([status, body], [200, { success: true, data: {} }]);
    const { method, path: asked, headers, text, body: said } = hub.told[1] ?? assert.fail();
    assert.deepEqual([method, asked], ['DELETE', '/api/hub/v1/hub-unsync']);
    assert.deepEqual(Object.keys(said), ['client_version', 'domain']);
    assert.equal(said.domain, 'http://site.test');
    const signature = createHmac('sha256', hubKey)
      .update(`${noon.getTime() / second}.${text}`)
      .digest('hex');
    assert.equal(headers['x-hub-signature'], `sha256=${signature}`);
    assert.equal(headers.authorization, `Bearer ${hubKey}`);
    assert.equal(headers['x-hub-site-id'], '7');
    assert.deepEqual(await keptOf(site), { url: hub.base, key: '', state: nothing });
    site.app.services.events.emit('extension.changed', { slug: 'embeds', change: 'deactivated', by: 0 });
    await idle(site);
    assert.equal(hub.told.length, 2);
    assert.equal((await logout(site)).body.code, 'not_logged_in');
    assert.equal((await sync(site)).body.code, 'not_logged_in');
    assert.ok(!JSON.stringify(site.log.lines).includes(hubKey));
  });

  test('comes back as one that was never there', async () => {
    const hub = await aHub(engine);
    const site = await joinedSite(engine, hub);
    await logout(site);
    await join(site, { key: hubKey });
    assert.equal(hub.told.length, 3);
    assert.equal(hub.told[2]?.headers['x-hub-site-id'], undefined);
  });

  test('leaves it also where the hub is away, refuses or breaks', async () => {
    const hub = await aHub(engine);
    const site = await joinedSite(engine, hub);
    for (const answer of [
      answering(500, '<h1>', 'text/html'),
      answering(401, { code: 'no' }),
      answering(302, ''),
      (_: unknown, response: { destroy(): void }) => response.destroy(),
    ]) {
      hub.answer = answer as never;
      const { status, body } = await logout(site);
      assert.deepEqual([status, body], [200, { success: true, data: { remote: 'failed' } }]);
      assert.deepEqual((await keptOf(site)).state, nothing);
      hub.answer = answering(200, { membership: 'full' });
      await join(site, { key: hubKey });
    }
    await hub.close();
    assert.deepEqual((await logout(site)).body, { success: true, data: { remote: 'failed' } });
    assert.equal((await keptOf(site)).key, '');
  });

  test('was there before: else there is nothing to leave', async () => {
    const hub = await aHub(engine);
    const site = await aSite(engine, { env: { GATEHOUSE_FETCH_ALLOW_HOSTS: hub.host } });
    const refused = async () => {
      const { status, body } = await logout(site);
      return [status, body.success, body.code, typeof body.error];
    };
    assert.deepEqual(await refused(), [409, false, 'not_logged_in', 'string']);
    hub.answer = answering(500, '');
    await join(site, { url: hub.base, key: hubKey });
    assert.deepEqual(await refused(), [409, false, 'not_logged_in', 'string'], 'the hub never took what it was told');
    assert.equal((await keptOf(site)).key, hubKey);
  });

  test('does not leave it where the operator laid the key down', async () => {
    const hub = await aHub(engine);
    const site = await fixedSite(engine, hub);
    await sync(site);
    const { status, body } = await logout(site);
    assert.deepEqual([status, body.success, body.code], [409, false, 'key_is_fixed']);
    assert.equal(hub.told.length, 1);
    assert.equal((await keptOf(site)).state[0]?.membership, 'full');
  });

  test('has somebody who may do so', async () => {
    const hub = await aHub(engine);
    const site = await joinedSite(engine, hub);
    for (const method of ['POST', 'PUT', 'PATCH']) {
      assert.equal((await site.request(method, path)).status, 401);
      const { status, body } = await site.as('editor').request(method, path);
      assert.deepEqual([status, body.success, body.code], [403, false, 'rest_forbidden']);
    }
    assert.equal(hub.told.length, 1);
    assert.equal((await keptOf(site)).key, hubKey);
  });

  test('is not left by who lost the right to while the hub was asked', async () => {
    const hub = await aHub(engine);
    const site = await joinedSite(engine, hub);
    await site.credentials('administrator'); // one has to stay
    const other = await site.user({ login: 'other', roles: ['administrator'] });
    const { users } = site.app.services.identity;
    hub.answer = async (request, response) => {
      await users.change(other, { roles: ['editor'] });
      answering(200, {})(request, response);
    };
    const { status, body } = await site.asUser(other).post(path);
    assert.deepEqual([status, body.success], [403, false]);
    assert.equal((await keptOf(site)).key, hubKey);
  });

  test('is not forgotten by who lost the right to after the write that found another key', async () => {
    const hub = await aHub(engine);
    const site = await joinedSite(engine, hub);
    const { logout: leave } = site.app.table.match('POST', '/hub-connector/v1/logout')!.entry!.use as HubConnector;
    hub.answer = async (request, response) => {
      hub.answer = pleased;
      await setHub(site, { key: `${hubKey}-2` });
      answering(200, {})(request, response);
    };
    // For the turn, for the write that is undone because of that key, and for the one that follows.
    const may = [true, true, false];
    const again = async () => {
      if (!may.shift()) throw new Problem(403, 'rest_forbidden', 'Not any more.');
    };
    await assert.rejects(leave({ by: 0, again }), { code: 'rest_forbidden' });
    assert.deepEqual(may, []);
    await idle(site);
    assert.equal((await keptOf(site)).key, `${hubKey}-2`);
  });

  test('is not forgotten by who took so long that another speaks with the hub by now', async () => {
    const hub = await aHub(engine);
    const site = await joinedSite(engine, hub);
    const before = await keptOf(site);
    hub.answer = async (request, response) => {
      await overtaken(site);
      answering(200, {})(request, response);
    };
    const { status, body } = await logout(site);
    assert.deepEqual([status, body.success, body.code], [504, false, 'api_error']);
    assert.deepEqual(await keptOf(site), before);
  });

  test('is forgotten by a site that stops before the hub has answered', async () => {
    const hub = await aHub(engine);
    const site = await joinedSite(engine, hub);
    const asked = Promise.withResolvers<void>();
    hub.answer = () => asked.resolve();
    const [one, other] = [logout(site), logout(site)];
    await asked.promise;
    await site.app.services.jobs.stop();
    const [first, second] = (await Promise.all([one, other])).toSorted((a, b) => a.status - b.status);
    assert.deepEqual([first?.status, first?.body], [200, { success: true, data: { remote: 'failed' } }]);
    assert.ok(second?.status === 503 || second?.status === 409, 'who waited meanwhile is told so');
    assert.deepEqual([(await keptOf(site)).key, (await keptOf(site)).state], ['', nothing]);
  });

  test('is not left by a site that is stopping already', async () => {
    const hub = await aHub(engine);
    const site = await joinedSite(engine, hub);
    await site.credentials('administrator');
    await site.app.services.jobs.stop();
    const { status, headers, body } = await logout(site);
    assert.deepEqual([status, body.success, body.code, headers.get('retry-after')], [503, false, 'api_error', '30']);
    assert.deepEqual([hub.told.length, (await keptOf(site)).key], [1, hubKey]);
  });
});
