// A key that the hub does not take any more.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachEngine, type TestEngine } from '#test/databases.ts';
import {
  aHub,
  answering,
  fixedSite,
  type HubDouble,
  hubGroupOf,
  hubKey,
  idle,
  joinedSite,
  overtaken,
  pleased,
  setHub,
  stateOf,
} from '#test/hub-double.ts';
import { aSite, type TestSite } from '#test/site.ts';
import type { HubConnector } from './routes.ts';
import { forget } from './state.ts';

const path = '/api/hub-connector/v1/sync';
const sync = (site: TestSite, body?: object) => site.as('administrator').post(path, body);

const keyOf = async ({ app }: TestSite): Promise<unknown> => {
  const { settings } = app.services;
  return (await settings.read(hubGroupOf(settings.groups))).key;
};

const waiting = ({ app }: TestSite) =>
  app.services.jobs.list({ kind: 'hub-connector.sync', status: 'queued', most: 100 });

eachEngine('A key that the hub does not take', (engine) => {
  const gone = { status: 409, code: 'invalid_api_key_or_expired' };
  const refused = async (site: TestSite) => {
    const { status, body } = await sync(site, { force: true });
    return { status, code: body.code };
  };
  const before = (options: { answer: HubDouble['answer'] }) => joined(engine, options.answer);

  test('is taken away, and what is known of the hub stays', async () => {
    const { site } = await before({ answer: answering(401, '{}') });
    assert.deepEqual(await refused(site), gone);
    assert.equal(await keyOf(site), '');
    assert.equal((await stateOf(site))[0]?.membership, 'full');
    assert.equal((await sync(site)).body.code, 'not_logged_in');
  });

  for (const [who, answer] of [
    ['a proxy in front of it', answering(401, '<h1>Who are you?</h1>', 'text/html')],
    ['a site that is no hub', answering(401, { code: 'incorrect_password', message: 'No.', data: { status: 401 } })],
  ] as const)
    test(`stays, where it was ${who} that refused it`, async () => {
      const { site } = await before({ answer });
      const { status, code } = await refused(site);
      assert.equal(status, 502);
      assert.notEqual(code, gone.code);
      assert.equal(await keyOf(site), hubKey);
    });

  test('is taken away with all that is known, where the hub knows the site no more', async () => {
    const { site } = await before({ answer: answering(200, { membership: '', hub_site_id: 7 }) });
    assert.deepEqual(await refused(site), gone);
    assert.equal(await keyOf(site), '');
    assert.deepEqual(await stateOf(site), []);
  });

  test('stays where the operator laid it down, and is not tried over and over', async () => {
    for (const answer of [answering(401, {}), answering(200, { membership: '' })]) {
      const hub = await aHub(engine);
      const site = await fixedSite(engine, hub);
      await sync(site);
      hub.answer = answer;
      assert.deepEqual(await refused(site), gone);
      assert.deepEqual([(await stateOf(site))[0]?.membership, (await stateOf(site))[0]?.fails], ['', 1]);
      assert.deepEqual(await waiting(site), []);
      assert.equal((await sync(site)).body.data.reason, 'backoff', 'and nobody says that all is well');
      const { body } = await site.as('administrator').get('/api/core-site-health/v1/tests/hub-connector');
      assert.deepEqual([body.status, body.label], ['recommended', 'Hub: it does not accept the key of this site']);
      hub.answer = pleased;
      assert.equal((await sync(site, { force: true })).status, 200);
    }
  });

  test('goes together with what is known, or stays with it', async () => {
    const { site } = await before({ answer: pleased });
    const { accounts } = site.app.table.match('POST', '/hub-connector/v1/sync')!.entry!.use as HubConnector;
    const account = await accounts.get();
    const broken = async () => assert.fail('The store is away.');
    await assert.rejects(accounts.drop(account, 0, broken), /is away/);
    assert.equal(await keyOf(site), hubKey);
    await setHub(site, { key: `${hubKey}-2` });
    assert.equal(await accounts.drop(account, 0, forget), false);
    assert.deepEqual([await keyOf(site), (await stateOf(site)).length], [`${hubKey}-2`, 1]);
  });

  test('is not taken away by an address that is not its own any more', async () => {
    const { site, hub } = await before({ answer: pleased });
    hub.answer = async (request, response) => {
      await setHub(site, { url: `${hub.base}/elsewhere` });
      answering(401, {})(request, response);
    };
    assert.deepEqual(await refused(site), gone);
    assert.equal(await keyOf(site), hubKey);
  });

  test('is not taken away by who took so long that another speaks with the hub by now', async () => {
    for (const said of [answering(401, {}), answering(200, { membership: '' })]) {
      const { site, hub } = await before({ answer: pleased });
      const state = await stateOf(site);
      hub.answer = async (request, response) => {
        await overtaken(site);
        said(request, response);
      };
      assert.deepEqual(await refused(site), { status: 504, code: 'api_error' });
      assert.equal(await keyOf(site), hubKey);
      assert.deepEqual(await stateOf(site), state);
    }
  });

  test('is not taken away by an address that counts for nothing, because the operator laid another down', async () => {
    const hub = await aHub(engine);
    const env = { GATEHOUSE_FETCH_ALLOW_HOSTS: hub.host, GATEHOUSE_HUB_URL: hub.base };
    const site = await aSite(engine, { env });
    await setHub(site, { url: 'https://old.example/api/hub/v1', key: hubKey });
    for (const url of ['https://other.example/api/hub/v1', null]) {
      await setHub(site, { url });
      assert.equal(await keyOf(site), hubKey);
    }
    assert.equal((await sync(site, { force: true })).status, 200);
  });

  test('is not taken away where somebody has set another meanwhile', async () => {
    const { site, hub } = await before({ answer: pleased });
    const other = `${hubKey}-2`;
    hub.answer = async (request, response) => {
      hub.answer = pleased;
      await setHub(site, { key: other });
      answering(401, {})(request, response);
    };
    assert.deepEqual(await refused(site), gone);
    await idle(site);
    assert.equal(await keyOf(site), other);
    assert.equal(hub.told.at(-1)?.headers.authorization, `Bearer ${other}`, 'and the hub is told by it');
  });
});

async function joined(engine: TestEngine, answer: HubDouble['answer']) {
  const hub = await aHub(engine);
  const site = await joinedSite(engine, hub);
  hub.answer = answer;
  return { hub, site };
}
