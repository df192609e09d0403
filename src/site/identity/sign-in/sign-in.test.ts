import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Store } from '#store/store.ts';
import { eachEngine, type TestEngine } from '#test/databases.ts';
import { aSite, type SiteOptions, type TestSite } from '#test/site.ts';
import type { SiteEvents } from '../../platform/events.ts';
import type { Passwords } from '../passwords/passwords.ts';
import type { IdentityTables } from '../tables.ts';
import { createSignIn } from './sign-in.ts';

const from = '192.0.2.7';
const client = { address: from, agent: 'test' };
const old = '$2y$04$czhbgziodbSUCdfnAZFmDunWg0eijYplOADR7oevBmY70xqc7N3bS';
const oldPassword = 'grüße an alle';

type Told = [name: 'login.succeeded' | 'login.failed', event: SiteEvents['login.succeeded' | 'login.failed']];

/** Nobody is locked out there. */
const undefended = (engine: TestEngine, options: SiteOptions = {}) =>
  aSite(engine, { env: { GATEHOUSE_SECURITY_SUITE: 'off' }, ...options });

/** A site where Ada has a password and Bob has none. */
async function someone(site: TestSite) {
  const { store, identity, events, clock, keys } = site.app.services;
  const ada = await identity.users.add({ login: 'ada', email: 'ada@site.test', password: 'a kept secret' });
  const bob = await identity.users.add({ login: 'bob', email: 'bob@site.test' });
  const told: Told[] = [];
  for (const name of ['login.succeeded', 'login.failed'] as const)
    events.on(name, (event: Told[1]) => void told.push([name, event]));
  const attempt = async (login: string, password: string) =>
    (await identity.signIn.attempt({ login, password, remember: false, client })).started?.session.user;
  return { identity, ada, bob, told, attempt, events, clock, keys, store: store as Store<IdentityTables> };
}

const hashOf = async ({ db }: Store<IdentityTables>, id: number): Promise<string> =>
  (await db.selectFrom('users').select('password').where('id', '=', id).executeTakeFirstOrThrow()).password;

const setHash = (store: Store<IdentityTables>, id: number, password: string) =>
  store.write((tx) => tx.updateTable('users').set({ password }).where('id', '=', id).execute());

eachEngine('signing in', (engine) => {
  test('works by login and by mail address, whatever their capitals', async () => {
    const { attempt, ada, told } = await someone(await undefended(engine));
    for (const login of ['ada', 'ADA', 'ada@site.test', 'Ada@Site.Test'])
      assert.deepEqual(await attempt(login, 'a kept secret'), ada, login);
    assert.equal(told.length, 4);
    assert.deepEqual(told[0], ['login.succeeded', { user: ada, by: 'password', from }]);
  });

  test('fails for every reason alike, and those who listen learn which it was', async () => {
    const { attempt, ada, bob, told } = await someone(await undefended(engine));
    const tries = [
      ['ada', 'Secret', ada, 'incorrect_password'],
      ['ada@site.test', '', ada, 'incorrect_password'],
      ['bob', '', bob, 'incorrect_password'],
      ['eve', 'a kept secret', undefined, 'invalid_username'],
      ['eve@site.test', 'a kept secret', undefined, 'invalid_email'],
      ['', 'a kept secret', undefined, 'invalid_username'],
    ] as const;
    for (const [login, password] of tries) assert.equal(await attempt(login, password), undefined, login);
    assert.equal(await attempt('', ''), undefined);
    assert.deepEqual(
      told,
      tries.map(([login, , user, reason]) => ['login.failed', { login, user, reason, by: 'password', from }]),
    );
  });

  test('what was typed as a name is told only where it could be one', async () => {
    const { attempt, told } = await someone(await undefended(engine));
    const logins = ['pa$$w0rd!', 'a\r\nb', 'ada\0', 'x'.repeat(100_000), '🔑🔑🔑', 'admin'];
    for (const login of logins) assert.equal(await attempt(login, 'a kept secret'), undefined);
    assert.deepEqual(
      told.map(([, event]) => (event as SiteEvents['login.failed']).login),
      ['', '', '', 'x'.repeat(60), '', 'admin'],
    );
    assert.doesNotMatch(JSON.stringify(told), /secret/);
  });

  test('takes one check of a hash whatever is wrong', async () => {
    const { identity, store, events, clock, keys } = await someone(await undefended(engine));
    const checked: string[] = [];
    const passwords: Passwords = {
      ...identity.passwords,
      verify: (hash, password, who) => {
        checked.push(hash);
        return identity.passwords.verify(hash, password, who);
      },
    };
    const { attempt } = createSignIn({ ...identity, store, clock, keys, passwords, events, refusalTakes: 0 });
    for (const login of ['ada', 'ada@site.test', 'bob', 'eve', 'eve@site.test', '']) {
      await attempt({ login, password: 'wrong', remember: false, client });
      assert.equal(checked.splice(0).length, 1, login);
    }
  });

  test('is refused no sooner than it should be, and granted at once', async () => {
    const { attempt } = await someone(await undefended(engine, { refusalTakes: 30 }));
    for (const login of ['ada', 'eve']) {
      const begun = performance.now();
      await attempt(login, 'wrong');
      assert.ok(performance.now() - begun >= 29, login);
    }
  });

  test('with an imported hash makes it anew, and nothing else changes', async () => {
    const { attempt, ada, store, identity, events } = await someone(await undefended(engine));
    await setHash(store, ada.id, old);
    const { cookie } = (await identity.sessions.start(ada, false, client))!;
    events.on('password.changed', () => assert.fail('no password was changed'));
    assert.equal(await attempt('ada', 'wrong'), undefined);
    assert.equal(await hashOf(store, ada.id), old);
    assert.deepEqual(await attempt('ada', oldPassword), ada);
    assert.match(await hashOf(store, ada.id), /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    assert.deepEqual(await attempt('ada', oldPassword), ada);
    assert.deepEqual((await identity.sessions.find(cookie))?.user, ada);
    await events.settled();
  });

  test('opens nothing when the password is changed while the old one is being checked', async () => {
    const { ada, store, identity, events, clock, keys } = await someone(await undefended(engine));
    await setHash(store, ada.id, old);
    const passwords: Passwords = {
      ...identity.passwords,
      hash: async (password, who) => {
        await setHash(store, ada.id, 'set meanwhile');
        return identity.passwords.hash(password, who);
      },
    };
    const { attempt } = createSignIn({ ...identity, store, clock, keys, passwords, events, refusalTakes: 0 });
    assert.deepEqual(await attempt({ login: 'ada', password: oldPassword, remember: false, client }), {});
    assert.equal(await hashOf(store, ada.id), 'set meanwhile');
  });

  test('a password is known to be theirs or not, without a word to those who listen', async () => {
    const { identity, ada, bob, told } = await someone(await undefended(engine));
    const { isPassword } = identity.signIn;
    assert.equal(await isPassword(ada, 'a kept secret'), true);
    assert.equal(await isPassword(ada, 'wrong'), false);
    assert.equal(await isPassword(bob, ''), false);
    assert.deepEqual(told, []);
  });
});
