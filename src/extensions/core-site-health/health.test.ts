import assert from 'node:assert/strict';
import { test } from 'node:test';
import { day, minute } from '#lib/spans.ts';
import type { Entry } from '#site/extension.ts';
import { setMark } from '#site/health/marks.ts';
import { eachEngine } from '#test/databases.ts';
import { aSiteThatReachesItself } from '#test/own-world.ts';
import { aSite, noon, type TestSite } from '#test/site.ts';
import { aVisitor } from '#test/visitor.ts';
import { extensions as bundled } from '../all.ts';

const root = '/api/core-site-health/v1';
const names = [
  'background-updates',
  'loopback-requests',
  'https-status',
  'dotorg-communication',
  'authorization-header',
  'page-cache',
];

interface Oven {
  heat: number;
}

/** An extension that brings a check, and a service that it asks. */
const oven: Entry<Oven> = ({ seen }) => ({
  name: 'oven',
  nouns: () => ({ heat: 20 }),
  health: {
    checks: [
      {
        name: 'oven-heat',
        what: 'Oven',
        about: 'Whether the oven is hot.',
        badge: 'Performance',
        look: ({ heat }) => (heat < 100 ? seen.warning('is <cold>', 'Light the oven.') : seen.ok('is hot')),
      },
    ],
    remotes: () => [{ name: 'the bakery', url: 'http://bakery.example/' }],
  },
});

