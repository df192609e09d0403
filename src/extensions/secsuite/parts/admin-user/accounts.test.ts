// The tools that take their well-known names and numbers from accounts.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Kysely } from 'kysely';
import type { UserColumns } from '#site/identity/users/users.ts';
import { onBothStores } from '#test/databases.ts';
import { aToolHouse } from '#test/tool-house.ts';
import { declarations } from '../../../../boot/assembly.ts';
import { extensions as bundled } from '../../../all.ts';

const tools = '/api/secsuite/v1/tools';
const client = { address: '192.0.2.7', agent: 'test' };

onBothStores('accounts', (engine) => {
  const aHouse = () => aToolHouse(engine);

  test('the account "admin" gets another name, and keeps everything else', async () => {
    const { site, services, run, shown } = await aHouse();
    assert.equal((await shown('change-admin-user')).available, false);
    const { id } = await site.user({
      login: 'Admin',
      email: 'admin@site.test',
      password: 'a long password',
      roles: ['editor'],
    });
    assert.equal((await shown('change-admin-user')).available, true);
    const codes = async (form: object) => {
      const { status, body } = await run('change-admin-user', form);
      return [status, body.code];
    };
    assert.deepEqual(await codes({}), [400, 'rest_property_required']);
    assert.deepEqual(await codes({ new_username: '!' }), [400, 'rest_invalid_pattern']);
    assert.deepEqual(await codes({ new_username: ' a' }), [400, 'secsuite.tool.change-admin-user.validate']);
    assert.deepEqual(await codes({ new_username: 'Administrator' }), [
      409,
      'secsuite.tool.change-admin-user.duplicate',
    ]);
    const { status, headers, text } = await run('change-admin-user', { new_username: 'Ada' });
    assert.deepEqual([status, text], [204, '']);
    assert.deepEqual(JSON.parse(headers.get('x-messages-success')!), ['The login of the account is now Ada.']);
    const attempt = { login: 'ada', password: 'a long password', remember: false, client };
    assert.equal((await services.identity.signIn.attempt(attempt)).started?.session.user.id, id);
    const { body } = await site.as('administrator').get('/api/core/v2/users?context=edit&search=ada');
    assert.deepEqual(
      body.map(({ username }: { username: string }) => username),
      ['Ada'],
    );
  });

  test('of several who rename it at once one does, and the others are told', async () => {
    const { site, run, services } = await aHouse();
    const { id } = await site.user({ login: 'admin', roles: ['editor'] });
    const names = ['Ada', 'Bob', 'Cleo'];
    const ran = await Promise.all(names.map((new_username) => run('change-admin-user', { new_username })));
    const won = ran.findIndex(({ status }) => status === 204);
    const others = ran.filter((_, at) => at !== won);
    // Who comes while it is done is told that, and who comes when it is done, that there is no such account any more.
    for (const { status, body } of others)
      assert.match(
        `${status} ${body.code}`,
        /^(409 secsuite\.tool\.change-admin-user\.lock|400 secsuite\.tools\.run\.not-available)$/,
      );
    assert.equal((await services.identity.users.get(id)).login, names[won]);
  });

  test('the first account gets another number, and all that is its own goes with it', async () => {
    const { site, suite, services, admin, run, sets } = await aHouse();
    const { users, sessions } = services.identity;
    const first = await users.get(1);
    const me = await services.identity.users.named('administrator');
    assert.equal(me?.id, 1);
    const post = (await admin.post('/api/core/v2/posts', { title: 'Mine', status: 'publish' })).body;
    const comment = (await admin.post('/api/core/v2/comments', { post: post.id, content: 'Also mine' })).body;
    const group = (await admin.post('/api/secsuite/v1/user-groups', { label: 'Us', users: [1] })).body;
    await sets('notification-center', { default_recipients: { user_list: [1] } });
    const { cookie } = (await sessions.start(first, false, client))!;
    const { status, body: id, headers } = await run('change-id-1-user');
    assert.equal(status, 200);
    assert.ok(id > 1 && headers.has('x-messages-success'));
    assert.equal(await users.find(1), undefined);
    assert.deepEqual(await users.get(id), { ...first, id });
    const session = await sessions.find(cookie);
    assert.equal(session?.user.id, id);
    const known = site.asUser(await users.get(id));
    assert.equal((await known.get(`/api/core/v2/posts/${post.id}`)).body.author, id);
    assert.equal((await known.get(`/api/core/v2/posts?author=${id}`)).body.length, 1);
    assert.equal((await known.get(`/api/core/v2/comments/${comment.id}`)).body.author, id);
    assert.deepEqual((await known.get(`/api/secsuite/v1/user-groups/${group.id}`)).body.users, [id]);
    const center = suite.settings.of('notification-center');
    assert.deepEqual(center.default_recipients, { user_list: [id] });
    assert.equal((await known.get('/api/core/v2/users?search=administrator')).body[0].id, id);
    assert.equal((await known.get(`${tools}/change-id-1-user`)).body.available, false);
  });

  test('every column that holds a number of a user is moved, or said to be of the past', async () => {
    const { ownColumns } = await import('#site/content/renumbering.ts');
    const { folded } = await import('../../parts.ts');
    const { services } = await aHouse();
    const ofExtensions: UserColumns = Object.assign({}, ...declarations(bundled).map(({ users }) => users?.columns));
    const moved = new Set(
      Object.entries({ ...ownColumns, ...folded.users, ...ofExtensions }).flatMap(([table, columns]) =>
        columns.map((column) => `${table}.${column}`),
      ),
    );
    const tables = await (services.store.db as unknown as Kysely<unknown>).introspection.getTables();
    const named = tables.flatMap(({ name, columns }) =>
      columns
        .filter((column) =>
          /^(user|user_id|owner|author|heir|by|created_by|resolved_by|made_by|password_by|installed_by|lent_by)$/.test(
            column.name,
          ),
        )
        .map((column) => `${name}.${column.name}`),
    );
    const past = [
      ...['migrations.owner', 'extensions.installed_by', 'installed.installed_by', 'secsuite_authorised.by'],
      ...['secsuite_logs.user_id', 'secsuite_log_recent.user_id', 'secsuite_lockouts.user_id'],
      'secsuite_lockouts_spared.user_id',
    ];
    const forgotten = named.filter((column) => !moved.has(column) && !past.includes(column));
    assert.deepEqual(forgotten, []);
    for (const column of moved) assert.ok(named.includes(column), column);
  });
});
