// Hubs that are away, broken, or mean no good.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { second } from '#lib/spans.ts';
import { eachEngine } from '#test/databases.ts';
import { slowTime } from '#test/guarded.ts';
import { aHub, answering, fixedSite, type HubDouble, hubKey, idle, pleased, stateOf } from '#test/hub-double.ts';
import { endless } from '#test/remote.ts';
import { noon, type SiteOptions, type TestSite } from '#test/site.ts';

const path = '/api/hub-connector/v1/sync';
const sync = (site: TestSite, body?: object) => site.as('administrator').post(path, body);

const waiting = async ({ app }: TestSite) =>
  (await app.services.jobs.list({ kind: 'hub-connector.sync', status: 'queued', most: 100 })).map(
    ({ run_at }) => run_at,
  );

eachEngine('A hub that does not answer as it should', (engine) => {
  const cases: [about: string, answer: HubDouble['answer'], status: number, code: string][] = [
    ['answers a page', answering(200, '<html>', 'text/html'), 502, 'invalid_api_response'],
    ['answers a page that calls itself data', answering(200, '<html>'), 502, 'invalid_api_response'],
    ['answers nothing', answering(200, ''), 502, 'invalid_api_response'],
    ['answers null', answering(200, 'null'), 502, 'invalid_api_response'],
    ['answers a list', answering(200, []), 502, 'invalid_api_response'],
    ['answers a text', answering(200, '"full"'), 502, 'invalid_api_response'],
    ['says nothing of membership', answering(200, { hub_site_id: 7 }), 502, 'invalid_api_response'],
    ['says a number of membership', answering(200, { membership: 5 }), 502, 'invalid_api_response'],
    ['says a blank of membership', answering(200, { membership: ' ' }), 502, 'invalid_api_response'],
    ['steers whoever reads it', answering(200, { membership: 'full\u001b[2J' }), 502, 'invalid_api_response'],
    ['says far too much of it', answering(200, { membership: 'x'.repeat(65) }), 502, 'invalid_api_response'],
    ['answers without an end', endless('application/json', '{"membership":"'), 502, 'invalid_api_response'],
    ['answers with another success', answering(201, { membership: 'full' }), 502, 'api_error'],
    ['answers without content', (_, response) => response.writeHead(204).end(), 502, 'api_error'],
    ['breaks', answering(500, '<h1>Oh no</h1>', 'text/html'), 502, 'api_error'],
    ['breaks, without an end', (_, response) => response.writeHead(500).destroy(), 502, 'api_error'],
    ['gives a reason without a code', answering(500, { message: 'No.' }), 502, 'api_error'],
    ['gives a code that is none', answering(500, { code: '<script>', message: 'No.' }), 502, 'api_error'],
    ['hangs up', (_, response) => response.destroy(), 502, 'api_error'],
    ['is somebody’s already', answering(409, { code: 'already_registered' }), 502, 'already_registered'],
    ['wants to be paid', answering(402, { code: 'expired_membership', message: 1 }), 502, 'expired_membership'],
  ];
  test('is said to do so, and is asked again after a pause', async () => {
    const hub = await aHub(engine);
    const site = await fixedSite(engine, hub);
    for (const [at, [about, answer, expected, code]] of cases.entries()) {
      hub.answer = answer;
      const { status, body } = await sync(site, { force: true });
      assert.deepEqual([status, body.success, body.code, body.data.status], [expected, false, code, expected], about);
      assert.equal(body.error, body.message);
      assert.equal(hub.told.length, at + 1, about);
      const [state = assert.fail(), ...others] = await stateOf(site);
      assert.deepEqual([others, state.fails, state.membership, state.synced_at], [[], at + 1, null, null], about);
    }
    assert.equal((await waiting(site)).length, cases.length);
    assert.ok(!JSON.stringify(site.log.lines).includes(hubKey));
  });

  test('is read as text where it gives a reason', async () => {
    const hub = await aHub(engine);
    const site = await fixedSite(engine, hub);
    const message = `<p>Two sites &amp; one <b>key</b>.\u001b[2J</p>${'x'.repeat(1_000)}`;
    hub.answer = answering(409, { code: 'already_registered', message });
    const { body } = await sync(site);
    assert.ok(body.error.startsWith('Two sites & one key.\u{fffd}[2Jx'), body.error);
    assert.equal(body.error.length, 300);
  });

  test('says back the key in vain: nobody is shown it, and it is not kept', async () => {
    const hub = await aHub(engine);
    const site = await fixedSite(engine, hub);
    for (const [answer, error] of [
      [{ code: 'bad_key', message: `Unknown key ${hubKey}.` }, 'Unknown key ….'],
      [{ code: hubKey, message: 'No.' }, 'The hub answered with an error (403).'],
    ] as const) {
      hub.answer = answering(403, answer);
      assert.equal((await sync(site, { force: true })).body.error, error);
    }
    hub.answer = answering(200, { membership: hubKey });
    assert.equal((await sync(site, { force: true })).body.code, 'invalid_api_response');
    const { db } = site.app.services.store;
    const turns = await db.selectFrom('leases').selectAll().execute();
    assert.ok(!JSON.stringify([turns, await stateOf(site)]).includes(hubKey));
  });

  test('leads nowhere: what it is told is not told to others, in this house or elsewhere', async () => {
    const [hub, inside] = [await aHub(engine), await aHub(engine)];
    const site = await fixedSite(engine, hub);
    for (const to of [`${inside.base}/hub-sync`, 'http://169.254.169.254/latest', `${hub.base}/elsewhere`])
      for (const status of [301, 302, 303, 307, 308]) {
        hub.answer = (_, response) => response.writeHead(status, { Location: to }).end();
        const before = hub.told.length;
        const { body } = await sync(site, { force: true });
        assert.equal(body.code, 'api_error', `${status} ${to}`);
        assert.equal(hub.told.length, before + 1);
      }
    assert.equal(inside.told.length, 0);
  });

  test('is waited for fifteen seconds', async () => {
    const hub = await aHub(engine);
    const time = slowTime();
    const asked = Promise.withResolvers<void>();
    hub.answer = () => asked.resolve();
    const site = await fixedSite(engine, hub, world(time.later));
    const syncing = sync(site);
    await asked.promise;
    time.pass(14_999);
    assert.equal(time.waiting(), 1);
    time.pass(15_000);
    const { status, body } = await syncing;
    assert.deepEqual([status, body.code], [504, 'api_error']);
  });

  test('is not asked where it is in this house', async () => {
    const hub = await aHub(engine);
    const site = await fixedSite(engine, { ...hub, host: '127.0.0.1:1' });
    const { status, body } = await sync(site);
    assert.deepEqual([status, body.success, body.code], [400, false, 'unsafe_url']);
    assert.equal(hub.told.length, 0);
  });

  test('and is not there is said to be away', async () => {
    const hub = await aHub(engine);
    const site = await fixedSite(engine, hub);
    await hub.close();
    const { status, body } = await sync(site);
    assert.deepEqual([status, body.code], [502, 'api_error']);
  });
});

