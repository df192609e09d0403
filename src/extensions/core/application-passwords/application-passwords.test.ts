import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachEngine } from '#test/databases.ts';
import { aSite } from '#test/site.ts';

const of = (user: number | string, rest = '') => `/api/core/v2/users/${user}/application-passwords${rest}`;
const app_id = '6f1f4c2e-0a0b-4c3d-8e9f-001122334455';

eachEngine('Application passwords over the interface', (engine) => {
  test('are made, seen, renamed and revoked by their user', async () => {
    const site = await aSite(engine);
    const ada = await site.user({ login: 'ada', roles: ['subscriber'] });
    const { get, post, delete: remove } = site.asUser(ada);
    const made = await post(of('me'), { name: 'My <b>phone</b>', app_id });
    assert.equal(made.status, 201);
    const { uuid, password, _links } = made.body;
    const address = `http://site.test${of(ada.id, `/${uuid}`)}`;
    assert.equal(made.headers.get('location'), address);
    assert.equal(made.headers.get('allow'), 'GET, POST, DELETE');
    assert.match(password, /^(?:\w{4} ){5}\w{4}$/);
    const self = [{ targetHints: { allow: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] }, href: address }];
    assert.deepEqual(_links, { self });

    const limits = { rest_api_permissions: 'write', enabled_for: ['rest-api', 'xml-rpc'] };
    const created = '2026-11-20T12:00:00';
    const shown = { uuid, app_id, name: 'My phone', created, last_used: null, last_ip: null, ...limits };
    const seen = await get(of('me', `/${uuid}`));
    assert.deepEqual(seen.body, { ...shown, _links });
    assert.equal(seen.headers.get('allow'), 'GET, POST, PUT, PATCH, DELETE');
    assert.deepEqual(Object.keys((await get(of('me', `/${uuid}?context=edit`))).body), Object.keys(seen.body));
    const embedded = await get(of('me', `/${uuid}?context=embed`));
    assert.deepEqual(embedded.body, { uuid, app_id, name: 'My phone', _links });

    const renamed = await post(of('me', `/${uuid}`), { name: 'Old phone', app_id: '' });
    assert.deepEqual(renamed.body, { ...shown, name: 'Old phone', _links });
    assert.equal((await post(of('me', `/${uuid}`), {})).body.name, 'Old phone');
    assert.deepEqual((await post(of('me', `/${uuid}`), renamed.body)).body, renamed.body, 'as it was read');

    const revoked = await remove(of('me', `/${uuid}`));
    assert.deepEqual(revoked.body, { deleted: true, previous: { ...shown, name: 'Old phone' } });
    for (const gone of [
      await remove(of('me', `/${uuid}`)),
      await get(of('me', `/${uuid}`)),
      await get(of('me', '/zzz')),
    ])
      assert.deepEqual([gone.status, gone.body.code], [404, 'rest_application_password_not_found']);
  });

  test('do no more than their limits say, whatever says the method', async () => {
    const site = await aSite(engine);
    const ada = await site.user({ login: 'ada', roles: ['author'] });
    const own = site.asUser(ada);
    const made = await own.post(of('me'), {
      name: 'Reader',
      rest_api_permissions: 'read',
      enabled_for: ['rest-api'],
    });
    assert.deepEqual([made.body.rest_api_permissions, made.body.enabled_for], ['read', ['rest-api']]);
    const basic = { authorization: `Basic ${Buffer.from(`ada:${made.body.password}`).toString('base64')}` };
    const posts = '/api/core/v2/posts';
    const one = `${posts}/${(await own.post(posts, { title: 'Mine' })).body.id}`;
    assert.equal((await site.get('/api/core/v2/users/me', basic)).body.id, ada.id);
    assert.equal((await site.options(posts, basic)).status, 200);
    for (const answer of [
      await site.post(posts, { title: 'No' }, basic),
      await site.delete(one, undefined, basic),
      await site.get(`${one}?_method=DELETE`, basic),
      await site.get(`${one}?%5Fmethod=delete`, basic),
      await site.get(one, { ...basic, 'x-http-method-override': 'DELETE' }),
      await site.post('/api/batch/v1', { requests: [{ method: 'POST', path: '/core/v2/posts' }] }, basic),
      await site.post(of('me'), { name: 'More' }, basic),
    ])
      assert.deepEqual([answer.status, answer.body.code], [403, 'unsupported_http_method']);
    const bad = await own.post(of('me'), { name: 'x', rest_api_permissions: 'all' });
    assert.deepEqual([bad.status, bad.body.code], [400, 'rest_invalid_param']);
    const path = of('me', `/${made.body.uuid}`);
    assert.equal((await own.patch(path, { rest_api_permissions: 'write' })).body.rest_api_permissions, 'write');
    assert.equal((await site.post(posts, { title: 'Yes' }, basic)).status, 201);
    await own.patch(path, { enabled_for: ['xml-rpc'] });
    const other = await site.get('/api/core/v2/users/me', basic);
    assert.deepEqual([other.status, other.body.code], [401, 'invalid_api_type']);
  });

  test('are listed in the order they were made, and revoked together', async () => {
    const site = await aSite(engine);
    const ada = await site.user({ login: 'ada', roles: ['subscriber'] });
    const { get, post, delete: remove } = site.as('administrator');
    for (const name of ['same', 'same', 'other']) await post(of(ada.id), { name });
    const { body, headers } = await get(of(ada.id, '?_fields=name,app_id'));
    assert.deepEqual(body, [
      { name: 'same', app_id: '' },
      { name: 'same', app_id: '' },
      { name: 'other', app_id: '' },
    ]);
    assert.equal(headers.get('x-wp-total'), null);
    assert.deepEqual((await remove(of(ada.id))).body, { deleted: true, count: 3 });
    assert.deepEqual((await get(of(ada.id))).body, []);
  });

  test('tell which of them a request was made with, to nobody else', async () => {
    const site = await aSite(engine);
    const { get } = site.as('author');
    const own = await get(of('me', '/introspect'));
    assert.deepEqual([own.status, own.headers.get('allow')], [200, 'GET']);
    assert.deepEqual([own.body.name, own.body.last_used], ['test', '2026-11-20T12:00:00']);
    assert.equal('password' in (await get(of('me', '/introspect?context=edit'))).body, false);
    const { status, body } = await get(of(1, '/introspect'));
    assert.deepEqual([status, body.code], [403, 'rest_cannot_introspect_app_password_for_non_authenticated_user']);
    assert.equal((await site.get(of('me', '/introspect'))).body.code, 'rest_not_logged_in');
    assert.equal((await site.get(of(1, '/introspect'))).status, 401);
  });

  test('are the business of their user, and of whoever may edit the user', async () => {
    const site = await aSite(engine);
    const owner = (await site.caller('administrator')).id;
    const ada = await site.user({ login: 'ada', roles: ['subscriber'] });
    const { body } = await site.as('administrator').post(of(owner), { name: 'theirs' });
    const one = of(owner, `/${body.uuid}`);
    for (const [client, status] of [
      [site, 401],
      [site.asUser(ada), 403],
      [site.as('editor'), 403],
      [site.as('parish_admin'), 403],
    ] as const) {
      for (const [method, path, code] of [
        ['GET', of(owner), 'rest_cannot_list_application_passwords'],
        ['POST', of(owner), 'rest_cannot_create_application_passwords'],
        ['DELETE', of(owner), 'rest_cannot_delete_application_passwords'],
        ['GET', one, 'rest_cannot_read_application_password'],
        ['PATCH', one, 'rest_cannot_edit_application_password'],
        ['DELETE', one, 'rest_cannot_delete_application_password'],
      ] as const) {
        const refused = await client.request(method, path, method === 'GET' ? {} : { body: { name: 'mine' } });
        assert.deepEqual([refused.status, refused.body.code], [status, code]);
        assert.equal(refused.headers.get('allow'), null);
      }
    }
    assert.equal((await site.as('administrator').get(one)).body.name, 'theirs');
    assert.equal((await site.as('parish_admin').post(of(ada.id), { name: 'helped' })).status, 201);
  });

  test('are nobody’s where there is no such user, and wait for who says "me" without being known', async () => {
    const site = await aSite(engine);
    for (const user of [0, 99_999, '99999999999999999999']) {
      const { status, body } = await site.as('administrator').get(of(user));
      assert.deepEqual([status, body.code], [404, 'rest_user_invalid_id']);
    }
    const { status, body } = await site.get(of('me'));
    assert.deepEqual([status, body.code], [401, 'rest_not_logged_in']);
    assert.equal((await site.get(of('you'))).body.code, 'rest_no_route');
  });

  test('need a name, and of their program a proper number or none', async () => {
    const { post } = (await aSite(engine)).as('administrator');
    assert.equal((await post(of('me'), {})).body.code, 'rest_missing_callback_param');
    for (const bad of [
      { name: '' },
      { name: ' ' },
      { name: 'x', app_id: 'y' },
      { name: ['x'] },
      { name: 'x'.repeat(251) },
    ])
      assert.equal((await post(of('me'), bad)).body.code, 'rest_invalid_param', JSON.stringify(bad));
    assert.equal((await post(of('me'), { name: '<b></b>' })).body.code, 'application_password_empty_name');
    assert.equal((await post(of('me'), { name: 'x', app_id: '' })).status, 201);
  });

  test('are not to be had where the site takes none', async () => {
    const site = await aSite(engine, { env: { GATEHOUSE_ALLOW_INSECURE_CREDENTIALS: 'off' } });
    for (const path of [of('me'), of(1), of(1, '/introspect'), of(1, '/x')]) {
      const { status, body } = await site.get(path);
      assert.deepEqual([status, body.code], [501, 'application_passwords_disabled']);
    }
  });

  test('take no part in a batch', async () => {
    const site = await aSite(engine);
    const requests = [{ method: 'POST', path: '/core/v2/users/me/application-passwords', body: { name: 'x' } }];
    const { body } = await site.as('administrator').post('/api/batch/v1', { requests });
    assert.equal(body.responses[0].body.code, 'rest_batch_not_allowed');
  });
});
