import assert from 'node:assert/strict';
import { test } from 'node:test';
import { day, hour, minute } from '#lib/spans.ts';
import { eachEngine } from '#test/databases.ts';
import { aLockedSite, type Locked, type Visitor, wrong } from '#test/lockouts-alone.ts';
import { blockOf } from '../addresses/block.ts';
import { keyOf } from '../bans/enforced.ts';

const path = '/api/secsuite/rpc/global/detect-ip';
const me = '/api/core/v2/users/me';

eachEngine('Whose request it is', (engine) => {
  const detect = (site: Locked, body: object, headers?: Record<string, string>) =>
    site.as('administrator').post(path, body, headers);

  test('is told to managers for each way, and nothing is kept', async () => {
    const site = await aLockedSite(engine);
    const from = { 'x-forwarded-for': '203.0.113.77', 'x-real-ip': '198.51.100.7' };
    const cases: [object, string][] = [
      [{ proxy: 'disabled' }, '127.0.0.1'],
      [{ proxy: 'automatic' }, '127.0.0.1'],
      [{ proxy: 'manual' }, '203.0.113.77'],
      [{ proxy: 'manual', args: { header: 'HTTP_X_REAL_IP' } }, '198.51.100.7'],
      [{ proxy: 'manual', args: { header: 'X-Real-IP' } }, '198.51.100.7'],
      [{ proxy: 'manual', args: { header: 'Host' } }, '127.0.0.1'],
      [{ proxy: 'security-check' }, '203.0.113.77'],
    ];
    for (const [body, ip] of cases)
      assert.deepEqual((await detect(site, body, from)).body, { ip }, JSON.stringify(body));
    assert.deepEqual((await detect(site, { proxy: 'security-check' })).body, { ip: '127.0.0.1' });
    assert.equal(site.alone.settings.of('global').proxy, 'security-check');
    await site.alone.settings.keep('security-check-pro', {
      ip_header: { name: 'HTTP_X_REAL_IP', position_from_end: 0 },
    });
    assert.deepEqual((await detect(site, { proxy: 'security-check' }, from)).body, { ip: '198.51.100.7' });
  });

  test('is not told where headers contradict each other, nor to anybody else', async () => {
    const site = await aLockedSite(engine);
    const refused = await detect(site, { proxy: 'security-check' }, { 'x-forwarded-for': '203.0.113.7, 203.0.113.8' });
    assert.deepEqual([refused.status, refused.body.code], [500, 'secsuite_missing_remote_ip']);
    assert.equal((await detect(site, { proxy: 'zzz' })).body.data.details.proxy.code, 'rest_not_in_enum');
    assert.deepEqual((await detect(site, {})).body.data.params, ['proxy']);
    assert.equal((await site.post(path, { proxy: 'disabled' })).status, 401);
    assert.equal((await site.as('editor').post(path, { proxy: 'disabled' })).status, 403);
  });

  test('is asked of the header that is set, and of no other', async () => {
    const site = await aLockedSite(engine);
    await site.alone.bans.addMany(['203.0.113.7'], { type: 'user', id: '1' }, { self: '' });
    const status = async (headers: Record<string, string>) => (await site.get('/api/core/v2/posts', headers)).status;
    assert.equal(await status({ 'x-forwarded-for': '203.0.113.7' }), 200);
    await site.alone.settings.keep('global', { proxy: 'manual', proxy_header: 'HTTP_X_REAL_IP' });
    assert.equal(await status({ 'x-forwarded-for': '203.0.113.7' }), 200);
    assert.equal(await status({ 'x-real-ip': '203.0.113.7' }), 403);
    await site.alone.settings.keep('global', { proxy: 'disabled' });
    assert.equal(await status({ 'x-real-ip': '203.0.113.7' }), 200);
  });

  test('is not told by who is no trusted proxy, where some are named', async () => {
    const site = await aLockedSite(engine, { config: { trustProxy: ['127.0.0.2'] } });
    await site.alone.settings.keep('global', { proxy: 'manual' });
    await site.alone.bans.addMany(['203.0.113.7'], { type: 'user', id: '1' }, { self: '' });
    const from = (address: string) =>
      site.from(address).ask('/api/core/v2/posts', { headers: { 'x-forwarded-for': '203.0.113.7' } });
    assert.equal((await from('127.0.0.2')).status, 403);
    assert.equal(site.alone.client.stray.last(), undefined);
    assert.equal((await from('127.0.0.3')).status, 200);
    assert.deepEqual(site.alone.client.stray.last(), {
      header: 'x-forwarded-for',
      peer: '127.0.0.3',
      at: site.time.now,
    });
    site.time.now += day;
    assert.equal(site.alone.client.stray.last(), undefined);
  });

  test('this machine is always let in, but not who comes through a proxy on it', async () => {
    const site = await aLockedSite(engine);
    await site.alone.bans.addMany(['127.0.0.0/8'], { type: 'user', id: '1' }, { self: '' });
    assert.equal(await site.alone.bans.count(), 0, 'this machine is in it');
    await site.app.services.store.write(async (tx) => {
      const row = {
        host: '127.0.0.0/8',
        key: keyOf(blockOf('127.0.0.0/8')!),
        type: 'range',
        created_at: '2026-11-20T12:00:00.000Z',
        comment: '',
      };
      await tx.insertInto('secsuite_bans').values(row).execute();
    });
    await site.alone.bans.refresh();
    assert.equal(site.alone.enforcedBans.over('127.0.0.1') !== undefined, true);
    assert.equal((await site.get('/api/core/v2/posts')).status, 200);
    assert.equal((await site.from('127.0.0.9').ask('/api/core/v2/posts')).status, 403);
    const proxied = { 'x-forwarded-for': '203.0.113.7' };
    assert.equal((await site.get('/api/core/v2/posts', proxied)).status, 200, 'all visitors share its IP address');
    assert.equal((await site.post('/login', {}, proxied)).status, 403);
  });

  test('a proxy on this machine that adds no header is not taken for the machine itself', async () => {
    const site = await aLockedSite(engine);
    const { authorised } = site.alone.client;
    const proxied = (path: string, asked: Parameters<Visitor['ask']>[1] = {}) =>
      site.from('127.0.0.1').ask(path, { ...asked, headers: { ...asked.headers, host: 'site.test' } });
    const signIn = (login: string) =>
      proxied('/login', {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: String(new URLSearchParams({ log: login, pwd: 'wrong' })),
      });
    await proxied(me, { headers: await site.credentials('administrator') });
    assert.equal(authorised.lets('127.0.0.1'), true, 'for work that no request asked for');
    const statuses: number[] = [];
    for (let time = 0; time < 6; time++) statuses.push((await signIn(`guess${time}`)).status);
    assert.deepEqual(statuses, [200, 200, 200, 200, 403, 403]);
    assert.equal((await proxied('/api/core/v2/posts')).status, 200, 'others read on');
    assert.equal((await proxied('/api/core/v2/posts', { method: 'POST' })).status, 403);
    assert.equal((await site.post('/api/core/v2/posts')).status, 401, 'the machine itself is let in');
  });

  test('a proxy that asks by the name of this machine is not taken for it where passwords are tried', async () => {
    const site = await aLockedSite(engine, { env: { GATEHOUSE_URL: 'https://site.test' } });
    const machine = site.from('127.0.0.1');
    const statuses: number[] = [];
    for (let time = 0; time < 6; time++) statuses.push((await machine.basic(`guess${time}`, 'wrong')).status);
    assert.deepEqual(statuses, [401, 401, 401, 401, 403, 403]);
    assert.equal((await machine.signIn('guess', 'wrong')).status, 403);
    for (const path of ['/healthz', '/readyz', '/api/core/v2/posts'])
      assert.equal((await machine.ask(path)).status, 200);
    const local = await aLockedSite(engine, { env: { GATEHOUSE_URL: 'http://localhost:8080' } });
    assert.deepEqual(new Set(await wrong(8, local.from('127.0.0.1'))), new Set([200]));
  });

  test('is asked of the operator when all requests come from one private address', async () => {
    const site = await aLockedSite(engine);
    const warnings = () => site.log.lines.filter(({ message }) => /all visitors share one IP address/.test(message));
    const ask = (address: string, host: string) => site.from(address).ask('/api/core/v2/posts', { headers: { host } });
    for (let time = 0; time < 25; time++) await ask('127.0.0.1', 'localhost');
    assert.equal(warnings().length, 0, 'the machine itself asks');
    for (let time = 0; time < 25; time++) await ask('127.0.0.1', 'site.test');
    assert.equal(warnings().length, 1);
    const { clients } = site.app.services;
    assert.deepEqual([clients.isShared('127.0.0.1'), clients.isShared('127.0.0.9')], [true, false]);
    await ask('127.0.0.9', 'site.test');
    assert.equal(clients.isShared('127.0.0.1'), false, 'visitors have IP addresses of their own');
  });

  test('a visit of a manager lets in nobody else who comes through the same proxy', async () => {
    const site = await aLockedSite(engine);
    const headers = { ...(await site.credentials('administrator')), host: 'site.test' };
    await site.from('127.0.0.9').ask(me, { headers });
    assert.equal(site.alone.client.authorised.lets('127.0.0.9'), false);
    await site.from('127.0.0.10').ask(me, { headers });
    await site.from('127.0.0.9').ask(me, { headers });
    assert.equal(site.alone.client.authorised.lets('127.0.0.9'), true, 'visitors have addresses of their own');
  });
});

