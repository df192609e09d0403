import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onBothStores, type TestEngine } from '#test/databases.ts';
import { createEvents, type EventName } from '../../platform/events.ts';
import { totalTables } from '../../platform/totals.ts';
import { createChecks } from '../checks.ts';
import { createRoles } from '../roles.ts';
import { identityTables } from '../tables.ts';
import type { Wanted } from './list.ts';
import { createUsers } from './users.ts';

/** Enough of one for users to be kept: what a password is worth is not their affair. */
const passwords = {
  hash: async (password: string) => `hash of ${password}`,
  verify: async () => ({ fits: false, outdated: false, waited: 0 }),
};

const passwordRule = {
  shortestFor: () => 1,
  fault: async (password: string) => (password === '' ? 'A password is not empty.' : undefined),
};

const capabilities = new Set(['read', 'edit_posts', 'edit_users']);
const roles = createRoles(
  {
    administrator: { label: 'Administrator', capabilities: [...capabilities] },
    author: { label: 'Author', capabilities: ['read', 'edit_posts'] },
    subscriber: { label: 'Subscriber', capabilities: ['read'] },
  },
  capabilities,
);

const page = { limit: 10, offset: 0, order: 'asc', orderBy: 'name', searchPrivate: false } as const;

async function someUsers(engine: TestEngine) {
  const store = await engine.store([totalTables, identityTables]);
  const heard: EventName[] = [];
  const events = createEvents((error) => assert.fail(error as Error));
  for (const name of ['user.created', 'user.changed', 'user.deleted', 'password.changed', 'session.ended'] as const)
    events.on(name, () => void heard.push(name));
  const clock = () => new Date('2026-11-20T12:00:00Z');
  const about = () => ({ language: 'en_GB' });
  const users = createUsers({
    store,
    clock,
    roles,
    passwords,
    passwordRule,
    checks: createChecks(),
    events,
    defaultRole: 'subscriber',
    about,
  });
  const list = async (wanted: Partial<Wanted> = {}) => {
    const { items, total } = await users.list({ ...page, ...wanted });
    return { total, logins: items.map(({ login }) => login) };
  };
  return { store, users, list, heard };
}

const refusal = (expected: string, status?: number) => (error: unknown) => {
  const given = error as { code: string; status: number; details: { details?: Record<string, { code: string }> } };
  const inner = Object.values(given.details?.details ?? {})[0]?.code;
  assert.equal(inner ?? given.code, expected, String(error));
  if (status !== undefined) assert.equal(given.status, status);
  return true;
};

const several = async <R>(outcomes: readonly Promise<R>[]) => {
  const settled = await Promise.allSettled(outcomes);
  const codes = settled.flatMap((one) => (one.status === 'rejected' ? [(one.reason as { code: string }).code] : []));
  return { done: settled.length - codes.length, codes };
};

