// Sites tell a hub how they are; it believes those that sign with a key it gave out, and each message once.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hour, minute, second } from '#lib/spans.ts';
import { eachEngine, type TestEngine } from '#test/databases.ts';
import { aHubHouse, headersFor, inventory, syncPath } from '#test/hub-house.ts';

const listed = '/api/hub/v1/sites';
const hillside = 'https://hillside.example';
const riverside = 'https://riverside.example';

eachEngine('A hub', (engine) => {
  test('keeps what a site tells, and says who the site is to it', async () => {
    const hub = await aHubHouse(engine);
    const { id, sync } = await hub.knows('Hillside School');
    const { status, body } = await sync(inventory(`${hillside}/`, { shoe_size: 44 }));
    assert.deepEqual([status, body], [200, { membership: 'full', hub_site_id: id, name: 'Hillside School' }]);
    const { body: site } = await hub.as('administrator').get(`${listed}/${id}`);
    assert.deepEqual(
      [site.name, site.address, site.version, site.health, site.synced_at, site.is_silent],
      ['Hillside School', hillside, '0.3.0', 'recommended', '2026-11-20T12:00:00+00:00', false],
    );
    assert.deepEqual(site.inventory, {
      client_version: '0.3.0',
      checks: { passed: 17, recommended: 2, critical: 0 },
      runtime_version: '26.10.0',
      database: 'SQLite 3.51.0',
      disk_free_bytes: 52_000_000_000,
      last_backup: '2026-11-19T02:00:00+00:00',
      stats: { posts: 12, pages: 3, comments_pending: 4, users: 2, attachments: 40, attachment_bytes: 1_000_000 },
      extensions: [{ name: 'Galleries', version: '0.3.0', active: true }],
    });
  });

  test('believes what was signed also where somebody looked at the body before', async () => {
    const hub = await aHubHouse(engine);
    hub.app.services.guards.also({ reads: () => true, read: () => undefined });
    const { sync } = await hub.knows('Hillside');
    assert.equal((await sync(inventory(hillside))).status, 200);
  });

  test('takes little as well as much: a site need not tell more than where it is', async () => {
    const hub = await aHubHouse(engine);
    const { id, sync } = await hub.knows('Small');
    assert.equal((await sync({ domain: hillside })).status, 200);
    const { body } = await hub.as('administrator').get(`${listed}/${id}`);
    assert.deepEqual([body.health, body.version, body.inventory.stats], [null, null, {}]);
  });

  test('believes nobody without a key that it gave out, and reads nothing of what they send', async () => {
    const hub = await aHubHouse(engine);
    const { key } = await hub.knows('Hillside');
    const body = JSON.stringify(inventory(hillside));
    const wrong: Record<string, string>[] = [
      { authorization: '' },
      { authorization: 'Bearer' },
      { authorization: `Bearer ${key}x` },
      { authorization: `Bearer ${key.slice(1)}` },
      { authorization: `Basic ${btoa(`admin:${key}`)}` },
      { authorization: `Bearer ${'x'.repeat(5_000)}` },
    ];
    for (const headers of wrong) {
      const said = headersFor(body, key, hub.clock(), { headers });
      const answer = await hub.request('POST', syncPath, { body, headers: said });
      assert.deepEqual([answer.status, answer.body.code], [401, 'invalid_api_key']);
    }
    const { body: sites } = await hub.as('administrator').get(listed);
    assert.equal(sites[0].synced_at, null);
  });

  test('takes no key away while it knows no site: perhaps it was started with a wrong folder', async () => {
    const [right, wrong] = [await aHubHouse(engine), await aHubHouse(engine)];
    const { key, id } = await right.knows('Hillside');
    const body = JSON.stringify(inventory(hillside));
    const send = () => wrong.request('POST', syncPath, { body, headers: headersFor(body, key, wrong.clock()) });
    const answer = await send();
    assert.deepEqual([answer.status, answer.body.code], [503, 'hub_is_empty']);
    await wrong.knows('Riverside');
    assert.equal((await send()).status, 401);
    assert.equal((await right.sites.get(id)).synced_at, null);
  });

  test('refuses what was not signed with the key, or was changed on the way', async () => {
    const hub = await aHubHouse(engine);
    const { sync, id } = await hub.knows('Hillside');
    const told = inventory(hillside);
    for (const said of [
      { signsWith: 'another key' },
      { signed: JSON.stringify(inventory(riverside)) },
      { headers: { 'x-hub-signature': '' } },
      { headers: { 'x-hub-signature': 'sha256=' } },
      { headers: { 'x-hub-signature': `sha1=${'0'.repeat(40)}` } },
    ]) {
      const { status, body } = await sync(told, said);
      assert.deepEqual([status, body.code], [403, 'hub_wrong_signature']);
    }
    assert.equal((await hub.sites.get(id)).synced_at, null);
  });

  test('takes nothing from the address, which nobody signs', async () => {
    const hub = await aHubHouse(engine);
    const { key } = await hub.knows('Hillside');
    const headers = headersFor('{}', key, hub.clock());
    const { status } = await hub.request('POST', `${syncPath}?domain=${hillside}`, { body: '{}', headers });
    assert.equal(status, 400);
  });

  test('refuses a message whose time is more than five minutes off, and says how far', async () => {
    const hub = await aHubHouse(engine);
    const { sync } = await hub.knows('Hillside');
    for (const off of [-301, 301]) {
      const { status, body } = await sync(inventory(hillside), { off });
      assert.deepEqual([status, body.code], [403, 'hub_wrong_time']);
      assert.match(body.message, /301 seconds/);
    }
    for (const time of ['', 'noon', '1e9', '-5', '9'.repeat(13)])
      assert.equal((await sync(inventory(hillside), { headers: { 'x-hub-timestamp': time } })).status, 400, time);
    for (const off of [-300, 300]) assert.equal((await sync(inventory(hillside), { off })).status, 200);
  });

  test('takes a message once, and one with the same Idempotency-Key not at all', async () => {
    const hub = await aHubHouse(engine);
    const { key, sync } = await hub.knows('Hillside');
    const body = JSON.stringify(inventory(hillside));
    const headers = headersFor(body, key, hub.clock());
    const send = (more: object = {}) => hub.request('POST', syncPath, { body, headers: { ...headers, ...more } });
    const both = await Promise.all([send(), send()]);
    assert.deepEqual(both.map(({ status }) => status).sort(), [200, 409]);
    assert.equal((await send()).body.code, 'hub_replayed');
    assert.equal((await send({ 'idempotency-key': 'another' })).body.code, 'hub_replayed');
    const again = { headers: { 'idempotency-key': headers['idempotency-key']! } };
    hub.clock.pass(9 * minute);
    assert.equal((await sync(inventory(hillside), again)).body.code, 'hub_replayed');
    hub.clock.pass(2 * minute);
    assert.equal((await send()).body.code, 'hub_wrong_time');
    assert.equal((await sync(inventory(hillside))).status, 200);
  });

  test('takes it once, too, where several processes serve the hub', async () => {
    const where = await engine.place();
    const shared: TestEngine = { ...engine, place: async () => where };
    const [one, other] = [await aHubHouse(shared), await aHubHouse(shared)];
    const { key } = await one.knows('Hillside');
    const body = JSON.stringify(inventory(hillside));
    const headers = headersFor(body, key, one.clock());
    const both = await Promise.all([one, other].map((hub) => hub.request('POST', syncPath, { body, headers })));
    assert.deepEqual(both.map(({ status }) => status).sort(), [200, 409]);
  });

  test('forgets what it heard once it is too old to be sent again', async () => {
    const hub = await aHubHouse(engine);
    const { sync } = await hub.knows('Hillside');
    const { store, jobs } = hub.app.services;
    const heard = () => store.db.selectFrom('hub_heard').selectAll().execute();
    await sync(inventory(hillside));
    await jobs.settled();
    assert.equal((await heard()).length, 2);
    hub.clock.pass(11 * minute);
    await jobs.settled();
    assert.equal((await heard()).length, 0);
  });

  test('hears a site sixty times in ten minutes, and no more', async () => {
    const hub = await aHubHouse(engine);
    const { sync } = await hub.knows('Hillside');
    const { sync: other } = await hub.knows('Riverside');
    for (let time = 0; time < 60; time++) {
      hub.clock.pass(second);
      assert.equal((await sync(inventory(hillside))).status, 200);
    }
    hub.clock.pass(second);
    const { status, headers } = await sync(inventory(hillside));
    assert.deepEqual([status, headers.get('retry-after')], [429, '600']);
    assert.equal((await other(inventory(riverside))).status, 200);
    hub.clock.pass(10 * minute);
    assert.equal((await sync(inventory(hillside))).status, 200);
  });

  test('gives a key to the site that used it first', async () => {
    const hub = await aHubHouse(engine);
    const { id, sync, unsync } = await hub.knows('Hillside');
    await sync(inventory(`${hillside}/`));
    for (const send of [sync, unsync]) {
      const { status, body } = await send(inventory('https://staging.hillside.example'));
      assert.deepEqual([status, body.code], [409, 'already_registered']);
    }
    assert.equal((await sync(inventory('HTTPS://Hillside.example'))).status, 200);
    assert.equal((await hub.sites.get(id)).address, hillside);
  });

  test('refuses what is no message, and keeps nothing of it', async () => {
    const hub = await aHubHouse(engine);
    const { id, sync } = await hub.knows('Hillside');
    const odd: [told: unknown, status: number, code: string][] = [
      ['{', 400, 'rest_invalid_json'],
      ['', 400, 'rest_missing_callback_param'],
      ['[1,2]', 400, 'rest_missing_callback_param'],
      ['null', 400, 'rest_missing_callback_param'],
      [{ domain: '' }, 400, 'rest_invalid_param'],
      [{ domain: 'javascript:alert(1)' }, 400, 'rest_invalid_param'],
      [{ domain: 'hillside' }, 400, 'rest_invalid_param'],
      [{ domain: 'https://ada:secret@hillside.example' }, 400, 'rest_invalid_param'],
      [{ domain: `${hillside}/${'x'.repeat(400)}` }, 400, 'rest_invalid_param'],
      [inventory(hillside, { health: { status: 'splendid' } }), 400, 'rest_invalid_param'],
      [inventory(hillside, { health: 'good' }), 400, 'rest_invalid_param'],
      [inventory(hillside, { health: { last_backup: 'yesterday' } }), 400, 'rest_invalid_param'],
      [inventory(hillside, { health: { last_backup: '2016-12-31T23:59:60Z' } }), 400, 'rest_invalid_param'],
      [inventory(hillside, { health: { last_backup: '9999-12-31T23:59:59-14:00' } }), 400, 'rest_invalid_param'],
      [inventory(hillside, { stats: { posts: -1 } }), 400, 'rest_invalid_param'],
      [inventory(hillside, { stats: { posts: 1e300 } }), 400, 'rest_invalid_param'],
      [inventory(hillside, { app_version: 'x'.repeat(300) }), 400, 'rest_invalid_param'],
      [inventory(hillside, { padding: 'x'.repeat(1024 * 1024) }), 413, 'rest_body_too_large'],
    ];
    for (const [told, status, code] of odd) {
      const { status: got, body } = await sync(told);
      assert.deepEqual([got, body?.code], [status, code], JSON.stringify(told).slice(0, 80));
    }
    const form = await sync(`domain=${hillside}`, { headers: { 'content-type': 'application/x-www-form-urlencoded' } });
    assert.equal(form.status, 400);
    const { address, synced_at } = await hub.sites.get(id);
    assert.deepEqual([address, synced_at], [null, null]);
  });

  test('keeps of very many extensions as many as somebody reads', async () => {
    const hub = await aHubHouse(engine);
    const { id, sync } = await hub.knows('Hillside');
    const plugins = Object.fromEntries(Array.from({ length: 900 }, (_, at) => [`p${at}`, { name: `P ${at}` }]));
    assert.equal((await sync(inventory(hillside, { packages: { plugins } }))).status, 200);
    assert.equal((await hub.sites.get(id)).inventory?.extensions.length, 200);
  });

  test('forgets a site that leaves, and its key with it', async () => {
    const hub = await aHubHouse(engine);
    const { id, sync, unsync } = await hub.knows('Hillside');
    const { sync: stays } = await hub.knows('Riverside');
    await sync(inventory(hillside));
    assert.deepEqual((await unsync({ client_version: '0.3.0', domain: hillside })).body, { forgotten: true });
    assert.equal((await sync(inventory(hillside))).status, 401);
    await assert.rejects(hub.sites.get(id), { code: 'hub_site_not_found' });
    assert.equal((await stays(inventory(riverside))).status, 200);
  });

  test('keeps nothing of a site that is paused, and tells it so', async () => {
    const hub = await aHubHouse(engine);
    const { id, sync } = await hub.knows('Hillside');
    const { body } = await hub.as('administrator').patch(`${listed}/${id}`, { membership: 'paused' });
    assert.equal(body.membership, 'paused');
    assert.equal((await sync(inventory(hillside))).body.membership, 'paused');
    assert.equal((await hub.sites.get(id)).synced_at, null);
    await hub.as('administrator').patch(`${listed}/${id}`, { membership: 'full' });
    hub.clock.pass(second);
    assert.equal((await sync(inventory(hillside))).body.membership, 'full');
  });

  test('tells its health when sites are silent for 36 hours', async () => {
    const hub = await aHubHouse(engine);
    const path = '/api/core-site-health/v1/tests/hub-silence';
    const look = async () => (await hub.as('administrator').get(path)).body;
    const { sync } = await hub.knows('Hillside');
    const { id } = await hub.knows('Riverside');
    hub.clock.pass(30 * hour);
    assert.equal((await look()).status, 'good');
    await sync(inventory(hillside));
    hub.clock.pass(7 * hour);
    const { status, label, description } = await look();
    assert.equal(status, 'recommended');
    assert.match(label + description, /1 of 2 sites sent no report for 36 hours/);
    await hub.sites.join(id, 'paused', {});
    assert.equal((await look()).status, 'good');
  });
});
