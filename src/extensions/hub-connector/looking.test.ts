// What whoever looks after the site is told of a hub that hears nothing of it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachEngine } from '#test/databases.ts';
import { aHub, answering, fixedSite, idle, join, joinedSite, pleased } from '#test/hub-double.ts';
import type { TestSite } from '#test/site.ts';

const ask = (site: TestSite, what: string, body?: object) =>
  site.as('administrator').post(`/api/hub-connector/v1/${what}`, body);

const seen = async (site: TestSite) => {
  const { body } = await site.as('administrator').get('/api/core-site-health/v1/tests/hub-connector');
  return { status: body.status, label: body.label, text: JSON.stringify(body) };
};

const warned = ({ log }: TestSite) =>
  log.lines.filter((line) => /report to the hub failed|key of this site/.test(JSON.stringify(line)));

eachEngine('What is seen of the hub', (engine) => {
  test('names the variable that lets the site ask, where nothing is wrong with hub or key', async () => {
    const hub = await aHub(engine);
    const site = await fixedSite(engine, { ...hub, host: '127.0.0.1:1' });
    const leave = `GATEHOUSE_FETCH_ALLOW_HOSTS=${hub.host}`;
    const { body } = await ask(site, 'sync');
    assert.ok(body.error.includes(leave), body.error);
    const { status, label, text } = await seen(site);
    assert.deepEqual([status, label], ['recommended', 'Hub: this site does not contact its URL']);
    assert.ok(text.includes(leave), text);
    await ask(site, 'sync', { force: true });
    assert.equal(warned(site).length, 1, 'and the log says it once');
    assert.ok(JSON.stringify(warned(site)).includes(leave));
  });

  test('says at once that the key is that of another address, and forgets it once the hub is pleased', async () => {
    const hub = await aHub(engine);
    const site = await fixedSite(engine, hub);
    await ask(site, 'sync');
    hub.answer = answering(409, { code: 'already_registered', message: 'This key belongs to another.' });
    await ask(site, 'sync', { force: true });
    assert.equal((await seen(site)).label, 'Hub: the hub knows this key for another URL');
    assert.match(JSON.stringify(warned(site)), /already_registered.*This key belongs to another/);
    hub.answer = pleased;
    await ask(site, 'sync', { force: true });
    assert.equal((await seen(site)).status, 'good');
  });

  test('is not that the site may not ask, where the hub only says so', async () => {
    const hub = await aHub(engine);
    const site = await fixedSite(engine, hub);
    hub.answer = answering(400, { code: 'unsafe_url', message: 'No.' });
    const { status, body } = await ask(site, 'sync');
    assert.deepEqual([status, body.code, body.error], [502, 'unsafe_url', 'No.']);
    assert.equal((await seen(site)).label, 'Hub: it has never accepted a report');
  });

  test('says how the address of a hub ends, where a page answers that there is nothing', async () => {
    const hub = await aHub(engine);
    const site = await fixedSite(engine, { ...hub, base: hub.url });
    for (const answer of [answering(404, '<h1>', 'text/html'), answering(404, { code: 'rest no', message: '' })]) {
      hub.answer = answer;
      assert.match((await ask(site, 'sync', { force: true })).body.error, /error \(404\).*ends in \/api\/hub\/v1/);
    }
  });

  test('is written down where the hub does not take the key', async () => {
    const hub = await aHub(engine);
    const site = await joinedSite(engine, hub);
    hub.answer = answering(401, {});
    await ask(site, 'sync', { force: true });
    assert.match(JSON.stringify(warned(site)), /no longer accepts the key of this site/);
    assert.equal((await seen(site)).label, 'Hub: the URL is set, but not the key');
  });

  test('is nothing to improve where the site left it on purpose, until it has another address', async () => {
    const hub = await aHub(engine);
    const site = await joinedSite(engine, hub);
    await ask(site, 'logout');
    assert.deepEqual(
      [(await seen(site)).status, (await seen(site)).label],
      ['good', 'Hub: this site has left the hub, and keeps only its URL'],
    );
    await join(site, { url: `${hub.base}/other` });
    await idle(site);
    assert.equal((await seen(site)).status, 'recommended');
  });
});
