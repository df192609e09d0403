// Addresses that others have reported: who asks the registry, what about, and what comes of it.
import assert from 'node:assert/strict';
import { buffer } from 'node:stream/consumers';
import { test } from 'node:test';
import { eachEngine, type TestEngine } from '#test/databases.ts';
import { aRemote } from '#test/remote.ts';
import { aGuardedSite } from '#test/security-suite.ts';
import { aVisitor } from '#test/visitor.ts';

const settings = '/api/secsuite/v1/settings/network-brute-force';
const password = 'quiet harbour beneath a violet kettle';
const [bad, good] = ['8.8.4.4', '9.9.9.9'] as const;

async function aRegistry(engine: TestEngine) {
  const asked: { path: string; authorization: string | undefined; said: Record<string, unknown> }[] = [];
  const remote = await aRemote(async (request, response) => {
    const said = JSON.parse((await buffer(request)).toString());
    asked.push({ path: request.url ?? '', authorization: request.headers.authorization, said });
    const isRefused = said.email === 'no@site.test';
    const answer =
      request.url === '/register'
        ? isRefused
          ? { message: 'No more sites.' }
          : { key: 'a-key', secret: 'a-secret' }
        : { blocked: said.ip === bad, seconds: 600 };
    response.writeHead(isRefused ? 400 : 200, { 'Content-Type': 'application/json' }).end(JSON.stringify(answer));
  });
  engine.atEnd(() => remote.close());
  return { asked, remote };
}

async function aNetworkSite(engine: TestEngine) {
  const { asked, remote } = await aRegistry(engine);
  const time = { now: new Date('2026-11-20T12:00:00Z').getTime() };
  const [site, suite] = await aGuardedSite(engine, {
    clock: () => new Date(time.now),
    env: {
      GATEHOUSE_BLOCKLIST_URL: remote.url,
      GATEHOUSE_FETCH_ALLOW_HOSTS: remote.host,
      GATEHOUSE_TRUST_PROXY: '127.0.0.1,::1',
    },
  });
  await site.user({ login: 'kim', password, roles: ['editor'] });
  const admin = site.as('administrator');
  const signIn = async (address: string, pwd: string) => {
    const shown = await aVisitor(site, { 'x-forwarded-for': address }).post('/login', { log: 'kim', pwd });
    await site.app.services.events.settled();
    return shown;
  };
  const codes = async () => {
    await suite.logs.flush();
    const { body } = await admin.get('/api/secsuite/v1/logs?module=ipcheck&orderby=id&order=asc');
    return body.map(({ code, type }: { code: { raw: { code: string } }; type: { raw: string } }) =>
      [type.raw, code.raw.code].join(' '),
    );
  };
  return { site, suite, admin, asked, signIn, codes, time };
}

eachEngine('The list of reported addresses', (engine) => {
  test('is asked after a wrong password alone, and keeps out whoever is on it for as long as it says', async () => {
    const { admin, asked, signIn, codes, time, suite } = await aNetworkSite(engine);
    await signIn(bad, 'wrong');
    assert.equal(asked.length, 0);
    const registered = await admin.patch(settings, { email: 'me@site.test', updates_optin: false });
    assert.equal(registered.status, 200, registered.text);
    assert.deepEqual([registered.body.api_key, registered.body.email], ['a-key', null]);
    assert.ok(!registered.text.includes('a-secret'));
    assert.equal((await signIn(bad, password)).status, 302);
    assert.deepEqual(
      asked.map(({ path }) => path),
      ['/register'],
    );
    await signIn(good, 'wrong');
    await signIn(good, 'wrong');
    await signIn(bad, 'wrong');
    const basic = `Basic ${Buffer.from('a-key:a-secret').toString('base64')}`;
    assert.deepEqual(
      asked.slice(1).map(({ path, authorization, said }) => [path, authorization, said]),
      [
        ['/check', basic, { ip: good }],
        ['/check', basic, { ip: bad }],
      ],
    );
    const refused = await signIn(bad, password);
    assert.deepEqual([refused.status, refused.given.some((cookie) => /session=[^;]/.test(cookie))], [403, false]);
    assert.equal((await signIn(good, password)).status, 302);
    await admin.patch(settings, { enable_ban: false });
    assert.equal((await signIn(bad, password)).status, 302);
    await signIn(bad, 'wrong');
    assert.deepEqual(await codes(), [
      'action ip-blocked',
      'critical-issue successful-login-by-blocked-ip',
      'notice failed-login-by-blocked-ip',
    ]);
    await admin.patch(settings, { enable_ban: true });
    time.now += 601_000;
    assert.equal((await signIn(bad, password)).status, 302);
    await suite.network.reported(bad);
    await suite.network.reported('10.0.0.1');
    assert.deepEqual([asked.at(-1)!.path, asked.at(-1)!.said], ['/report', { ip: bad }]);
  });

  test('keeps out nobody while the module is off', async () => {
    const { admin, asked, signIn, codes } = await aNetworkSite(engine);
    await admin.patch(settings, { email: 'me@site.test', updates_optin: false });
    await signIn(bad, 'wrong');
    await admin.put('/api/secsuite/v1/modules/network-brute-force', { status: { selected: 'inactive' } });
    assert.equal((await signIn(bad, password)).status, 302);
    await signIn('8.8.8.8', 'wrong');
    assert.equal(asked.length, 2);
    assert.deepEqual(await codes(), []);
  });

  test('keeps out nobody who is always let in, and what they do is written down all the same', async () => {
    const { admin, signIn, codes } = await aNetworkSite(engine);
    await admin.patch(settings, { email: 'me@site.test', updates_optin: false });
    await signIn(bad, 'wrong');
    assert.equal((await signIn(bad, password)).status, 403);
    await admin.patch('/api/secsuite/v1/settings/global', { lockout_white_list: ['8.8.4.0/24'] });
    assert.equal((await signIn(bad, password)).status, 302);
    assert.deepEqual(await codes(), ['action ip-blocked', 'critical-issue successful-login-by-blocked-ip']);
  });

  test('is told of few addresses at once, however many are locked out', async () => {
    const { admin, asked, suite } = await aNetworkSite(engine);
    await admin.patch(settings, { email: 'me@site.test', updates_optin: false });
    const tell = (last: number) => suite.network.reported(`8.8.8.${last}`);
    await Promise.all(Array.from({ length: 40 }, (_, last) => tell(last)));
    assert.equal(asked.filter(({ path }) => path === '/report').length, 4);
    await tell(99);
    assert.deepEqual(asked.at(-1)!.said, { ip: '8.8.8.99' });
  });

  test('takes no site where it refuses it, or where there is none', async () => {
    const { admin } = await aNetworkSite(engine);
    const refused = await admin.patch(settings, { email: 'no@site.test', updates_optin: false });
    assert.deepEqual(
      [refused.status, refused.body.code, refused.body.message],
      [400, 'secsuite.network-brute-force.refused', 'No more sites.'],
    );
    const [alone] = await aGuardedSite(engine);
    const nobody = await alone.as('administrator').patch(settings, { email: 'me@site.test', updates_optin: false });
    assert.deepEqual([nobody.status, nobody.body.code], [400, 'secsuite.network-brute-force.unavailable']);
    assert.equal((await alone.as('administrator').get(settings)).body.email, null);
  });
});
