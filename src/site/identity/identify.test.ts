import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { eachEngine, testEngine } from '#test/databases.ts';
import { basicOf } from '#test/people.ts';
import { checkRows } from '#test/rows.ts';
import { aSite, noon, type SiteOptions, type TestSite } from '#test/site.ts';
import { speak, written } from '#test/wire.ts';
import type { SiteEvents } from '../platform/events.ts';
import { sessionCookie } from './credential.ts';
import { restPurpose } from './sessions/sessions.ts';
import type { User } from './users/user.ts';

const index = '/api/?_fields=name';
const own = '/api/core/v2/users/me/application-passwords';

/** A site with one user who has an application password and a session. */
async function setting(engine: Parameters<typeof aSite>[0], options: SiteOptions = {}) {
  const site = await aSite(engine, options);
  const { identity, events } = site.app.services;
  const failed: SiteEvents['login.failed'][] = [];
  events.on('login.failed', (event) => void failed.push(event));
  const ada = await site.user({ login: 'Ada', email: 'ada@site.test', roles: ['author'] });
  const { password } = await identity.applicationPasswords.add(ada, { name: 'test' });
  return { ...site, ...identity, ada, password, failed, ...(await opened(site, ada)) };
}

async function opened({ app }: TestSite, user: User) {
  const { sessions } = app.services.identity;
  const { cookie, session } = (await sessions.start(user, false, { address: '192.0.2.7', agent: 'Test' }))!;
  return { session, cookie: `${sessionCookie}=${cookie}`, token: sessions.token(session, restPurpose) };
}

