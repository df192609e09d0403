import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hour, minute } from '#lib/spans.ts';
import { eachEngine } from '#test/databases.ts';
import { aHub, answering, fixedSite, hubKey, idle, join, joinedSite, pleased, setHub } from '#test/hub-double.ts';
import { aSite, noon, type TestSite } from '#test/site.ts';

const jobs = ({ app }: TestSite) => app.services.jobs.list({ kind: 'hub-connector.sync', most: 100 });

eachEngine('A site that nobody asks to tell its hub', (engine) => {
  test('tells it a minute after it was started with a key, and not again for that', async () => {
    const hub = await aHub(engine);
    let now = noon;
    const site = await fixedSite(engine, hub, { clock: () => now });
    await idle(site);
    assert.equal(hub.told.length, 0);
    for (const minutes of [1, 2, 30]) {
      now = new Date(noon.getTime() + minutes * minute);
      await idle(site);
      assert.equal(hub.told.length, 1);
    }
  });

  test('tells it twice a day, at a moment of the half hour that follows', async () => {
    const hub = await aHub(engine);
    let now = noon;
    const site = await joinedSite(engine, hub, { clock: () => now });
    for (const half of [1, 2]) {
      const due = noon.getTime() + half * 12 * hour;
      now = new Date(due);
      await idle(site);
      const [job = assert.fail()] = await jobs(site);
      const late = Date.parse(job.run_at) - due;
      assert.ok(late >= 0 && late < 30 * minute, job.run_at);
      now = new Date(due + 30 * minute);
      await idle(site);
      assert.equal(hub.told.length, 1 + half);
      now = new Date(due);
    }
  });

  test('shows the key of one hub to no other, however long it waits', async () => {
    const [one, other] = [await aHub(engine), await aHub(engine)];
    let now = noon;
    const env = { GATEHOUSE_FETCH_ALLOW_HOSTS: `${one.host},${other.host}` };
    for (const way of [[other.base], [null, other.base]]) {
      now = noon;
      const site = await aSite(engine, { clock: () => now, env });
      await join(site, { url: one.base, key: hubKey });
      for (const url of way) await join(site, { url });
      now = new Date(noon.getTime() + 13 * hour);
      await idle(site);
      assert.equal(other.told.length, 0);
      const { status, body } = await site.as('administrator').post('/api/hub-connector/v1/sync', { force: true });
      assert.deepEqual([status, body.code], [409, 'not_logged_in']);
    }
  });

  test('looks whether there is something to tell once an extension came, went or was switched', async () => {
    const hub = await aHub(engine);
    const site = await joinedSite(engine, hub);
    for (const change of ['installed', 'activated', 'deactivated', 'removed', 'updated'] as const) {
      const before = (await jobs(site)).length;
      site.app.services.events.emit('extension.changed', { slug: 'embeds', change, by: 0 });
      await idle(site);
      const done = await jobs(site);
      assert.equal(done.length, before + 1);
      assert.deepEqual([done[0]?.status, done[0]?.result?.reason], ['done', 'unchanged'], 'nothing was another');
    }
  });

  test('tells it that an extension was switched off', async () => {
    const hub = await aHub(engine);
    const site = await joinedSite(engine, hub);
    const plugin = 'embeds/embeds';
    const admin = site.as('administrator');
    const { status } = await admin.post(`/api/core/v2/plugins/${plugin}`, { status: 'inactive' });
    assert.equal(status, 200);
    await idle(site);
    assert.deepEqual(
      hub.told.map(({ body }) => body.packages.plugins[plugin].active),
      [true, false],
    );
  });

  test('writes down why it could not, and tries again by itself', async () => {
    const hub = await aHub(engine);
    hub.answer = answering(409, { code: 'already_registered', message: 'Another site has this key.' });
    const site = await joinedSite(engine, hub);
    const [retry, failed] = await jobs(site);
    assert.deepEqual([retry?.status, failed?.status], ['queued', 'failed']);
    assert.deepEqual(await site.app.services.jobs.errors(failed!.id, { skipped: 0, most: 1 }), [
      { item: '', code: 'already_registered', message: 'Another site has this key.' },
    ]);
  });

  test('waits for no hub when it stops, and takes it up again later', async () => {
    const hub = await aHub(engine);
    const asked = Promise.withResolvers<void>();
    hub.answer = () => asked.resolve();
    const site = await aSite(engine, { env: { GATEHOUSE_FETCH_ALLOW_HOSTS: hub.host } });
    await setHub(site, { url: hub.base, key: hubKey });
    await asked.promise;
    await site.app.services.jobs.stop();
    assert.deepEqual(
      (await jobs(site)).map(({ status }) => status),
      ['queued'],
    );
    const { db } = site.app.services.store;
    const [lease] = await db.selectFrom('leases').selectAll().execute();
    assert.ok(lease!.until <= noon.toISOString());
    assert.equal(JSON.parse(lease!.detail).outcome, undefined);
    assert.deepEqual(await db.selectFrom('hub_connector_state').selectAll().execute(), []);
  });

  test('does not keep somebody waiting for the hub when it stops, and holds nothing against the hub', async () => {
    const hub = await aHub(engine);
    const asked = Promise.withResolvers<void>();
    hub.answer = () => asked.resolve();
    const site = await fixedSite(engine, hub);
    const sync = () => site.as('administrator').post('/api/hub-connector/v1/sync');
    const [one, other] = [sync(), sync()];
    await asked.promise;
    await site.app.services.jobs.stop();
    for (const { status, headers, body } of await Promise.all([one, other]))
      assert.deepEqual([status, body.success, body.code, headers.get('retry-after')], [503, false, 'api_error', '30']);
    assert.equal(hub.told.length, 1);
    const { db } = site.app.services.store;
    assert.deepEqual(await db.selectFrom('hub_connector_state').selectAll().execute(), []);
  });

  test('has nothing to do while it is on its own', async () => {
    let now = noon;
    const site = await aSite(engine, { clock: () => now });
    now = new Date(noon.getTime() + 13 * hour);
    await idle(site);
    site.app.services.events.emit('extension.changed', { slug: 'embeds', change: 'activated', by: 0 });
    await idle(site);
    assert.deepEqual(await jobs(site), []);
  });

  test('lets go of what was planned once it has left', async () => {
    const hub = await aHub(engine);
    let now = noon;
    const site = await joinedSite(engine, hub, { clock: () => now });
    now = new Date(noon.getTime() + 12 * hour);
    await idle(site);
    assert.equal((await site.as('administrator').post('/api/hub-connector/v1/logout')).status, 200);
    const before = hub.told.length;
    now = new Date(noon.getTime() + 13 * hour);
    await idle(site);
    const [planned] = await jobs(site);
    assert.equal(planned?.status, 'done');
    assert.equal(hub.told.length, before);
  });
});

