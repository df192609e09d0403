import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { day, minute, second } from '#lib/spans.ts';
import { sessionCookie } from '#site/identity/credential.ts';
import { attest, newPasskey } from '#test/authenticator.ts';
import { eachEngine } from '#test/databases.ts';
import { mailsOf } from '#test/mails.ts';
import { stronger } from '#test/password-rules.ts';
import { aGuardedSite } from '#test/security-suite.ts';
import { noon, type TestSite } from '#test/site.ts';
import { aVisitor, type Visitor } from '#test/visitor.ts';
import type { Suite } from '../../parts.ts';
import { hotp } from '../two-factor/totp.ts';

const page = '/account/devices';
const routes = '/api/secsuite/v1/trusted-devices';
const behalf = { caller: { id: 0, can: () => true } };
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0';
const phone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile/15E148 Safari/604.1';
const home = { 'x-forwarded-for': '203.0.113.7', 'user-agent': firefox, 'accept-language': 'de' };
const away = { 'x-forwarded-for': '198.51.100.9', 'user-agent': phone, 'accept-language': 'fr' };

eachEngine('trusted devices', (engine) => {
  let now = noon;
  let site: TestSite;
  let suite: Suite;
  before(async () => {
    [site, suite] = await aGuardedSite(engine, {
      clock: () => now,
      env: { GATEHOUSE_TRUST_PROXY: '127.0.0.1', GATEHOUSE_URL: 'http://localhost' },
    });
    await suite.switches.set('fingerprinting', true, behalf);
    const notifications = { 'unrecognized-login': { enabled: true } };
    await suite.settings.overlay('notification-center', { notifications }, behalf);
    const group = await suite.groups.add({ label: 'Writers', roles: ['author', 'administrator'] });
    await set({ group: ['id' in group ? group.id : ''] });
  });
  const set = (values: object) => suite.settings.overlay('fingerprinting', values as never, behalf);
  const later = (milliseconds: number) => {
    now = new Date(now.getTime() + milliseconds);
  };
  const someone = (login: string, role = 'author') =>
    site.user({ login, password: stronger, email: `${login}@site.test`, roles: [role] });
  const on = (headers: Record<string, string>) => aVisitor(site, headers);
  const signIn = async (login: string, headers: Record<string, string>, to: string | null = '/account') => {
    const visitor = on(headers);
    const answer = await visitor.signIn(login, stronger);
    assert.equal(answer.to, to, answer.text);
    return visitor;
  };
  const mailTo = async (to: string) => {
    await site.app.services.events.settled();
    return (await mailsOf(site)).findLast((mail) => mail.to === to);
  };
  const linksTo = async (login: string): Promise<string[]> =>
    (await mailTo(`${login}@site.test`))?.text.match(/\/trusted-device\?\S+/g) ?? [];
  const statusesOf = async (id: number) => (await suite.devices.list({ id })).map(({ status }) => status);
  const tokenOf = async (visitor: Visitor): Promise<string> =>
    (await visitor.get('/wp-admin/admin-ajax.php?action=rest-nonce')).text;
  const ask = async (visitor: Visitor, path: string, headers: Record<string, string>, init: RequestInit = {}) => {
    const cookie = `${sessionCookie}=${visitor.cookies.get(sessionCookie)}`;
    const all = { ...headers, cookie, 'x-wp-nonce': await tokenOf(visitor), 'content-type': 'application/json' };
    const answer = await fetch(`${site.origin}${path}`, { ...init, headers: all });
    const text = await answer.text();
    return { status: answer.status, body: text === '' ? undefined : JSON.parse(text) };
  };
  const post = (body: object = {}) => ({ method: 'POST', body: JSON.stringify(body) });
  const fieldsOf = (link: string): Record<string, string> =>
    Object.fromEntries(new URL(link, 'http://site.test').searchParams);

  test('the first device is confirmed; a new one waits, and the link of an email confirms it', async () => {
    const ada = await someone('ada');
    await signIn('ada', home);
    await signIn('ada', home);
    assert.deepEqual(await statusesOf(ada.id), ['approved']);
    await signIn('ada', { ...home, 'user-agent': firefox.replaceAll('150', '151') });
    assert.deepEqual(await statusesOf(ada.id), ['auto-approved', 'approved'], 'an upgrade of the browser');
    assert.equal(await mailTo('ada@site.test'), undefined, 'she is not asked');
    const visitor = await signIn('ada', away);
    assert.match(
      (await mailTo('ada@site.test'))!.text,
      /IP address: 198\.51\.100\.9\. Browser: Safari\. System: iPhone/,
    );
    assert.match((await visitor.get('/account')).text, /This device is not confirmed/);
    const [approve] = await linksTo('ada');
    const opened = await on({}).get(approve!);
    assert.match(opened.text, /<h1>Is this your device\?[^§]*Yes, confirm this device/);
    assert.ok((await statusesOf(ada.id)).includes('pending'), 'opening the link alone changes nothing');
    assert.match((await on({}).post('/trusted-device', fieldsOf(approve!))).text, /The device is confirmed/);
    assert.deepEqual(
      (await mailTo('ada@site.test'))!.subject.replace(/^\[.*?\] /, ''),
      'A device of yours was confirmed',
    );
    assert.match((await visitor.get(page)).text, /\(this device\)[^§]*It is confirmed/);
    assert.equal((await on({}).post('/trusted-device', fieldsOf(approve!))).status, 409, 'the same link again');
    const [, deny] = await linksTo('ada');
    assert.equal(deny, undefined);
  });

  test('denying a device ends sessions, replaces the password and restores the email address', async () => {
    const bo = await someone('bo');
    await signIn('bo', home);
    const thief = await signIn('bo', away);
    const [approve, deny] = await linksTo('bo');
    const { identity } = site.app.services;
    await identity.applicationPasswords.add(bo, { name: 'of the thief' });
    const { token, options } = await suite.passkeys.startRegistration(bo);
    await suite.passkeys.finishRegistration({ user: bo }, token, attest(newPasskey(), options), 'of the thief');
    const pending = await suite.twoFactor.pending(bo);
    assert.ok(await suite.twoFactor.turnOnApp(bo, hotp(pending.seed, Math.floor(now.getTime() / (30 * second)))));
    assert.deepEqual(await suite.twoFactor.setUpOf(bo), { app: true, email: false, codes: 10 });
    const { seed } = await suite.twoFactor.pending(bo);
    await identity.users.change(bo, { email: 'thief@site.test' });
    const again = await signIn('bo', away);
    const done = await on({}).post('/trusted-device', fieldsOf(deny!));
    assert.match(done.text, /The device is denied/);
    const after = await identity.users.get(bo.id);
    assert.deepEqual([after.email, await identity.applicationPasswords.list(after)], ['bo@site.test', []]);
    assert.deepEqual(
      (await suite.passkeys.list(bo)).map(({ trashed_at }) => trashed_at === null),
      [false],
    );
    assert.deepEqual(await suite.twoFactor.setUpOf(after), { app: false, email: false, codes: 0 });
    assert.notDeepEqual((await suite.twoFactor.pending(after)).seed, seed, 'a key that the thief may have seen');
    const mails = (await mailsOf(site)).filter(({ to }) => to === 'bo@site.test').slice(-2);
    assert.match(mails[0]!.text, /a device was denied[^§]*choose a new password/);
    assert.match(mails[1]!.text, /you denied a device[^§]*set them up again at \S+\/account\/two-factor/);
    for (const visitor of [thief, again]) assert.equal((await visitor.get('/account')).status, 302);
    assert.match((await on(home).signIn('bo', stronger)).text, /The user name or the password is wrong/);
    await identity.users.change(after, { password: stronger });
    const refused = await on(away).signIn('bo', stronger);
    assert.deepEqual([refused.status, /denied this device/.test(refused.text)], [403, true]);
    await signIn('bo', home);
    assert.equal((await on({}).post('/trusted-device', fieldsOf(approve!))).status, 409);
  });

  test('links that are tampered with, old or of another user do nothing', async () => {
    const [cy, di] = [await someone('cy'), await someone('di')];
    for (const login of ['cy', 'di']) await signIn(login, home);
    await signIn('cy', away);
    const fields = fieldsOf((await linksTo('cy'))[0]!);
    const wrong: Record<string, string>[] = [
      { ...fields, user: String(di.id) },
      { ...fields, do: 'deny' },
      { ...fields, device: (await suite.devices.list(di))[0]!.uuid },
      { ...fields, until: String(Number(fields.until) + 1) },
      { ...fields, key: `${fields.key!.slice(0, -1)}${fields.key!.endsWith('0') ? '1' : '0'}` },
      { ...fields, key: '' },
      {},
    ];
    const answers = await Promise.all(wrong.map(async (form) => (await on({}).post('/trusted-device', form)).status));
    assert.deepEqual(answers, Array(wrong.length).fill(404));
    later(7 * day);
    assert.equal((await on({}).get(`/trusted-device?${new URLSearchParams(fields)}`)).status, 404);
    assert.deepEqual((await statusesOf(cy.id)).sort(), ['approved', 'pending']);
    assert.deepEqual(
      await statusesOf(di.id),
      ['approved'],
      'the device of another user with the same browser counts for nobody else',
    );
  });

  test('a device that is not confirmed has fewer rights, and cannot change how its user signs in', async () => {
    await set({ ...suite.settings.of('fingerprinting'), restrict_capabilities: true });
    const ed = await someone('ed', 'administrator');
    const trusted = await signIn('ed', home);
    const users = '/api/core/v2/users?context=edit';
    const modules = '/api/secsuite/v1/modules';
    const own = '/api/core/v2/users/me';
    for (const path of [users, modules]) assert.equal((await ask(trusted, path, home)).status, 200, path);
    const visitor = await signIn('ed', away);
    const seen = async (path: string, init?: RequestInit) => {
      const { status, body } = await ask(visitor, path, away, init);
      return `${status} ${body?.code ?? ''}`.trim();
    };
    const unconfirmed = '403 secsuite_fingerprint_unconfirmed_device';
    const answers = {
      users: await seen(users),
      modules: await seen(modules),
      posts: await seen('/api/core/v2/posts?context=edit'),
      email: await seen(own, post({ email: 'thief@site.test' })),
      password: await seen(`/api/core/v2/users/${ed.id}`, post({ password: `${stronger} 2` })),
      name: await seen(own, post({ name: 'Edward' })),
      app: await seen(`${own}/application-passwords`, post({ name: 'App' })),
      passkey: await seen('/api/secsuite/rpc/webauthn/register-credential', post()),
      devices: await seen(routes),
      batch: await seen(
        '/api/batch/v1',
        post({ requests: [{ method: 'POST', path: '/core/v2/users/me', body: { email: 't@site.test' } }] }),
      ),
    };
    assert.deepEqual(answers, {
      users: '403 rest_forbidden_context',
      modules: '403 rest_forbidden',
      posts: '200',
      email: unconfirmed,
      password: unconfirmed,
      name: '200',
      app: unconfirmed,
      passkey: unconfirmed,
      devices: unconfirmed,
      batch: unconfirmed,
    });
    const form = { _wpnonce: await visitor.token('/account'), do: 'password', current: stronger };
    assert.equal((await visitor.post('/account', form)).status, 403);
    assert.equal((await site.get(users, await site.credentials(ed))).status, 200, 'apps are no devices');
    const resent = { _wpnonce: await visitor.token(page), do: 'resend' };
    assert.equal((await visitor.post(page, resent)).to, `${page}?done=resend`);
    assert.equal((await linksTo('ed')).length, 2);
    const { body: devices } = await ask(trusted, routes, home);
    assert.deepEqual(Object.keys(devices[0]), [
      ...['uuid', 'status', 'created_at', 'last_seen', 'approved_at'],
      ...['ip', 'location', 'browser', 'platform', 'uses'],
    ]);
    const waiting = devices.find((one: { status: string }) => one.status === 'pending');
    const decide = async (uuid: string, deed: string) => {
      const { status, body } = await ask(trusted, `${routes}/${uuid}/${deed}`, home, post());
      return [status, body.code ?? body.status];
    };
    const other = await someone('fay');
    await signIn('fay', home);
    const [foreign] = await suite.devices.list(other);
    assert.deepEqual(await decide(foreign!.uuid, 'deny'), [404, 'secsuite_fingerprint_not_found']);
    assert.deepEqual(await decide(waiting.uuid, 'approve'), [200, 'approved']);
    assert.deepEqual(await decide(waiting.uuid, 'deny'), [409, 'secsuite_fingerprint_final_status']);
    assert.equal(await seen(users), '200');
    assert.equal((await site.get(routes)).status, 401);
    await set({ ...suite.settings.of('fingerprinting'), restrict_capabilities: false });
  });

  test('a session that goes on with a very different device ends, if that is set', async () => {
    const gus = await someone('gus');
    const visitor = await signIn('gus', home);
    assert.equal((await visitor.get('/account')).status, 200);
    const stolen = (headers: Record<string, string>) => {
      const thief = on(headers);
      thief.cookies.set(sessionCookie, visitor.cookies.get(sessionCookie)!);
      return thief;
    };
    assert.equal((await stolen(away).get('/account')).status, 200);
    assert.deepEqual(
      (await statusesOf(gus.id)).sort(),
      ['approved', 'pending'],
      'a new device within a session is one',
    );
    assert.equal((await visitor.get('/account')).status, 200);
    await set({ ...suite.settings.of('fingerprinting'), session_hijacking_protection: true });
    assert.equal(
      (await stolen({ ...home, 'user-agent': firefox.replaceAll('150', '151') }).get('/account')).status,
      200,
    );
    assert.equal((await visitor.get('/account')).status, 200);
    const ended = await stolen(away).get('/account');
    assert.deepEqual([ended.status, /session was used on another device/.test(ended.text)], [401, true]);
    assert.equal((await visitor.get('/account')).status, 302);
  });

  test('a device that is somewhat alike is confirmed by a job after 5 days; old ones are forgotten', async () => {
    const hal = await someone('hal');
    await signIn('hal', home);
    const tabs = await Promise.all([1, 2].map(() => signIn('hal', { ...home, 'user-agent': phone })));
    assert.equal(tabs.length, 2);
    assert.deepEqual(
      (await statusesOf(hal.id)).sort(),
      ['approved', 'pending-auto-approve'],
      'two tabs at once are one device',
    );
    assert.match((await tabs[0]!.get(page)).text, /Confirm it on another device of yours, or wait 5 days/);
    later(5 * day - minute);
    await suite.devices.autoApprove();
    assert.ok((await statusesOf(hal.id)).includes('pending-auto-approve'));
    later(minute);
    await suite.devices.autoApprove();
    assert.deepEqual((await statusesOf(hal.id)).sort(), ['approved', 'auto-approved']);
    await signIn('hal', away);
    later(90 * day);
    await suite.devices.sweep();
    assert.deepEqual((await statusesOf(hal.id)).sort(), ['approved', 'auto-approved']);
    const shown = await signIn('hal', home);
    assert.match((await shown.get(page)).text, /because it is similar to one of your devices[^§]*Deny/);
    const [mine] = (await suite.devices.list(hal)).filter(({ status }) => status === 'auto-approved');
    const form = { _wpnonce: await shown.token(page), do: 'deny', device: mine!.uuid };
    assert.match((await shown.post(page, form)).text, /The device is denied/);
    assert.equal((await shown.get('/account')).status, 302);
    const outsider = await someone('ivy', 'editor');
    await signIn('ivy', home);
    assert.deepEqual(await statusesOf(outsider.id), [], 'members of other groups are not watched');
  });
});
