// Lockouts and bans behind a proxy: of one client, and of all visitors who share the IP address of a proxy that names none of them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachEngine } from '#test/databases.ts';
import { ada, aLockedSite, type Locked, right, stranger } from '#test/lockouts-alone.ts';

const posts = '/api/core/v2/posts';
const form = { 'content-type': 'application/x-www-form-urlencoded' };

/** A proxy on this machine that passes on the host name. */
function proxyOf(site: Locked, peer = '127.0.0.1') {
  const visitor = site.from(peer);
  return (path: string, headers: Record<string, string> = {}, method = 'GET', body?: string) =>
    visitor.ask(path, { method, headers: { host: 'site.test', ...headers }, ...(body !== undefined && { body }) });
}

type Proxy = ReturnType<typeof proxyOf>;

const signIn = async (proxy: Proxy, login: string, password: string, headers: Record<string, string> = {}) =>
  proxy('/login', { ...form, ...headers }, 'POST', String(new URLSearchParams({ log: login, pwd: password })));

async function guess(proxy: Proxy, times: number, headers: (time: number) => Record<string, string> = () => ({})) {
  const statuses: number[] = [];
  for (let time = 0; time < times; time += 1)
    statuses.push((await signIn(proxy, stranger(), 'wrong', headers(time))).status);
  return statuses;
}

eachEngine('Behind a proxy on this machine', (engine) => {
  test('15 wrong passwords of one client lock out that client and no other, whatever hops it makes up', async () => {
    const site = await aLockedSite(engine);
    const proxy = proxyOf(site);
    await ada(site);
    const forged = (time: number) => ({ 'x-forwarded-for': `198.51.100.7, 127.0.0.1, 192.0.2.${time}, 203.0.113.9` });
    assert.deepEqual(await guess(proxy, 15, forged), [...Array(4).fill(200), ...Array(11).fill(403)]);
    assert.equal((await proxy(posts, { 'x-forwarded-for': '203.0.113.9' })).status, 403);
    for (const other of ['198.51.100.7', '192.0.2.1', '2001:db8::1'])
      assert.equal((await proxy(posts, { 'x-forwarded-for': other })).status, 200, other);
    assert.equal((await signIn(proxy, 'ada', right, { 'x-forwarded-for': '198.51.100.7' })).status, 302);
    assert.equal((await site.get(posts)).status, 200, 'this machine');
    assert.equal(site.app.services.clients.proxyAdvice, undefined);
  });

  test('no client gets another IP address by a header, wherever it comes from', async () => {
    const site = await aLockedSite(engine);
    await site.alone.bans.addMany(['203.0.113.9'], { type: 'user', id: '1' }, { self: '' });
    const claims = [
      { 'x-forwarded-for': '203.0.113.9' },
      { 'x-real-ip': '203.0.113.9', 'cf-connecting-ip': '203.0.113.9', forwarded: 'for=203.0.113.9' },
    ];
    const status = async (peer: string, headers: Record<string, string>) =>
      (await site.from(peer).ask(posts, { headers })).status;
    for (const claim of claims)
      for (const host of ['127.0.0.1', 'localhost:8080', 'gatehouse', '192.0.2.1'])
        assert.equal(await status('127.0.0.1', { ...claim, host }), 200, `${host} ${JSON.stringify(claim)}`);
    const proxy = proxyOf(site);
    assert.equal((await proxy(posts, claims[0])).status, 403, 'a proxy that names its visitors is believed');
    assert.equal((await proxy(posts, { ...claims[0]!, host: 'localhost' })).status, 403, 'about any host');
    await proxy('/');
    assert.equal((await proxy(posts, claims[0])).status, 200, 'one that names none is not');
    await site.alone.settings.keep('security-check-pro', {
      ip_header: { name: 'HTTP_X_REAL_IP', position_from_end: 0 },
    });
    const { of } = site.app.services.clients;
    const named = (peer: string) => of({ headers: { 'x-real-ip': '203.0.113.9' }, socket: { remoteAddress: peer } });
    assert.deepEqual(['192.0.2.1', '10.0.0.1'].map(named), ['192.0.2.1', '203.0.113.9'], 'a header that a check found');
  });
});

