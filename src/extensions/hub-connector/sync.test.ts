import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { before, describe, test } from 'node:test';
import { hour, second } from '#lib/spans.ts';
import { setMark } from '#site/health/marks.ts';
import { eachEngine } from '#test/databases.ts';
import {
  aHub,
  answering,
  fixedSite,
  type HubDouble,
  hubKey,
  idle,
  join,
  joinedSite,
  pleased,
  setHub,
} from '#test/hub-double.ts';
import { demoted, letIn } from '#test/let-in.ts';
import { aSite, noon, type TestSite } from '#test/site.ts';

const path = '/api/hub-connector/v1/sync';

eachEngine('A site that tells its hub how it is', (engine) => {
  let hub: HubDouble;
  let site: TestSite;
  let now = noon;
  const later = async (milliseconds: number): Promise<void> => {
    now = new Date(noon.getTime() + milliseconds);
    await idle(site); // what is late by then would be news
  };
  const sync = (body?: object) => site.as('administrator').post(path, body);

  before(async () => {
    hub = await aHub(engine);
    site = await fixedSite(engine, hub, { clock: () => now });
  });

  test('answers what the hub makes of it', async () => {
    const { status, body } = await sync();
    assert.equal(status, 200);
    assert.deepEqual(body, {
      success: true,
      data: {
        synced_at: '2026-11-20T12:00:00+00:00',
        skipped: false,
        reason: null,
        membership: 'full',
        hub_site_id: 7,
      },
    });
    assert.equal(hub.told.length, 1);
  });

  test('says who it is by its key, and signs what it says', () => {
    const [{ method, path, headers, text } = assert.fail()] = hub.told;
    assert.deepEqual([method, path], ['POST', '/api/hub/v1/hub-sync']);
    assert.equal(headers['content-type'], 'application/json');
    assert.equal(headers.authorization, `Bearer ${hubKey}`);
    assert.equal(headers['x-hub-timestamp'], String(noon.getTime() / second));
    const signature = createHmac('sha256', hubKey)
      .update(`${noon.getTime() / second}.${text}`)
      .digest('hex');
    assert.equal(headers['x-hub-signature'], `sha256=${signature}`);
    assert.match(headers['idempotency-key'] ?? '', /^[0-9a-f-]{36}$/);
    assert.equal(headers['x-hub-site-id'], undefined, 'which nobody knows yet');
    assert.equal(headers.cookie, undefined);
  });

  test('tells it within six hours only what is new', async () => {
    const skipped = { membership: 'full', hub_site_id: 7, skipped: true, synced_at: '2026-11-20T12:00:00+00:00' };
    await later(6 * hour - 1);
    assert.deepEqual((await sync()).body.data, { ...skipped, reason: 'unchanged' });
    assert.equal(hub.told.length, 1);
    await later(6 * hour);
    assert.equal((await sync()).body.data.synced_at, '2026-11-20T18:00:00+00:00');
    assert.equal(hub.told.length, 2);
    assert.equal(hub.told[1]?.headers['x-hub-site-id'], '7');
    assert.notEqual(hub.told[1]?.headers['idempotency-key'], hub.told[0]?.headers['idempotency-key']);
    await site.as('administrator').post('/api/core/v2/posts', { title: 'One more', status: 'publish' });
    assert.equal((await sync()).body.data.reason, 'unchanged', 'one post more is no news');
    await setMark(site.app.services.store, 'backup', now);
    assert.equal((await sync()).body.data.reason, null);
    assert.equal(hub.told.length, 3);
    assert.equal(hub.told[2]?.body.health.last_backup, '2026-11-20T18:00:00+00:00');
  });

  test('tells it again when somebody insists', async () => {
    for (const [method, force] of [
      ['POST', true],
      ['PUT', '1'],
      ['PATCH', 'true'],
    ] as const) {
      const before = hub.told.length;
      const { body } = await site.as('administrator').request(method, path, { body: { force } });
      assert.equal(body.data.skipped, false, method);
      assert.equal(hub.told.length, before + 1);
    }
  });

  test('signs something else each time, so that a hub that takes each message once takes both', async () => {
    const before = hub.told.length;
    await sync({ force: true });
    await sync({ force: true });
    const signatures = hub.told.slice(before).map(({ headers }) => headers['x-hub-signature']);
    assert.equal(new Set(signatures).size, 2);
  });

  test('tells it when its clock was put back', async () => {
    await later(-1);
    assert.equal((await sync()).body.data.skipped, false);
    await later(0);
  });

  test('tells it once when several ask at the same time', async () => {
    const before = hub.told.length;
    const { answer } = hub;
    const asked = Promise.withResolvers<void>();
    const go = Promise.withResolvers<void>();
    hub.answer = async (request, response) => {
      asked.resolve();
      await go.promise;
      answer(request, response);
    };
    const first = sync({ force: true });
    await asked.promise;
    const others = [sync(), sync(), sync()];
    go.resolve();
    const answers = (await Promise.all([first, ...others])).map(({ body }) => body);
    hub.answer = answer;
    assert.equal(hub.told.length, before + 1);
    for (const { success, data } of answers) assert.deepEqual([success, data.membership], [true, 'full']);
  });

  test('tells nobody else of it', async () => {
    const before = hub.told.length;
    for (const role of ['editor', 'author', 'contributor', 'subscriber']) {
      const { status, body } = await site.as(role).post(path, { force: true });
      assert.deepEqual([status, body.success, body.code, body.data.status], [403, false, 'rest_forbidden', 403], role);
      assert.equal(body.error, body.message);
    }
    assert.deepEqual((await site.post(path)).status, 401);
    const { status, body } = await sync({ force: 'perhaps' });
    assert.deepEqual([status, body.success, body.code], [400, false, 'rest_invalid_param']);
    assert.equal((await site.as('administrator').get(path)).status, 404);
    assert.equal(hub.told.length, before);
  });

  test('is told by nobody who lost the right to since', async () => {
    const before = hub.told.length;
    const was = await demoted(site);
    await assert.rejects(letIn(site, ['POST', '/hub-connector/v1/sync'], was, { force: true }), {
      code: 'rest_forbidden',
    });
    assert.equal(hub.told.length, before);
  });

  test('writes no key and no signature to its log', () => {
    const log = JSON.stringify(site.log.lines);
    assert.ok(!log.includes(hubKey));
    for (const { headers } of hub.told) assert.ok(!log.includes(String(headers['x-hub-signature'])));
  });
});

