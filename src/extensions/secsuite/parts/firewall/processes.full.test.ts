import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachEngine } from '#test/databases.ts';
import { aWalledSite } from '#test/firewall-alone.ts';
import { withinASecond } from '#test/soon.ts';

const posts = '/api/core/v2/posts';

eachEngine('The firewall of several processes', (engine) => {
  test('runs the same rules in every process within a second', async () => {
    const one = await aWalledSite(engine);
    const { data, database } = one.config;
    const other = await aWalledSite(engine, { config: { data, ...(database && { database }) } });
    assert.equal((await other.get(`${posts}?bad=1`)).status, 200);
    const id = await one.rule('BLOCK', [{ parameter: 'get.bad', match: { type: 'contains', value: '' } }]);
    const status = async () => (await other.get(`${posts}?bad=1`)).status;
    await withinASecond(status, 403);
    await one.alone.firewall.rules.remove(id);
    await withinASecond(status, 200);
  });
});
