import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { eachEngine } from '#test/databases.ts';
import { aRemote } from '#test/remote.ts';
import { aSite } from '#test/site.ts';

eachEngine('a site that asks others', (engine) => {
  test('reaches the hosts that its operator allows, and says who it is', async () => {
    const remote = await aRemote((_, response) => response.setHeader('content-type', 'text/plain').end('hello'));
    after(() => remote.close());
    const site = await aSite(engine, { env: { GATEHOUSE_FETCH_ALLOW_HOSTS: `cdn.internal:80, ${remote.host}` } });
    const { outgoing } = site.app.services;
    const purpose = { name: 'test', types: ['text/plain'], most: 100 };
    assert.equal(await (await outgoing.fetch(remote.url, purpose)).text(), 'hello');
    assert.match(remote.asked[0]?.headers['user-agent'] ?? '', /^Gatehouse\/\d+\.\d+\.\d+$/);
    await assert.rejects(outgoing.fetch(site.origin, purpose), { code: 'unsafe_url', status: 400 });
  });
});