eachEngine('Whoever looks after a site sees of its hub', (engine) => {
  const look = async (site: TestSite) => {
    const { body } = await site.as('administrator').get('/api/core-site-health/v1/tests/hub-connector');
    return [body.status, body.label];
  };

  test('whether it hears of the site', async () => {
    const hub = await aHub(engine);
    let now = noon;
    const env = { GATEHOUSE_FETCH_ALLOW_HOSTS: hub.host };
    const site = await aSite(engine, { clock: () => now, env });
    assert.deepEqual(await look(site), ['good', 'Hub: this site has no hub']);
    await join(site, { url: hub.base });
    assert.deepEqual(await look(site), ['recommended', 'Hub: the URL is set, but not the key']);
    hub.answer = answering(500, '');
    await join(site, { key: 'some-key-that-is-long' });
    assert.deepEqual(await look(site), ['recommended', 'Hub: it has never accepted a report']);
    hub.answer = pleased;
    await site.as('administrator').post('/api/hub-connector/v1/sync', { force: true });
    assert.deepEqual(await look(site), ['good', 'Hub: got a report less than 1 hour ago']);
    now = new Date(noon.getTime() + 35 * hour);
    assert.deepEqual(await look(site), ['good', 'Hub: got a report 35 hours ago']);
    now = new Date(noon.getTime() + 36 * hour);
    assert.deepEqual(await look(site), ['recommended', 'Hub: it got the last report 36 hours ago']);
    hub.answer = answering(200, { membership: 'expired' });
    await site.as('administrator').post('/api/hub-connector/v1/sync', { force: true });
    assert.deepEqual(await look(site), ['recommended', 'Hub: it no longer monitors this site: expired']);
    assert.deepEqual(await site.app.services.health.remotes(), [{ name: 'the hub', url: hub.base }]);
    await join(site, { url: null });
    assert.deepEqual(await look(site), ['good', 'Hub: this site has no hub']);
    await join(site, { key: hubKey });
    assert.deepEqual(await look(site), ['recommended', 'Hub: the key is set, but not the URL']);
    await join(site, { url: 'http://hub.example/api/hub/v1' });
    assert.deepEqual(await look(site), ['recommended', 'Hub: others on the network can read the reports to the hub']);
  });
});