const world = (after: ReturnType<typeof slowTime>['later']): SiteOptions =>
  ({ world: { lookup: async () => [], after } }) as SiteOptions;

eachEngine('The pause after a hub failed', (engine) => {
  test('is five times as long each time, an hour at most, and over once it took what it was told', async () => {
    const hub = await aHub(engine);
    let now = noon;
    const site = await fixedSite(engine, hub, { clock: () => now });
    // The retries are looked at here, and not made beside what is asked for.
    site.app.services.jobs.forget({ kinds: ['hub-connector.sync'], schedules: [] });
    hub.answer = answering(500, '');
    for (const seconds of [5, 25, 125, 625, 3125, 3600, 3600]) {
      assert.equal((await sync(site)).body.code, 'api_error');
      const before = hub.told.length;
      const next = now.getTime() + seconds * second;
      assert.ok((await waiting(site)).includes(new Date(next).toISOString()), 'it is tried again by itself');
      now = new Date(next - 1);
      const { status, body } = await sync(site);
      assert.equal(status, 200);
      const { skipped, reason, membership, synced_at } = body.data;
      assert.deepEqual([skipped, reason, membership, synced_at], [true, 'backoff', '', null]);
      assert.equal(hub.told.length, before);
      now = new Date(next);
    }
    hub.answer = pleased;
    assert.equal((await sync(site)).body.data.skipped, false);
    assert.equal((await stateOf(site))[0]?.fails, 0);
  });

  test('is no pause for who insists', async () => {
    const hub = await aHub(engine);
    const site = await fixedSite(engine, hub);
    hub.answer = answering(500, '');
    await sync(site);
    await sync(site, { force: true });
    assert.equal(hub.told.length, 2);
    assert.equal((await stateOf(site))[0]?.fails, 2);
  });

  /** The hub is well again by the time of the next try, which is now. */
  const failedOnce = async () => {
    const hub = await aHub(engine);
    let now = noon;
    const site = await fixedSite(engine, hub, { clock: () => now });
    hub.answer = answering(500, '');
    await sync(site);
    hub.answer = pleased;
    now = new Date(noon.getTime() + 5 * second);
    return { hub, site };
  };

  test('ends in another try that nobody asks for', async () => {
    const { hub, site } = await failedOnce();
    await idle(site);
    assert.equal(hub.told.length, 2);
    assert.equal((await stateOf(site))[0]?.membership, 'full');
    assert.deepEqual(await waiting(site), []);
  });

  test('ends in a try of its own, not beside what else was planned', async () => {
    const { hub, site } = await failedOnce();
    site.app.services.events.emit('extension.changed', { slug: 'embeds', change: 'activated', by: 0 });
    await idle(site);
    const jobs = await site.app.services.jobs.list({ kind: 'hub-connector.sync', most: 100 });
    assert.deepEqual(jobs.map(({ result }) => result?.reason).sort(), [null, 'unchanged'].sort());
    assert.equal(hub.told.length, 2);
  });

  test('is answered with what the hub said before', async () => {
    const hub = await aHub(engine);
    const site = await fixedSite(engine, hub);
    await sync(site);
    hub.answer = answering(500, '');
    await sync(site, { force: true });
    const { data } = (await sync(site)).body;
    assert.deepEqual([data.reason, data.membership, data.hub_site_id], ['unchanged', 'full', 7], 'as nothing is new');
  });
});