eachEngine('The health of a site', (engine) => {
  const looked = async (site: TestSite, name: string, headers?: Record<string, string>) => {
    const { status, body } = await site.as('administrator').get(`${root}/tests/${name}`, headers);
    assert.equal(status, 200, name);
    return body;
  };

  test('is told to who looks after the site, and to nobody else', async () => {
    const site = await aSite(engine);
    for (const path of [...names.map((name) => `tests/${name}`), 'tests', 'tests/disk', 'directory-sizes']) {
      const nobody = await site.get(`${root}/${path}`);
      assert.deepEqual([nobody.status, nobody.body.code], [401, 'rest_forbidden'], path);
      for (const role of ['subscriber', 'author', 'editor']) {
        const { status, body } = await site.as(role).get(`${root}/${path}`);
        assert.deepEqual([status, body.code], [403, 'rest_forbidden'], `${role} ${path}`);
      }
      const { status, headers } = await site.as('administrator').get(`${root}/${path}`);
      assert.equal(status, 200, path);
      assert.match(headers.get('cache-control') ?? '', /no-store/);
    }
  });

  test('is told alike for each thing that is looked at, and no secret in it', async () => {
    const hidden = 'hidden-word';
    const site = await aSite(engine, { config: { smtp: `smtp://me:${hidden}@127.0.0.1:1`, metricsToken: hidden } });
    const { body: all } = await site.as('administrator').get(`${root}/tests`);
    assert.ok(names.every((name) => all.some((one: { name: string }) => one.name === name)));
    for (const { name, badge } of all) {
      const body = await looked(site, name, { 'x-forwarded-for': hidden });
      assert.deepEqual(Object.keys(body), ['label', 'status', 'badge', 'description', 'actions', 'test']);
      assert.match(body.status, /^(?:good|recommended|critical)$/);
      assert.deepEqual(body.badge, { label: badge, color: 'blue' });
      assert.equal(body.test, name.replaceAll('-', '_'));
      assert.match(body.description, /^<p>.+<\/p>$/);
      const said = JSON.stringify(body);
      for (const secret of [hidden, site.config.secret!, 'Basic ']) assert.ok(!said.includes(secret), name);
    }
    const none = await site.as('administrator').get(`${root}/tests/nothing-of-the-kind`);
    assert.deepEqual([none.status, none.body.code], [404, 'rest_test_not_found']);
  });

  test('is the same on both faces', async () => {
    const site = await aSite(engine);
    const neutral = await looked(site, 'disk');
    const { body } = await site.as('administrator').get('/wp-json/wp-site-health/v1/tests/disk');
    assert.deepEqual(body, neutral);
  });

  test('says whether the header by which programs come in arrives, and not what is in it', async () => {
    const site = await aSite(engine);
    assert.equal((await looked(site, 'authorization-header')).status, 'recommended');
    const { health } = site.app.services;
    const sent = async (authorization?: string) => {
      const found = await health.look('authorization-header', { headers: { authorization }, address: '' });
      return found?.seen.state;
    };
    assert.equal(await sent('Basic dXNlcjpwd2Q='), 'ok');
    assert.equal(await sent('Basic b3RoZXI6cHdk'), 'warning');
    assert.equal(await sent(), 'warning');
  });

  test('speaks of a proxy that swallows that header only where there is one', async () => {
    const alone = await aSite(engine);
    const { actions } = await looked(alone, 'authorization-header');
    assert.match(actions, /To check, send a request/);
    assert.doesNotMatch(actions, /proxy/);
    const through = { 'x-forwarded-for': '203.0.113.7' };
    assert.match((await looked(alone, 'authorization-header', through)).actions, /let the proxy pass on the header/);
    const behind = await aSite(engine, { config: { trustProxy: ['127.0.0.1', '::1'] } });
    assert.match((await looked(behind, 'authorization-header')).actions, /let the proxy pass on the header/);
  });

  test('tries that header beside the session of whoever asks', async () => {
    const site = await aSite(engine);
    await site.user({ login: 'kim', roles: ['administrator'], password: 'a quiet river' });
    const kim = aVisitor(site);
    await kim.signIn('kim', 'a quiet river');
    const token = (await kim.get('/wp-admin/admin-ajax.php?action=rest-nonce')).text;
    const { text } = await kim.get(`${root}/tests/authorization-header`, {
      'x-wp-nonce': token,
      authorization: 'Basic dXNlcjpwd2Q=',
    });
    assert.equal(JSON.parse(text).status, 'good', text);
  });

  test('says whether a proxy before the site is known to it', async () => {
    const alone = await aSite(engine);
    const from = { 'x-forwarded-for': '203.0.113.7' };
    assert.equal((await looked(alone, 'proxy-header')).status, 'good');
    assert.equal((await looked(alone, 'proxy-header', from)).status, 'recommended');
    const behind = await aSite(engine, { config: { trustProxy: ['127.0.0.1', '::1'] } });
    assert.equal((await looked(behind, 'proxy-header', from)).status, 'good');
    const elsewhere = await aSite(engine, { config: { trustProxy: ['10.0.0.1'] } });
    assert.equal((await looked(elsewhere, 'proxy-header', from)).status, 'recommended');
  });

  test('knows how old the last backup is', async () => {
    const site = await aSite(engine);
    const { store } = site.app.services;
    assert.equal((await looked(site, 'backup')).status, 'recommended');
    for (const [days, status, label] of [
      [0, 'good', 'Backup: less than 1 day old'],
      [7, 'good', 'Backup: 7 days old'],
      [8, 'recommended', 'Backup: 8 days old'],
    ] as const) {
      await setMark(store, 'backup', new Date(noon.getTime() - days * day));
      const body = await looked(site, 'backup');
      assert.deepEqual([body.status, body.label], [status, label]);
    }
  });

  test('knows whether what is to be done is done in time', async () => {
    let late = 0;
    const site = await aSite(engine, { clock: () => new Date(noon.getTime() + late) });
    const { jobs, store } = site.app.services;
    await jobs.settled();
    await jobs.stop();
    assert.equal((await looked(site, 'background-updates')).status, 'good');
    const next = await store.db.selectFrom('schedules').select('next_at').orderBy('next_at').executeTakeFirstOrThrow();
    const after = (minutes: number) => new Date(next.next_at).getTime() - noon.getTime() + minutes * minute;
    const { health } = site.app.services;
    const seen = async (minutes: number) => {
      late = after(minutes);
      return (await health.look('background-updates', { headers: {}, address: '' }))?.seen.state;
    };
    assert.deepEqual([await seen(1), await seen(3), await seen(11)], ['ok', 'warning', 'wrong']);
  });

  test('tells the room that is taken, measured once for a while', async () => {
    let now = noon;
    const site = await aSite(engine, { clock: () => now });
    const { files } = site.app.services;
    const sizes = async () => (await site.as('administrator').get(`${root}/directory-sizes`)).body;
    const before = await sizes();
    assert.deepEqual(Object.keys(before), [
      'raw',
      ...['wordpress', 'themes', 'plugins', 'uploads', 'fonts', 'database', 'total'].map((name) => `${name}_size`),
    ]);
    assert.deepEqual(before.fonts_size, { size: 'The directory does not exist.', debug: 'directory not found' });
    assert.ok(before.database_size.raw > 10_000);
    await files.put('2026/11/a.txt', Buffer.alloc(2048));
    await files.put('fonts/a.woff2', Buffer.alloc(10));
    assert.deepEqual(await sizes(), before);
    now = new Date(noon.getTime() + 5 * minute);
    const later = await sizes();
    assert.deepEqual(later.uploads_size, { size: '2.00 KB', debug: '2.00 KB (2048 bytes)', raw: 2048 });
    assert.deepEqual(later.fonts_size, { size: '10 B', debug: '10 B (10 bytes)', raw: 10 });
    const { raw: _, total_size, ...parts } = later as Record<string, { raw: number }>;
    assert.equal(
      total_size?.raw,
      Object.values(parts).reduce((sum, { raw }) => sum + raw, 0),
    );
  });

  test('is seen at its public address, once a minute whoever asks how often', async () => {
    let now = noon;
    const site = await aSiteThatReachesItself(engine, { clock: () => now });
    const many = await Promise.all(Array.from({ length: 5 }, () => looked(site, 'loopback-requests')));
    assert.deepEqual(new Set(many.map(({ label }) => label)), new Set(['Loopback: http://site.test/api/ answers']));
    assert.deepEqual([many[0].status, site.reached()], ['good', 1]);
    assert.match((await looked(site, 'page-cache')).label, /^Page cache: the front page takes 0 ms/);
    await looked(site, 'page-cache');
    assert.equal(site.reached(), 4);
    now = new Date(noon.getTime() + minute);
    assert.equal((await looked(site, 'loopback-requests')).status, 'good');
    assert.equal(site.reached(), 5);
  });

  test('is not seen where nobody answers', async () => {
    const site = await aSite(engine);
    for (const name of ['loopback-requests', 'page-cache']) {
      const { status, label } = await looked(site, name);
      assert.equal(status, 'critical');
      assert.match(label, /does not answer$/);
    }
  });

  test('is told of an extension as of the site, and so are the services that it asks', async () => {
    const site = await aSite(engine, { extensions: [...bundled, oven] });
    const body = await looked(site, 'oven-heat');
    assert.deepEqual([body.label, body.status], ['Oven: is <cold>', 'recommended']);
    assert.equal(body.actions, '<p>Light the oven.</p>');
    const remote = await looked(site, 'dotorg-communication');
    assert.deepEqual([remote.status, remote.label], ['critical', 'Remote services: not reachable: the bakery']);
    assert.equal((await looked(await aSite(engine), 'dotorg-communication')).status, 'good');
  });

  test('cannot be told of two things by one name', async () => {
    const twin: Entry<Oven> = (tools) => ({ ...oven(tools), name: 'twin' });
    await assert.rejects(
      aSite(engine, { extensions: [...bundled, oven, twin] }),
      /twin cannot be used.*The check oven-heat is declared twice/,
    );
  });
});