eachEngine('Whoever comes with an application password', (engine) => {
  test('is known by login or email address, whatever their capitals', async () => {
    const { get, password } = await setting(engine);
    for (const name of ['Ada', 'ada', 'ADA@site.TEST']) {
      const { status, headers } = await get(own, { authorization: basicOf(name, password) });
      assert.equal(status, 200, name);
      assert.match(headers.get('cache-control') ?? '', /no-store/);
      assert.equal(headers.get('x-wp-nonce'), null);
    }
  });

  test('is told one thing whatever is wrong, on public addresses too, and no dialog opens', async () => {
    const { get, users, ada, password, as } = await setting(engine);
    await users.change(ada, { password: 'the account’s own' });
    await as('editor').get(index);
    const bodies = new Set<string>();
    for (const authorization of [
      basicOf('Ada', 'wrong'),
      basicOf('Ada', 'the account’s own'),
      basicOf('nobody', password),
      basicOf('nobody@site.test', password),
      basicOf('editor', password),
      basicOf('', password),
      basicOf('Ada\u0000', password),
      'Basic !!!',
      `Basic ${Buffer.from([0x41, 0x3a, 0xff]).toString('base64')}`,
      `Basic ${Buffer.from(`Ada:${'x'.repeat(9_000)}`).toString('base64')}`,
    ]) {
      const { status, text, headers } = await get(index, { authorization });
      assert.equal(status, 401, authorization);
      assert.equal(headers.get('www-authenticate'), null);
      assert.match(headers.get('cache-control') ?? '', /no-store/);
      bodies.add(text);
    }
    assert.equal(bodies.size, 1);
    for (const authorization of ['Bearer abc', 'Digest username="Ada"', 'x']) {
      const other = (await get(index, { authorization })).body;
      assert.match(other.message, /application password/, authorization);
      assert.deepEqual([other.code, other.data], ['incorrect_password', { status: 401 }]);
    }
    const [body] = [...bodies].map((text) => JSON.parse(text));
    assert.deepEqual([body.code, body.data], ['incorrect_password', { status: 401 }]);
  });

  test('and brings a key to where nothing is hears that nothing is there, so that no program throws its key away', async () => {
    const { get, post, options: asked, delete: erase } = await setting(engine);
    const authorization = 'Bearer abc';
    const codeOf = async (asked: Promise<{ status: number; body: { code: string } }>) => {
      const { status, body } = await asked;
      return [status, body.code];
    };
    const nothing = [404, 'rest_no_route'];
    assert.deepEqual(await codeOf(get('/api/hub/v2/hub-sync', { authorization })), nothing);
    assert.deepEqual(await codeOf(post('/api/nowhere', {}, { authorization })), nothing);
    assert.deepEqual(await codeOf(erase('/api/core/v2/types', undefined, { authorization })), nothing);
    assert.deepEqual(await codeOf(get('/api/nowhere', { authorization: 'bearer\tabc' })), nothing);
    const options = async (path: string) => (await asked(path, { authorization })).status;
    assert.deepEqual([await options('/api/nowhere'), await options('/api/core/v2/types')], [200, 401]);
    assert.equal((await get('/api/core/v2/types', { authorization })).status, 401);
    assert.equal((await get('/api/nowhere', { authorization: basicOf('ada', 'wrong') })).status, 401);
  });

  test('is told to those who listen when it fails, without the secret, and a Bearer key is no failed login', async () => {
    const { get, password, failed } = await setting(engine);
    for (const authorization of [
      basicOf('ada', 'wrong'),
      basicOf('nobody', password),
      basicOf('nobody@site.test', password),
      basicOf(password, 'Ada'),
      basicOf('x'.repeat(3_000), 'x'),
      'Basic !!!',
      'Bearer abc',
    ])
      await get(index, { authorization });
    assert.deepEqual(
      failed.map(({ login, user, reason, by, from }) => [login, user?.login, reason, by, from]),
      [
        ['ada', 'Ada', 'incorrect_password'],
        ['nobody', undefined, 'invalid_username'],
        ['nobody@site.test', undefined, 'invalid_email'],
        [`${password.slice(0, 4)}…`, undefined, 'invalid_username'],
        ['x'.repeat(60), undefined, 'invalid_username'],
        ['', undefined, 'invalid_username'],
      ].map((told) => [...told, 'application_password', '127.0.0.1']),
    );
  });

  test('is nobody any more once the password is revoked or the user is gone', async () => {
    const { get, ada, password, applicationPasswords, users } = await setting(engine);
    const authorization = basicOf('ada', password);
    const [{ uuid } = assert.fail()] = (await get(own, { authorization })).body;
    const { password: other } = await applicationPasswords.add(ada, { name: 'other' });
    await applicationPasswords.revoke(ada, uuid);
    assert.equal((await get(own, { authorization })).status, 401);
    assert.equal((await get(own, { authorization: basicOf('ada', other) })).status, 200);
    await users.erase(ada, undefined);
    assert.equal((await get(own, { authorization: basicOf('ada', other) })).status, 401);
  });

  test('may do what the roles give, as they are now', async () => {
    const { users, ada, identify, password, app } = await setting(engine);
    const who = async () => {
      const headers = { authorization: basicOf('ada', password) };
      const request = { id: 'x', face: 'neutral', method: 'GET', path: '/', query: '', headers, address: 'x' } as const;
      return identify({ ...request, sources: () => assert.fail() });
    };
    const before = await who();
    assert.deepEqual([before.id, before.can('publish_posts'), before.can('edit_users')], [ada.id, true, false]);
    assert.equal(await who(), before, 'made once');
    await app.services.identity.users.add({ login: 'owner', email: 'owner@site.test', roles: ['administrator'] });
    await users.change(ada, { roles: ['subscriber'] });
    assert.equal((await who()).can('publish_posts'), false);
  });

  test('is refused where the site takes none', async () => {
    const env = { GATEHOUSE_ALLOW_INSECURE_CREDENTIALS: 'off' };
    const { get, password, failed } = await setting(engine, { env });
    const { status, body } = await get(index, { authorization: basicOf('ada', password) });
    assert.deepEqual([status, body.code], [401, 'incorrect_password']);
    assert.match(body.message, /because it does not use HTTPS/);
    assert.deepEqual(
      failed.map(({ reason }) => reason),
      ['application_passwords_disabled'],
    );
  });

  test('of another gate counts as nobody where the site stands behind one', async () => {
    const { get, password, failed } = await setting(engine, { env: { GATEHOUSE_BASIC_FOREIGN: 'ignore' } });
    const statusOf = async (authorization: string) => (await get(index, { authorization })).status;
    assert.equal(await statusOf(basicOf('gate', 'keeper')), 200);
    assert.equal((await get(own, { authorization: basicOf('gate', 'keeper') })).body.code, 'rest_not_logged_in');
    assert.deepEqual(failed, []);
    assert.equal(await statusOf(basicOf('ada', password)), 200);
    for (const wrong of [basicOf('ada', 'wrong'), 'Basic !!!', 'Bearer abc']) assert.equal(await statusOf(wrong), 401);
  });
});