eachEngine('A site that is on its own', (engine) => {
  test('says what is missing, and asks nobody', async () => {
    const hub = await aHub(engine);
    const site = await aSite(engine, { env: { GATEHOUSE_FETCH_ALLOW_HOSTS: hub.host } });
    const sync = async () => {
      const { status, body } = await site.as('administrator').post(path);
      assert.equal(typeof body.error, 'string');
      return [status, body.success, body.code, body.data.status];
    };
    assert.deepEqual(await sync(), [409, false, 'not_logged_in', 409]);
    await join(site, { url: hub.base });
    assert.deepEqual(await sync(), [409, false, 'not_logged_in', 409]);
    await join(site, { url: null, key: hubKey });
    assert.deepEqual(await sync(), [409, false, 'hub_not_configured', 409]);
    await idle(site);
    assert.equal(hub.told.length, 0);
  });

  test('is told to the hub by itself once its owner has set both', async () => {
    const hub = await aHub(engine);
    const site = await aSite(engine, { env: { GATEHOUSE_FETCH_ALLOW_HOSTS: hub.host } });
    const heard: object[] = [];
    site.app.services.events.on('hub.synced', (event) => void heard.push(event));
    await join(site, { url: `${hub.base}/` });
    await join(site, { key: hubKey });
    assert.equal(hub.told.length, 1);
    assert.equal((await site.as('administrator').post(path)).body.data.reason, 'unchanged');
    await site.as('administrator').post(path, { force: true });
    await idle(site);
    assert.deepEqual(heard, [
      { membership: 'full', isFirst: true },
      { membership: 'full', isFirst: false },
    ]);
  });

  test('is told with force even where somebody asks without at the same time', async () => {
    const hub = await aHub(engine);
    const site = await fixedSite(engine, hub);
    const sync = (force: boolean) => site.as('administrator').post(path, { force });
    await sync(false);
    for (let times = 0; times < 5; times++) {
      const before = hub.told.length;
      const [, { body }] = await Promise.all([sync(false), sync(true)]);
      assert.deepEqual([body.data.skipped, hub.told.length - before], [false, 1]);
    }
  });

  test('tells the hub that it has by now, not what another answered meanwhile', async () => {
    const [one, other] = [await aHub(engine), await aHub(engine)];
    const site = await aSite(engine, { env: { GATEHOUSE_FETCH_ALLOW_HOSTS: `${one.host},${other.host}` } });
    await join(site, { url: one.base, key: hubKey });
    const [asked, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    one.answer = async (request, response) => {
      asked.resolve();
      await go.promise;
      pleased(request, response);
    };
    const first = site.as('administrator').post(path, { force: true });
    await asked.promise;
    other.answer = answering(200, { membership: 'unit', hub_site_id: 9 });
    await setHub(site, { url: other.base, key: `${hubKey}-2` });
    const second = site.as('administrator').post(path, { force: true });
    go.resolve();
    const answers = [await first, await second].map(({ body }) => body.data.hub_site_id);
    await idle(site);
    assert.deepEqual(answers, [7, 9]);
  });

  test('tells of an extension that was switched off while the hub was asked', async () => {
    const hub = await aHub(engine);
    const site = await joinedSite(engine, hub);
    const [asked, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    hub.answer = async (request, response) => {
      asked.resolve();
      await go.promise;
      pleased(request, response);
    };
    const first = site.as('administrator').post(path, { force: true });
    await asked.promise;
    await site.as('administrator').post('/api/core/v2/plugins/embeds/embeds', { status: 'inactive' });
    go.resolve();
    await first;
    await idle(site);
    assert.equal(hub.told.at(-1)?.body.packages.plugins['embeds/embeds'].active, false);
  });

  test('begins anew with another hub, or with another key', async () => {
    const [one, other] = [await aHub(engine), await aHub(engine)];
    const hosts = `${one.host},${other.host}`;
    const site = await aSite(engine, { env: { GATEHOUSE_FETCH_ALLOW_HOSTS: hosts } });
    await join(site, { url: one.base, key: hubKey });
    await join(site, { url: other.base });
    assert.equal(other.told.length, 0, 'it is not shown the key of another at once');
    await join(site, { key: `${hubKey}-2` });
    assert.deepEqual([one.told.length, other.told.length], [1, 1]);
    assert.equal(other.told[0]?.headers['x-hub-site-id'], undefined);
    assert.equal(other.told[0]?.headers.authorization, `Bearer ${hubKey}-2`);
    await join(site, { key: `${hubKey}-3` });
    assert.equal(other.told[1]?.headers['x-hub-site-id'], undefined);
  });
});

describe('The settings of the hub', () => {
  eachEngine('are refused', (engine) => {
    test('where they could not be used', async () => {
      const site = await aSite(engine);
      for (const url of [
        'hub',
        'ftp://hub.example',
        'https://me:word@hub.example',
        'https://hub.example/?a',
        `https://h.example/${'a'.repeat(1_000)}`,
      ])
        await assert.rejects(join(site, { url }), { code: 'rest_invalid_param' }, url);
      for (const key of ['short', 'with a space inside of it', 'x'.repeat(1_001), 'two-lines-of-it\nX-Other: 1'])
        await assert.rejects(join(site, { key }), { code: 'rest_invalid_param' }, key);
    });
  });
});