eachEngine('Who is always let in', (engine) => {
  test('managers are for a day after each visit, which is written down once an hour', async () => {
    const site = await aLockedSite(engine);
    const { authorised } = site.alone.client;
    const visit = async (role: string, address = '127.0.0.9') =>
      site.from(address).ask(me, { headers: await site.credentials(role) });
    const until = async () => {
      const rows = await site.app.services.store.db.selectFrom('secsuite_authorised').selectAll().execute();
      return (rows as { until: string }[]).map((row) => row.until);
    };
    assert.equal((await visit('editor')).status, 200);
    assert.equal(authorised.lets('127.0.0.9'), false);
    await visit('administrator');
    assert.equal(authorised.lets('127.0.0.9'), true);
    assert.equal(authorised.isAuthorised(blockOf('127.0.0.8/29')!), true);
    assert.equal(authorised.isAuthorised(blockOf('127.0.0.10')!), false);
    const first = await until();
    site.time.now += hour - minute;
    await visit('administrator');
    assert.deepEqual(await until(), first);
    site.time.now += 2 * minute;
    await visit('administrator');
    assert.notDeepEqual(await until(), first);
    site.time.now += day - 1;
    assert.equal(authorised.lets('127.0.0.9'), true);
    site.time.now += 1;
    assert.equal(authorised.lets('127.0.0.9'), false);
    await visit('administrator', '127.0.0.10');
    assert.equal((await until()).length, 1, 'those that ended are forgotten');
  });

  test('managers are not, where that is not wanted', async () => {
    const site = await aLockedSite(engine);
    await site.alone.settings.keep('global', { automatic_temp_auth: false });
    await site.from('127.0.0.9').ask(me, { headers: await site.credentials('administrator') });
    assert.equal(site.alone.client.authorised.lets('127.0.0.9'), false);
    await site.alone.client.authorised.authorise('127.0.0.9', new Date(site.time.now + hour));
    assert.equal(site.alone.client.authorised.lets('127.0.0.9'), true);
    await assert.rejects(site.alone.client.authorised.authorise('localhost', new Date()), {
      code: 'rest_invalid_param',
    });
  });

  test('an address that is let in for a while is never let in for less than before', async () => {
    const site = await aLockedSite(engine);
    const { authorised } = site.alone.client;
    const within = (span: number) => new Date(site.time.now + span);
    await site.from('127.0.0.9').ask(me, { headers: await site.credentials('administrator') });
    assert.deepEqual(await authorised.authorise('127.0.0.9', within(hour)), within(day), 'a visit lasts longer');
    assert.deepEqual(await authorised.authorise('127.0.0.10', within(2 * hour)), within(2 * hour));
    assert.deepEqual(await authorised.authorise('127.0.0.10', within(hour)), within(2 * hour));
    await site.from('127.0.0.10').ask(me, { headers: await site.credentials('administrator') });
    site.time.now += hour;
    assert.deepEqual(['127.0.0.9', '127.0.0.10'].map(authorised.lets), [true, true]);
    await site.alone.settings.keep('global', { automatic_temp_auth: false });
    assert.deepEqual(['127.0.0.9', '127.0.0.10'].map(authorised.lets), [false, true], 'each counts for itself');
  });

  test('addresses on the list are, and whoever shares one with a range', async () => {
    const site = await aLockedSite(engine);
    await site.alone.settings.keep('global', { lockout_white_list: ['203.0.113.0/24', '2001:db8::1'] });
    const { authorised } = site.alone.client;
    const isLet = (text: string) => authorised.isAuthorised(blockOf(text)!);
    assert.deepEqual(['203.0.113.9', '203.0.0.0/8', '2001:db8::/64'].map(isLet), [true, true, true]);
    assert.deepEqual(['203.0.114.9', '2001:db8::2'].map(isLet), [false, false]);
    await site.alone.settings.keep('global', { lockout_white_list: [] });
    assert.equal(isLet('203.0.113.9'), false);
  });
});