eachEngine('Whoever comes with a session', (engine) => {
  test('is known with its token, in a header or as an argument, and gets a fresh one', async () => {
    const { get, cookie, token } = await setting(engine);
    for (const [path, headers] of [
      [own, { cookie, 'x-wp-nonce': token }],
      [`${own}?_wpnonce=${token}`, { cookie: `seen=1; ${cookie}` }],
    ] as const) {
      const answer = await get(path, headers);
      assert.equal(answer.status, 200);
      assert.equal(answer.headers.get('x-wp-nonce'), token);
      assert.match(answer.headers.get('cache-control') ?? '', /no-store/);
    }
  });

  test('is nobody without the token, also when an application password comes along', async () => {
    const { get, request, cookie, password } = await setting(engine);
    for (const more of [undefined, { authorization: basicOf('ada', password) }]) {
      const { status, body } = await get(own, { cookie, ...more });
      assert.deepEqual([status, body.code], [401, 'rest_not_logged_in']);
    }
    const overridden = await request('POST', `${own}?_method=GET`, { headers: { cookie }, body: {} });
    assert.equal(overridden.status, 401);
  });

  test('or without one is refused with a token that is wrong, empty, or of another session', async () => {
    const { get, cookie, token, as, ...site } = await setting(engine);
    const { token: foreign } = await opened(site as unknown as TestSite, await site.user({ login: 'bob' }));
    for (const [path, headers] of [
      [index, { cookie, 'x-wp-nonce': 'wrong' }],
      [index, { cookie, 'x-wp-nonce': '' }],
      [index, { cookie, 'x-wp-nonce': foreign }],
      [`${index}&_wpnonce=`, { cookie }],
      [`${index}&_wpnonce[]=${token}`, { cookie }],
      [`${index}&_wpnonce=wrong`, { cookie, 'x-wp-nonce': token }],
      [index, { 'x-wp-nonce': token }],
      [`${index}&_wpnonce=${token}`, {}],
      [index, { cookie: `${sessionCookie}=${'A'.repeat(43)}`, 'x-wp-nonce': token }],
    ] as const) {
      const { status, body, headers: answered } = await get(path, headers);
      assert.deepEqual([status, body.code], [403, 'rest_cookie_invalid_nonce'], JSON.stringify([path, headers]));
      assert.equal(answered.get('x-wp-nonce'), null);
      assert.match(answered.get('cache-control') ?? '', /no-store/);
    }
  });

  test('that is over, ended or made up counts as none, so an application password lets in', async () => {
    let time = noon.getTime();
    const { get, cookie, password, sessions, session } = await setting(engine, { clock: () => new Date(time) });
    const basic = { authorization: basicOf('ada', password) };
    const statusWith = async (sent: string) => (await get(own, { cookie: sent, ...basic })).status;
    assert.equal(await statusWith(cookie), 401);
    for (const none of [`${sessionCookie}=`, `${sessionCookie}=x`, `${sessionCookie}=${'A'.repeat(43)}`])
      assert.equal(await statusWith(none), 200, none);
    time += 49 * 3_600_000;
    assert.equal(await statusWith(cookie), 200);
    time = noon.getTime();
    await sessions.end(session);
    assert.equal(await statusWith(cookie), 200);
  });

  test('that sends no session is known by its application password, whatever token comes along', async () => {
    const { get, token, password } = await setting(engine);
    for (const sent of [token, 'stale', '']) {
      const by = (authorization: string) => get(own, { 'x-wp-nonce': sent, authorization });
      assert.equal((await by(basicOf('ada', password))).status, 200, sent);
      assert.equal((await by(basicOf('ada', 'wrong'))).body.code, 'incorrect_password', sent);
    }
  });

  test('is known by it and not by an application password that comes along, right or wrong', async () => {
    const { get, cookie, token, password } = await setting(engine);
    for (const authorization of [basicOf('ada', password), basicOf('ada', 'wrong'), 'Bearer x']) {
      const { status, body } = await get(`${own}/introspect`, { cookie, 'x-wp-nonce': token, authorization });
      assert.deepEqual([status, body.code], [404, 'rest_no_authenticated_app_password']);
    }
  });
});

describe('Credentials as an attacker writes them', () => {
  const engine = testEngine('sqlite');
  let site: Awaited<ReturnType<typeof setting>>;
  before(async () => {
    site = await setting(engine);
  });
  const own200 = /"uuid"/;

  test('are refused, and nothing breaks', () =>
    checkRows(
      [
        ['bytes that are no text', ['Authorization: Basic \xff\xfe', 'Cookie: site_session=\xff\xfe; x=\x80'], 401],
        ['a token of such bytes', ['X-WP-Nonce: \xff\xfe\xfd'], 403],
        [
          'two Authorization headers',
          ['Authorization: Bearer x', `Authorization: ${basicOf('ada', site.password)}`],
          401,
        ],
        ['two tokens', [`Cookie: ${site.cookie}`, `X-WP-Nonce: ${site.token}`, `X-WP-Nonce: ${site.token}`], 403],
        ['a long header', [`Authorization: Basic ${'A'.repeat(12_000)}`], 401],
        ['many cookies', [`Cookie: ${'a=b; '.repeat(2_000)}`], 401],
      ] as const,
      async ([, lines, status]) => {
        const line = `GET ${own} HTTP/1.1`;
        const request = written(line, ['Host: site.test', 'Connection: close', ...lines]);
        const heard = await speak(site.port, [Buffer.from(request, 'latin1')]);
        assert.deepEqual(heard.statuses, [status], heard.text);
        assert.doesNotMatch(heard.text, own200);
        assert.deepEqual(
          site.log.lines.filter(({ level }) => level === 'error'),
          [],
        );
      },
    ));
});
