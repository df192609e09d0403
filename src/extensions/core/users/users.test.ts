import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachEngine, type TestEngine } from '#test/databases.ts';
import { type Answer, aSite } from '#test/site.ts';
import type { Deployment } from '../../../config/deployment.ts';

const path = '/api/core/v2/users';
const me = `${path}/me`;
const ids = ({ body }: Answer): number[] => body.map(({ id }: { id: number }) => id);
const shape = ({ status, body }: Answer): [number, string | undefined] => [status, body?.code];
const detail = ({ body }: Answer, name: string) => body.data.details?.[name]?.code;

/** May edit subscribers, but not what they are. */
const helper = { label: 'Helper', capabilities: ['read', 'level_0', 'list_users', 'edit_users'] };
const withHelper = { deploys: ({ roles }: Deployment) => ({ roles: { ...roles, helper } }) };

async function aParish(engine: TestEngine) {
  const site = await aSite(engine);
  const admin = site.as('administrator');
  const [boss, author, reader] = await Promise.all(
    ['administrator', 'author', 'subscriber'].map(async (role) => (await site.caller(role)).id),
  );
  return { ...site, site, admin, boss: boss!, author: author!, reader: reader! };
}

eachEngine('users over the interface', (engine) => {
  test('somebody new has a record, an address and the least role', async () => {
    const { admin } = await aParish(engine);
    const sent = { username: 'Ann.B', email: 'Ann@example.test', password: 'A good long one', first_name: 'Ann' };
    const { status, headers, body } = await admin.post(path, sent);
    assert.deepEqual([status, headers.get('location')], [201, `http://site.test/api/core/v2/users/${body.id}`]);
    assert.deepEqual(
      [body.username, body.name, body.slug, body.link, body.roles, body.extra_capabilities],
      ['Ann.B', 'Ann', 'ann-b', 'http://site.test/author/ann-b/', ['subscriber'], { subscriber: true }],
    );
    assert.deepEqual([body.locale, body.registered_date], ['en_GB', '2026-11-20T12:00:00+00:00']);
    assert.deepEqual(body.meta.persisted_preferences, []);
    assert.match(body.avatar_urls[48], /^https:\/\/secure\.gravatar\.com\/avatar\/[\da-f]{64}\?s=48&d=mm&r=g$/);
    assert.equal('password' in body, false);
    assert.equal(body._links.collection[0].href, 'http://site.test/api/core/v2/users');
  });

  test('pictures come from where the site says, or not at all', async () => {
    const own = await aSite(engine, { env: { GATEHOUSE_AVATAR_BASE: 'https://pictures.test/of' } });
    const shown = (await own.as('subscriber').get(me)).body.avatar_urls;
    assert.match(shown[24], /^https:\/\/pictures\.test\/of\/[\da-f]{64}\?s=24/);
    const none = await aSite(engine, { env: { GATEHOUSE_AVATARS: 'off' } });
    assert.deepEqual((await none.as('subscriber').get(me)).body.avatar_urls, {});
  });

  test('the view context shows what everybody may see', async () => {
    const { admin, author } = await aParish(engine);
    const { body } = await admin.get(`${path}/${author}`);
    const seen = ['id', 'name', 'url', 'description', 'link', 'slug', 'avatar_urls', 'meta', '_links'];
    assert.deepEqual(Object.keys(body), seen);
    assert.deepEqual(body.meta, []);
    const embedded = (await admin.get(`${path}/${author}?context=embed`)).body;
    assert.deepEqual(
      Object.keys(embedded),
      seen.filter((name) => name !== 'meta'),
    );
  });

  test('nobody sees anybody but oneself without leave to list users', async () => {
    const { site, as, boss, reader } = await aParish(engine);
    for (const client of [site, as('author')]) {
      const { status, body, headers } = await client.get(path);
      assert.deepEqual([status, body, headers.get('x-wp-total')], [200, [], '0']);
      assert.equal((await client.get(`${path}/${boss}`)).body.code, 'rest_user_cannot_view');
    }
    assert.deepEqual(shape(await site.get(`${path}/${boss}`)), [401, 'rest_user_cannot_view']);
    assert.deepEqual(shape(await as('author').get(`${path}/${boss}`)), [403, 'rest_user_cannot_view']);
    assert.equal((await as('subscriber').get(`${path}/${reader}?context=edit`)).body.username, 'subscriber');
    assert.deepEqual(shape(await site.get(`${path}/4711`)), [404, 'rest_user_invalid_id']);
    assert.deepEqual(shape(await site.get(`${path}/99999999999999999999999`)), [404, 'rest_user_invalid_id']);
    assert.deepEqual(shape(await site.get(`${path}/0`)), [404, 'rest_user_invalid_id']);
  });

  const questions: [string, string][] = [
    ['?context=edit', 'rest_forbidden_context'],
    ['?roles=author', 'rest_user_cannot_view'],
    ['?capabilities=read', 'rest_user_cannot_view'],
    ['?orderby=email', 'rest_forbidden_orderby'],
    ['?orderby=registered_date', 'rest_forbidden_orderby'],
    ['?who=authors', 'rest_forbidden_who'],
  ];
  test('questions that tell something are for those who may list users', async () => {
    const { site, as, admin } = await aParish(engine);
    for (const [query, code] of questions) {
      assert.deepEqual(shape(await site.get(path + query)), [401, code], query);
      assert.deepEqual(shape(await as('subscriber').get(path + query)), [403, code], query);
      assert.deepEqual(shape(await admin.get(path + query)), [200, undefined], query);
    }
  });

  test('a list is filtered, sorted, searched and paged', async () => {
    const { admin, boss, author, reader } = await aParish(engine);
    const list = async (query: string) => ids(await admin.get(`${path}?${query}`));
    assert.deepEqual(await list(''), [boss, author, reader]);
    assert.deepEqual(await list('order=desc&per_page=2'), [reader, author]);
    assert.deepEqual(await list('page=2&per_page=2'), [reader]);
    assert.deepEqual(await list('page=9'), []);
    assert.deepEqual(await list('offset=2'), [reader]);
    assert.deepEqual(await list('offset=-2'), [reader]);
    assert.deepEqual(await list('offset=99999999999999999999'), []);
    assert.deepEqual(await list(`include=${reader},${boss}&orderby=include`), [reader, boss]);
    assert.deepEqual(await list('include=99999999999999999999'), []);
    assert.deepEqual(await list(`exclude=${boss}`), [author, reader]);
    assert.deepEqual(await list('slug=Author'), [author]);
    assert.deepEqual(await list('roles=author,subscriber'), [author, reader]);
    assert.deepEqual(await list('who=authors'), [boss, author]);
    assert.deepEqual(await list('search=SUBSCR'), [reader]);
    assert.deepEqual(await list('search=author@site'), [author]);
    assert.deepEqual(await list('search=site.test'), [boss, author, reader]);
    assert.deepEqual(await list('search=author&search_columns=email,slug'), [author]);
    assert.deepEqual(await list('search=a%00b'), []);
    assert.deepEqual(await list('has_published_posts=1'), []);
    assert.deepEqual(await list('has_published_posts=post,page'), []);
    assert.deepEqual(await list('has_published_posts=0'), [boss, author, reader]);
    const { headers } = await admin.get(`${path}?per_page=1`);
    assert.deepEqual([headers.get('x-wp-total'), headers.get('x-wp-totalpages')], ['3', '3']);
    assert.equal((await admin.get(`${path}?search_columns=password`)).status, 400);
    assert.equal((await admin.get(`${path}?include=${Array(1001).fill(1)}`)).status, 400);
  });

  test('what cannot be a user is refused by name, before anybody is asked who they are', async () => {
    const { site, admin } = await aParish(engine);
    const sound = { username: 'ann', email: 'ann@example.test', password: 'A good long one' };
    const cases: [object, string, string][] = [
      [{ username: 'z z/<' }, 'username', 'rest_user_invalid_username'],
      [{ username: 'аnn' }, 'username', 'rest_user_invalid_username'],
      [{ username: 'ann\r\nBcc: all' }, 'username', 'rest_user_invalid_username'],
      [{ email: 'nope' }, 'email', 'rest_invalid_email'],
      [{ email: 'a@b.test\r\nBcc: all@b.test' }, 'email', 'rest_invalid_email'],
      [{ password: '' }, 'password', 'rest_user_invalid_password'],
      [{ password: 'a\\b' }, 'password', 'rest_user_invalid_password'],
      [{ name: 'n'.repeat(251) }, 'name', 'rest_too_long'],
      [{ url: `http://a.test/${'n'.repeat(100)}` }, 'url', 'rest_too_long'],
      [{ locale: 'tlh' }, 'locale', 'rest_not_in_enum'],
      [{ meta: { persisted_preferences: 5 } }, 'meta', 'rest_invalid_type'],
    ];
    for (const [wrong, argument, code] of cases) {
      const answer = await admin.post(path, { ...sound, ...wrong });
      assert.deepEqual([answer.status, detail(answer, argument)], [400, code], JSON.stringify(wrong));
    }
    const two = await admin.post(path, { ...sound, username: '/', password: '' });
    assert.deepEqual(Object.keys(two.body.data.params), ['username', 'password']);
    assert.equal((await site.post(path, { ...sound, username: '/' })).status, 400);
    assert.deepEqual(shape(await site.post(path, sound)), [401, 'rest_cannot_create_user']);
    assert.deepEqual(shape(await admin.post(path, { ...sound, id: 5 })), [400, 'rest_user_exists']);
    assert.equal((await admin.get(`${path}?search=ann`)).headers.get('x-wp-total'), '0');
    assert.equal((await admin.post(path, { ...sound, name: 'A\u0000nn' })).status, 201);
    assert.deepEqual(shape(await admin.post(path, sound)), [400, 'existing_user_login']);
    assert.deepEqual(shape(await admin.post(path, { ...sound, username: 'b' })), [400, 'existing_user_email']);
  });

  test('one changes oneself, but not what one may do', async () => {
    const { as, boss, reader } = await aParish(engine);
    const own = as('subscriber');
    const { status, body } = await own.patch(me, { first_name: 'Sue', name: 'Sue', locale: 'en_US' });
    assert.deepEqual([status, body.first_name, body.name, body.locale], [200, 'Sue', 'Sue', 'en_US']);
    assert.equal((await own.put(`${path}/${reader}`, { nickname: 'S' })).body.nickname, 'S');
    assert.deepEqual(shape(await own.post(me, { roles: ['administrator'] })), [403, 'rest_cannot_edit_roles']);
    assert.deepEqual(shape(await own.post(`${path}/${boss}`, { name: 'x' })), [403, 'rest_cannot_edit']);
    assert.deepEqual(shape(await own.post(me, { username: 'other' })), [400, 'rest_user_invalid_argument']);
    assert.equal((await own.post(me, { username: 'subscriber' })).status, 200);
    assert.deepEqual(shape(await own.delete(`${me}?force=1&reassign=`)), [403, 'rest_user_cannot_delete']);
  });

  test('nobody is nobody in particular', async () => {
    const site = await aSite(engine);
    assert.deepEqual(shape(await site.get(me)), [401, 'rest_not_logged_in']);
    assert.deepEqual(shape(await site.patch(me, { name: 'x' })), [401, 'rest_not_logged_in']);
    assert.deepEqual(shape(await site.delete(`${me}?force=1&reassign=`)), [401, 'rest_not_logged_in']);
  });

  test('nobody gives, changes or deletes what goes beyond their own rights', async () => {
    const { site, admin, as, user, asUser, boss, author } = await aParish(engine);
    const cat = await user({ login: 'cat', roles: ['parish_admin'] });
    const keeper = asUser(cat);
    const sound = { username: 'new', email: 'new@example.test', password: 'A good long one' };
    const refused = [403, 'rest_user_invalid_role'];
    assert.deepEqual(shape(await keeper.post(path, { ...sound, roles: ['administrator'] })), refused);
    assert.deepEqual(shape(await keeper.post(path, { ...sound, roles: ['pope'] })), [400, 'rest_user_invalid_role']);
    assert.equal((await keeper.post(path, { ...sound, roles: ['author'] })).status, 201);
    assert.deepEqual(shape(await keeper.post(`${path}/${boss}`, { name: 'x' })), [403, 'rest_cannot_edit']);
    assert.deepEqual(shape(await keeper.post(`${path}/${boss}`, { password: 'Mine now, boss' })), [
      403,
      'rest_cannot_edit',
    ]);
    assert.deepEqual(shape(await keeper.post(`${path}/${author}`, { roles: ['administrator'] })), refused);
    assert.equal((await keeper.post(`${path}/${author}`, { roles: ['subscriber'] })).status, 200);
    assert.deepEqual(shape(await keeper.post(me, { roles: ['administrator'] })), refused);
    assert.deepEqual(shape(await keeper.post(me, { roles: ['author'] })), refused);
    assert.deepEqual(shape(await admin.post(me, { roles: ['author'] })), refused);
    assert.deepEqual(shape(await as('editor').post(`${path}/${author}`, { name: 'x' })), [403, 'rest_cannot_edit']);
    assert.deepEqual(shape(await site.post(`${path}/${author}`, { name: 'x' })), [401, 'rest_cannot_edit']);
    assert.deepEqual((await admin.get(`${path}/${boss}?context=edit`)).body.roles, ['administrator']);
  });

  test('a user is deleted only for good, and what was theirs has to go somewhere', async () => {
    const { admin, as, boss, author, reader } = await aParish(engine);
    const gone = (query: string) => admin.delete(`${path}/${author}?${query}`);
    assert.deepEqual((await gone('force=true')).body.data.params, ['reassign']);
    assert.deepEqual(shape(await gone('reassign=')), [501, 'rest_trash_not_supported']);
    for (const nowhere of [author, 4711, '99999999999999999999'])
      assert.deepEqual(shape(await gone(`force=1&reassign=${nowhere}`)), [400, 'rest_user_invalid_reassign']);
    for (const nonsense of ['true', 'x', '-1', '1.5'])
      assert.equal((await gone(`force=1&reassign=${nonsense}`)).body.code, 'rest_invalid_param', nonsense);
    const { status, headers, body } = await gone(`force=1&reassign=${boss}`);
    assert.deepEqual([status, body.deleted, body.previous.username], [200, true, 'author']);
    assert.equal(headers.get('allow'), null);
    assert.deepEqual(shape(await gone('force=1&reassign=')), [404, 'rest_user_invalid_id']);
    assert.equal((await as('author').get(me)).status, 401, 'what let them in is gone');
    const answer = await admin.request('DELETE', `${path}/${reader}`, { body: { force: true, reassign: false } });
    assert.equal(answer.status, 200);
    assert.deepEqual(shape(await admin.delete(`${me}?force=1&reassign=`)), [403, 'rest_user_cannot_delete']);
  });

  test('preferences are one’s own affair', async () => {
    const { admin, as, author } = await aParish(engine);
    const own = as('author');
    const preferences = { core: { welcome: false }, _modified: '2026-11-20T12:00:00Z' };
    const kept = await own.patch(me, { meta: { persisted_preferences: preferences, unknown: 1 } });
    assert.deepEqual([kept.body.meta.persisted_preferences, kept.body.meta.unknown], [preferences, undefined]);
    assert.deepEqual((await own.get(`${me}?context=edit`)).body.meta.persisted_preferences, preferences);
    assert.deepEqual((await own.get(me)).body.meta, []);
    const seen = (await admin.get(`${path}/${author}?context=edit`)).body.meta;
    assert.deepEqual(seen.persisted_preferences, []);
    for (const theirs of [{ core: {} }, preferences, null]) {
      const written = await admin.patch(`${path}/${author}`, { name: 'x', meta: { persisted_preferences: theirs } });
      assert.deepEqual(shape(written), [403, 'rest_cannot_update']);
    }
    assert.equal((await own.get(me)).body.name, 'author');
    const emptied = await own.patch(me, { meta: { persisted_preferences: null } });
    assert.deepEqual(emptied.body.meta.persisted_preferences, []);
    const huge = { persisted_preferences: { a: 'x'.repeat(100_001) } };
    assert.equal(detail(await own.patch(me, { meta: huge }), 'meta'), 'rest_too_long');
  });

  test('a record read is a record that can be sent back, and changes nothing', async () => {
    const { app, as, user, asUser, caller } = await aSite(engine, withHelper);
    const { users } = app.services.identity;
    const [admin, reader] = [as('administrator'), as('subscriber')];
    const plain = await user({ login: 'plain', email: '', roles: ['subscriber', 'helper'], url: 'http://a.test/?b=1' });
    await reader.patch(me, { locale: 'en_US', meta: { persisted_preferences: { core: { welcome: false } } } });
    const theirs = `${path}/${(await caller('subscriber')).id}`;
    const stored = async () => {
      const { items } = await users.list({ limit: 9, offset: 0, order: 'asc', orderBy: 'id', searchPrivate: true });
      return Promise.all(items.map(async (one) => [one, await users.metaOf(one)]));
    };
    const before = await stored();
    for (const [client, at] of [
      [admin, `${path}/${plain.id}`],
      [admin, theirs],
      [admin, me],
      [as('helper'), theirs],
      [as('helper'), me],
      [reader, me],
      [reader, theirs],
      [asUser(plain), me],
    ] as const)
      for (const context of ['edit', 'view', 'embed']) {
        const { body } = await client.get(`${at}?context=${context}`);
        const answer = await client.request('POST', at, { body });
        assert.deepEqual([answer.status, answer.body.id], [200, body.id], JSON.stringify([at, body, answer.body]));
      }
    assert.deepEqual((await stored()).slice(0, before.length), before);
    assert.equal(detail(await reader.patch(me, { email: '' }), 'email'), 'rest_invalid_email');
    assert.equal(detail(await reader.patch(me, { email: 'nope' }), 'email'), 'rest_invalid_email');
  });

  test('leave to edit users is no leave to change roles, whatever else is said', async () => {
    const { as, caller } = await aSite(engine, withHelper);
    const at = `${path}/${(await caller('subscriber')).id}`;
    for (const roles of [[], ['author'], ['subscriber', 'helper'], ['subscriber', 'subscriber']])
      for (const place of [at, me]) {
        const answer = await as('helper').post(place, { name: 'x', roles });
        assert.deepEqual(shape(answer), [403, 'rest_cannot_edit_roles'], JSON.stringify([place, roles]));
      }
    const { body } = await as('helper').post(at, { name: 'Ann', roles: ['subscriber'] });
    assert.deepEqual([body.name, body.roles], ['Ann', ['subscriber']]);
  });

  test('users may be added in a batch', async () => {
    const { admin } = await aParish(engine);
    const requests = ['ann', 'bob', 'ann'].map((username) => ({
      path: '/core/v2/users',
      body: { username, email: `${username}@example.test`, password: 'A good long one' },
    }));
    const { body } = await admin.post('/api/batch/v1', { requests });
    const statuses = body.responses.map(({ status }: { status: number }) => status);
    assert.deepEqual(statuses, [201, 201, 400]);
  });
});