eachEngine('Behind a proxy that names no visitors', (engine) => {
  const locked = async (site: Locked, proxy: Proxy) => {
    const cookie = await signedIn(site, proxy);
    const app = await site.credentials('editor');
    return { cookie, app };
  };

  async function signedIn(site: Locked, proxy: Proxy): Promise<string> {
    await ada(site);
    const { headers } = await signIn(proxy, 'ada', right);
    return String(headers['set-cookie']).split(';', 1)[0]!;
  }

  /** Each request, and how it is answered while the IP address is locked out or banned. */
  async function judged(proxy: Proxy, { cookie, app }: Awaited<ReturnType<typeof locked>>) {
    const wrong = { authorization: `Basic ${Buffer.from('editor:wrong').toString('base64')}` };
    const rows = [
      [200, await proxy('/')],
      [200, await proxy(posts)],
      [200, await proxy(posts, {}, 'HEAD')],
      [200, await proxy('/login')],
      [200, await proxy('/account', { cookie })],
      [200, await proxy('/api/core/v2/users/me', app)],
      [403, await proxy(posts, wrong)],
      [403, await signIn(proxy, 'ada', right)],
      [403, await proxy(posts, { ...app, 'content-type': 'application/json' }, 'POST', '{"title":"New"}')],
      [403, await proxy(`${posts}/1?_method=DELETE`, app)],
      [403, await proxy(`${posts}/1?%5Fmethod=DELETE`, app)],
      [403, await proxy(`${posts}/1`, { ...app, 'x-http-method-override': 'DELETE' })],
      [200, await proxy('/account', { cookie })],
    ] as const;
    assert.deepEqual(
      rows.map(([, { status }]) => status),
      rows.map(([status]) => status),
    );
    for (const [, { headers }] of rows) assert.equal(/Max-Age=0/i.test(String(headers['set-cookie'] ?? '')), false);
  }

  test('a lockout of its IP address refuses signing in and writing, and never reading', async () => {
    const site = await aLockedSite(engine);
    const proxy = proxyOf(site, '127.0.0.9');
    const people = await locked(site, proxy);
    await guess(proxy, 15);
    await judged(proxy, people);
  });

  test('a ban of its IP address does the same, and one of a visitor with an IP address refuses all', async () => {
    const site = await aLockedSite(engine);
    const proxy = proxyOf(site, '127.0.0.9');
    const people = await locked(site, proxy);
    await site.alone.bans.addMany(['127.0.0.9', '127.0.0.10'], { type: 'user', id: '1' }, { self: '' });
    await judged(proxy, people);
    assert.equal((await proxyOf(site, '127.0.0.10')(posts)).status, 403);
  });

  test('the log, /readyz and site health say what to set, with the line for each proxy', async () => {
    const site = await aLockedSite(engine);
    const proxy = proxyOf(site);
    for (let time = 0; time < 20; time += 1) await proxy(posts);
    const [logged] = site.log.lines.filter(({ message }) => /all visitors share one IP address/.test(message));
    assert.match(JSON.stringify(logged?.details), /Caddy.*nginx.*Traefik.*Apache.*HAProxy/);
    assert.match((await site.get('/readyz')).text, /^ready\nWarning: .*\nRemedy: .*\nCaddy: reverse_proxy .*\nnginx: /);
    assert.equal((await proxy('/readyz')).text, 'ready\n', 'nobody else is told');
    const { health } = site.app.services;
    const looked = await health.look('proxy-header', { headers: {}, address: '127.0.0.1' });
    assert.deepEqual(
      [looked?.seen.state, /HAProxy: `option forwardfor`/.test(looked?.seen.remedy ?? '')],
      ['warning', true],
    );
  });
});
