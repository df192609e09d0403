// Programs are kept out by how they call themselves, wherever they ask, while the module of bans is on.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachEngine } from '#test/databases.ts';
import { aSite } from '#test/site.ts';

const base = '/api/secsuite/v1';
const [crawler, known] = ['éVil.Crawler/2 (all of it)', 'sqlmap/1.8'];

eachEngine('Programs that are kept out', (engine) => {
  const aHouse = async () => {
    // Behind a proxy that is named nobody is let in because he asks from this machine.
    const env = { GATEHOUSE_TRUST_PROXY: '127.0.0.1,::1' };
    const site = await aSite(engine, { deployment: 'a', env });
    const admin = site.as('administrator');
    const set = async (values: object) => {
      const { status, text } = await admin.patch(`${base}/settings/ban-users`, values);
      assert.equal(status, 200, text);
    };
    const turn = (selected: string) => admin.put(`${base}/modules/ban-users`, { status: { selected } });
    const ask = async (agent: string, path = '/', address = '203.0.113.9') => {
      const headers = { 'user-agent': Buffer.from(agent).toString('latin1'), 'x-forwarded-for': address };
      return (await site.get(path, headers)).status;
    };
    return { site, admin, set, turn, ask };
  };

  test('are those on the list, by how their name begins, on every page and route, kept answers too', async () => {
    const { site, set, ask, turn } = await aHouse();
    const paths = ['/', '/api/core/v2/posts', '/?rest_route=/wp/v2/posts', '/login', '/not-there'];
    for (const _ of 'twice') assert.equal(await ask(crawler, '/api/core/v2/posts'), 200);
    await set({ agent_list: ['évil.crawler', '  Other', ' ', 'x'.repeat(5_000)] });
    for (const path of paths) assert.equal(await ask(crawler, path), 403, path);
    assert.equal(await ask('éVIL.CRAWLER'), 403);
    assert.equal(await ask('other'), 403);
    const said = await site.get('/api/', { 'user-agent': 'Other/1', 'x-forwarded-for': '203.0.113.9' });
    assert.deepEqual([said.status, said.body.code], [403, 'secsuite_agent_refused']);
    assert.match(said.headers.get('cache-control') ?? '', /no-store/);
    for (const other of ['évilXcrawler', 'Not Other', '', known]) assert.equal(await ask(other), 200, other);
    await set({ enable_ban_lists: false });
    assert.equal(await ask('Other'), 200);
    await set({ enable_ban_lists: true });
    assert.equal(await ask('Other'), 403);
    await turn('inactive');
    assert.equal(await ask('Other'), 200);
  });

  test('are those that are known for attacks, where that is set', async () => {
    const { set, ask, turn } = await aHouse();
    assert.equal(await ask(known), 200);
    await set({ default: true, enable_ban_lists: false });
    assert.equal(await ask(known), 403);
    assert.equal(await ask('Mozilla/5.0 (X11; Linux x86_64)'), 200);
    await turn('inactive');
    assert.equal(await ask(known), 200);
  });

  test('are let in from addresses that are always let in', async () => {
    const { admin, set, ask } = await aHouse();
    await set({ agent_list: ['Moz'] });
    await admin.patch(`${base}/settings/global`, { lockout_white_list: ['203.0.113.0/28'] });
    assert.equal(await ask('Mozilla/5.0'), 200);
    assert.equal(await ask('Mozilla/5.0', '/', '198.51.100.7'), 403);
  });
});
