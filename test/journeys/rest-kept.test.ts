import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AnyEntry, Extension } from '#site/extension.ts';
import { eachEngine, type TestEngine } from '#test/databases.ts';
import { greet, greetings } from '#test/greet.ts';
import { probe, withProbe } from '#test/probe.ts';
import { aSite, noon, type TestSite } from '#test/site.ts';
import { soon } from '#test/soon.ts';
import { hello } from '../../examples/hello/extension.ts';

const red = '/api/probe/v1/red';
/** How often the handler has run, as its answers tell. */
const calls = async (site: TestSite, path = red, headers = {}) => (await site.get(path, headers)).body.calls;

eachEngine('Kept answers', (engine) => {
  const probed = () => aSite(engine, withProbe());

  test('are given again without asking the handler', async () => {
    const site = await probed();
    assert.deepEqual([await calls(site), await calls(site), await calls(site)], [1, 1, 1]);
  });

  test('are dropped at once when something they read is written, and stay when something else is', async () => {
    const site = await probed();
    await calls(site);
    await site.post('/api/probe/v1/blue', {});
    assert.equal(await calls(site), 1, 'a write to another table');
    await site.post(red, {});
    const { body } = await site.get(red);
    assert.equal(body.rows, 1);
    assert.ok(body.calls > 1, 'made anew, ahead or for whoever asks, and both where they meet');
  });

  test('never say what was true before a write that was acknowledged', async () => {
    const site = await aSite(engine);
    for (let at = 1; at <= 20; at++) {
      await Promise.all([greet(site, `${at}`), site.get(greetings), site.get(greetings)]);
      assert.equal((await site.get(greetings)).headers.get('x-wp-total'), `${at}`);
    }
  });

  test('know each query apart, and unknown arguments fill nothing', async () => {
    const site = await probed();
    assert.deepEqual([await calls(site, `${red}?word=a`), await calls(site, `${red}?word=b`)], [1, 2]);
    assert.deepEqual([await calls(site, `${red}?word=a`), await calls(site, `${red}?word=b`)], [1, 2]);
    assert.deepEqual([await calls(site, `${red}?x=1`), await calls(site, `${red}?x=1`)], [3, 4]);
    assert.equal((await site.get(`${red}?word=a&_wpnonce=1`)).status, 403);
    assert.equal(await calls(site, `${red}?word=a`), 1);
  });

  test('are met by no request with a credential, a body or another method', async () => {
    const site = await probed();
    await calls(site);
    assert.equal(await calls(site, red, await site.credentials('subscriber')), 2);
    assert.equal(await calls(site, red, { cookie: 'site_session=1' }), 3);
    assert.equal((await site.post(`${red}?_method=GET`, {})).body.calls, 4);
    assert.equal((await site.get(red, { 'x-wp-nonce': 'x' })).status, 403);
    assert.equal((await site.get(red, { authorization: 'Basic d3Jvbmc6eA==' })).status, 401);
    assert.equal(await calls(site), 1, 'and none of them is kept for the next who asks');
  });

  test('of one path serve nobody at the same path on the other face', async () => {
    const site = await probed();
    await site.get('/api/core/v2/things/1');
    const { body } = await site.get('/wp-json/wp/v2/things/1');
    assert.equal(body._links.self[0].href, 'http://site.test/wp-json/wp/v2/things/1');
    assert.equal((await site.get('/wp-json/core/v2/things/1')).status, 404);
  });

  test('hold while the clock leaves them true, and no longer', async () => {
    let time = noon.getTime();
    const site = await aSite(engine, withProbe({ clock: () => new Date(time) }));
    const path = '/api/probe/v1/lasting';
    assert.deepEqual([await calls(site, path), await calls(site, path)], [1, 1]);
    time += 59_000;
    assert.equal(await calls(site, path), 1);
    time += 1_000;
    assert.equal(await calls(site, path), 2);
  });

  test('are none of what read a quiet table, for nobody is told of writes to it', async () => {
    const quieted: AnyEntry = (tools) => {
      const declared = probe(tools as never) as Extension;
      return { ...declared, tables: { ...declared.tables!, quiet: ['probe_red'] } };
    };
    const options = withProbe();
    const site = await aSite(engine, { ...options, extensions: [hello, quieted] });
    assert.deepEqual((await site.get(red)).body, { rows: 0, calls: 1 });
    await site.post(red, {});
    const { body } = await site.get(red);
    assert.equal(body.rows, 1);
    assert.ok(body.calls > 1, 'made anew, ahead or for whoever asks, and both where they meet');
  });

  test('of a refusal are none: what was not there is seen as soon as it is', async () => {
    const site = await aSite(engine);
    assert.equal((await site.get(`${greetings}/1`)).status, 404);
    await greet(site, 'hello');
    assert.equal((await site.get(`${greetings}/1`)).status, 200);
    await site.as('administrator').delete(`${greetings}/1`);
    assert.equal((await site.get(`${greetings}/1`)).status, 404);
  });

  test('are dropped when what they embed is written', async () => {
    const site = await aSite(engine);
    await greet(site, 'first');
    await greet(site, 'second', { in_reply_to: 1 });
    const path = `${greetings}/2?_embed=in-reply-to`;
    const embedded = async () => (await site.get(path)).body._embedded['in-reply-to'][0].text;
    assert.equal(await embedded(), 'first');
    await site.as('administrator').patch(`${greetings}/1`, { text: 'changed' });
    assert.equal(await embedded(), 'changed');
  });
});

eachEngine('Kept answers with embeds', (engine) => {
  const linking = '/api/probe/v1/linking';
  const times = async (site: TestSite, query: string) => (await site.get(`${linking}?${query}`)).body.id;

  test('last as long as the shortest of what they embed', async () => {
    let time = noon.getTime();
    const site = await aSite(engine, withProbe({ clock: () => new Date(time) }));
    assert.deepEqual([await times(site, '_embed=lasting'), await times(site, '_embed=lasting')], [1, 1]);
    time += 60_000;
    assert.equal(await times(site, '_embed=lasting'), 2);
  });

  test('are not kept when an embed failed for a reason that passes', async () => {
    const site = await aSite(engine, withProbe());
    assert.deepEqual([await times(site, '_embed=word'), await times(site, '_embed=word')], [1, 1]);
    assert.deepEqual([await times(site, '_embed=away'), await times(site, '_embed=away')], [2, 3]);
  });
});

eachEngine('Two processes on one database', (engine) => {
  test('drop what the other wrote', async () => {
    const where = await engine.place();
    const shared: TestEngine = { ...engine, place: async () => where };
    const [here, there] = [await aSite(shared, withProbe()), await aSite(shared, withProbe())];
    assert.deepEqual((await there.get(red)).body, { rows: 0, calls: 1 });
    await here.post(red, {});
    await soon(async () => (await there.get(red)).body.rows, 1);
  });
});