onBothStores('users', (engine) => {
  test('who is added is found by number, by login and by email address, whatever the capitals', async () => {
    const { users, heard } = await someUsers(engine);
    const ann = await users.add({ login: 'Ann', email: 'Ann@example.test', first_name: 'Ann', last_name: 'Lee' });
    assert.deepEqual(
      [ann.name, ann.nickname, ann.slug, ann.roles, ann.registered_at],
      ['Ann Lee', 'Ann', 'ann', ['subscriber'], '2026-11-20T12:00:00.000Z'],
    );
    for (const found of [users.find(ann.id), users.named('aNN'), users.named('ann@EXAMPLE.test')])
      assert.deepEqual(await found, ann);
    assert.equal(await users.named('nobody'), undefined);
    assert.equal(await users.find(2 ** 60), undefined);
    assert.deepEqual(heard, ['user.created']);
  });

  test('no record of a user holds a password, and only its hash is kept', async () => {
    const { users, store } = await someUsers(engine);
    const ann = await users.add({ login: 'ann', password: 'secret' });
    assert.equal(JSON.stringify([ann, await users.find(ann.id)]).includes('secret'), false);
    const { password } = await store.db.selectFrom('users').select('password').executeTakeFirstOrThrow();
    assert.equal(password, 'hash of secret');
  });

  test('a name to sign in with has plain letters and few signs: nothing that only looks like them', async () => {
    const { users } = await someUsers(engine);
    const odd = ['', ' ann', 'ann ', 'a  b', 'аnn', 'ann/', 'ann\n', 'Ａnn', 'a'.repeat(61)];
    for (const login of odd) await assert.rejects(users.add({ login }), refusal('rest_user_invalid_username', 400));
    assert.equal(await users.count(), 0);
    assert.equal((await users.add({ login: 'Ann B. Lee-Roy_3@x' })).login, 'Ann B. Lee-Roy_3@x');
  });

  test('a login and an email address open one door each', async () => {
    const { users } = await someUsers(engine);
    await users.add({ login: 'ann', email: 'ann@example.test' });
    await assert.rejects(users.add({ login: 'ANN' }), refusal('existing_user_login', 400));
    await users.add({ login: 'paul' });
    await users.add({ login: 'Ian' });
    for (const alike of ['pauI', 'PAUI', 'lan', 'lAN'])
      await assert.rejects(users.add({ login: alike }), refusal('existing_user_login', 400), alike);
    await assert.rejects(users.add({ login: 'bob', email: 'ANN@example.test' }), refusal('existing_user_email', 400));
    await assert.rejects(users.add({ login: 'Ann@example.test' }), refusal('existing_user_login', 400));
    const bob = await users.add({ login: 'bob@example.test', email: 'bob@example.test' });
    const taken = refusal('existing_user_email', 400);
    await assert.rejects(users.add({ login: 'cat', email: 'BOB@example.test' }), taken);
    await assert.rejects(users.change(bob, { email: 'ann@example.test' }), refusal('rest_user_invalid_email', 400));
    assert.equal((await users.change(bob, { email: 'Bob@example.test' })).email, 'Bob@example.test');
  });

  test('of two who take one login at once, one has it', async () => {
    const { users } = await someUsers(engine);
    const { done, codes } = await several(['ann', 'Ann', 'ANN'].map((login) => users.add({ login })));
    assert.deepEqual([done, codes], [1, ['existing_user_login', 'existing_user_login']]);
  });

  test('twenty who come at once with one slug have twenty slugs', async () => {
    const { users } = await someUsers(engine);
    const signs = ['.', ' ', '-', '_', '@'];
    const logins = Array.from({ length: 20 }, (_, at) => `Ann${signs[at % 4]}B${'@'.repeat(Math.floor(at / 4) + 1)}`);
    const added = await Promise.all(logins.map((login) => users.add({ login })));
    const slugs = added.map(({ slug }) => slug);
    assert.equal(new Set(slugs).size, 20);
    assert.ok(slugs.includes('ann-b') && slugs.includes('ann-b-2') && slugs.includes('ann-b-3'), slugs.join());
  });

  test('a slug that is taken gets a number when somebody is made, and is refused when it is asked for later', async () => {
    const { users } = await someUsers(engine);
    const ann = await users.add({ login: 'ann' });
    const bob = await users.add({ login: 'bob', slug: 'Ann' });
    assert.equal(bob.slug, 'ann-2');
    await assert.rejects(users.change(bob, { slug: 'ann' }), refusal('rest_user_invalid_slug', 400));
    await assert.rejects(users.change(bob, { slug: '%%%' }), refusal('rest_user_invalid_slug', 400));
    assert.equal((await users.change(ann, { slug: 'ann' })).slug, 'ann');
    assert.equal((await users.add({ login: '...' })).slug, 'user');
  });

  test('words are kept without tags and line breaks, and have their bounds', async () => {
    const { users } = await someUsers(engine);
    const words = {
      name: ' <b>Ann</b>\n Lee\u0000\u0085 ',
      description: 'One\n<i>two</i>\u0000',
      url: 'javascript:alert(1)',
    };
    const ann = await users.add({ login: 'ann', ...words });
    assert.deepEqual([ann.name, ann.description, ann.url], ['Ann Lee', 'One\ntwo', '']);
    await assert.rejects(users.change(ann, { nickname: 'n'.repeat(251) }), refusal('rest_too_long', 400));
    await assert.rejects(users.change(ann, { url: `http://a.test/${'n'.repeat(100)}` }), refusal('rest_too_long'));
    await assert.rejects(users.change(ann, { email: 'nobody' }), refusal('rest_invalid_email', 400));
    await assert.rejects(users.change(ann, { locale: 'tlh' }), refusal('rest_not_in_enum', 400));
    assert.equal((await users.change(ann, { locale: 'en_GB' })).locale, 'en_GB');
    assert.equal((await users.change(ann, { name: '' })).name, 'ann');
  });

  test('a role that is not there is refused', async () => {
    const { users } = await someUsers(engine);
    await assert.rejects(users.add({ login: 'ann', roles: ['pope'] }), refusal('rest_user_invalid_role', 400));
    await assert.rejects(users.add({ login: 'ann', roles: ['constructor'] }), refusal('rest_user_invalid_role', 400));
    const ann = await users.add({ login: 'ann', roles: ['author', 'subscriber', 'author'] });
    assert.deepEqual(ann.roles, ['author', 'subscriber']);
    assert.deepEqual((await users.change(ann, { roles: ['subscriber', 'author'] })).roles, ['subscriber', 'author']);
    assert.deepEqual((await users.change(ann, { roles: [] })).roles, []);
  });

  test('the last administrator stays one, whatever happens at once', async () => {
    const { users } = await someUsers(engine);
    const ann = await users.add({ login: 'ann', roles: ['administrator'] });
    await assert.rejects(users.erase(ann, undefined), refusal('rest_user_cannot_delete', 403));
    await assert.rejects(users.change(ann, { roles: ['author'] }), refusal('rest_user_invalid_role', 403));
    const bob = await users.add({ login: 'bob', roles: ['administrator', 'author'] });
    const demoted = await several([ann, bob].map((one) => users.change(one, { roles: ['author'] })));
    assert.deepEqual(demoted, { done: 1, codes: ['rest_user_invalid_role'] });
    await Promise.all([ann, bob].map((one) => users.change(one, { roles: ['administrator'] })));
    const erased = await several([ann, bob].map((one) => users.erase(one, undefined)));
    assert.deepEqual(erased, { done: 1, codes: ['rest_user_cannot_delete'] });
    assert.equal((await users.list({ ...page, roles: ['administrator'] })).total, 1);
  });

  test('there is one first user, however many want to be', async () => {
    const { users } = await someUsers(engine);
    const made = await Promise.all(['ann', 'bob', 'cat'].map((login) => users.addFirst({ login })));
    const [first, ...others] = made.filter((one) => one !== undefined);
    assert.deepEqual([first?.roles, others], [['administrator'], []]);
    assert.equal(await users.count(), 1);
  });

  test('a new password or email address ends the other sessions and the links that were sent', async () => {
    const { users, store, heard } = await someUsers(engine);
    const ann = await users.add({ login: 'ann', email: 'ann@example.test', password: 'old' });
    let opened = 0;
    const open = async () => {
      opened += 1;
      await store.write(async (tx) => {
        for (const hash of ['kept', 'other'])
          await tx
            .insertInto('sessions')
            .values({ ...session(ann.id), hash: `${hash} ${opened}` })
            .execute();
        await tx.insertInto('one_time_tokens').values(aToken(ann.id)).execute();
      });
      return store.db.selectFrom('sessions').select('id').orderBy('id', 'desc').execute();
    };
    const left = async () => {
      const sessions = await store.db.selectFrom('sessions').select('id').execute();
      const links = await store.db.selectFrom('one_time_tokens').select('id').where('used', '=', 0).execute();
      return [sessions.map(({ id }) => id), links.length];
    };
    const [kept] = await open();
    await users.change(ann, { name: 'Ann' });
    assert.deepEqual((await left())[1], 1);
    await users.change(ann, { password: 'new' }, { keep: { session: kept!.id } });
    assert.deepEqual(await left(), [[kept!.id], 0]);
    await open();
    await users.change(ann, { email: 'other@example.test' });
    assert.deepEqual(await left(), [[], 0]);
    assert.deepEqual(heard.slice(1), [
      'user.changed',
      ...['user.changed', 'password.changed', 'session.ended'],
      ...['user.changed', 'session.ended'],
    ]);
  });

  test('who is erased leaves nothing behind', async () => {
    const { users, store, list, heard } = await someUsers(engine);
    await users.add({ login: 'admin', roles: ['administrator'] });
    const ann = await users.add({ login: 'ann', meta: { persisted_preferences: { a: 1 } } });
    await store.write(async (tx) => {
      await tx.insertInto('sessions').values(session(ann.id)).execute();
      await tx.insertInto('one_time_tokens').values(aToken(ann.id)).execute();
      const credential = { uuid: 'u', app_id: '', name: 'n', hash: 'h', made_by: ann.id, created_at: now };
      const password = { ...credential, user_id: ann.id };
      const { id } = await tx
        .insertInto('application_passwords')
        .values(password)
        .returning('id')
        .executeTakeFirstOrThrow();
      await tx.insertInto('application_password_uses').values({ password_id: id, used_at: now, address: '' }).execute();
    });
    await assert.rejects(users.erase(ann, ann.id), refusal('rest_user_invalid_reassign', 400));
    await assert.rejects(users.erase(ann, 999), refusal('rest_user_invalid_reassign', 400));
    assert.deepEqual(await users.erase(ann, undefined), ann);
    await assert.rejects(users.get(ann.id), refusal('rest_user_invalid_id', 404));
    await assert.rejects(users.erase(ann, undefined), refusal('rest_user_invalid_id', 404));
    await assert.rejects(users.change(ann, { name: 'Ann' }), refusal('rest_user_invalid_id', 404));
    for (const table of [
      'sessions',
      'one_time_tokens',
      'application_passwords',
      'application_password_uses',
      'user_meta',
    ])
      assert.deepEqual(await store.db.selectFrom(table).selectAll().execute(), [], table);
    assert.deepEqual(await list({ search: 'ann' }), { total: 0, logins: [] });
    assert.deepEqual([await users.count(), await list()], [1, { total: 1, logins: ['admin'] }]);
    assert.deepEqual(heard.at(-1), 'user.deleted');
    assert.deepEqual(await store.check(), []);
  });

  test('what programs keep of a user is replaced by its key, and null takes it away', async () => {
    const { users } = await someUsers(engine);
    const ann = await users.add({ login: 'ann', meta: { one: { a: 1 }, two: [1] } });
    await users.change(ann, { meta: { one: { b: 2 } } });
    assert.deepEqual(await users.metaOf(ann), { one: { b: 2 }, two: [1] });
    await users.change(ann, { meta: { one: null } });
    assert.deepEqual(await users.metaOf(ann), { two: [1] });
  });
});

const now = '2026-11-20T12:00:00.000Z';
const aToken = (user_id: number) => ({
  purpose: 'reset',
  user_id,
  hash: 'link',
  payload: null,
  created_at: now,
  until: now,
  used: 0 as const,
});

const session = (user_id: number) => ({
  hash: 'h',
  user_id,
  created_at: now,
  expires_at: now,
  remembered: 0 as const,
  address: '',
  agent: '',
});
