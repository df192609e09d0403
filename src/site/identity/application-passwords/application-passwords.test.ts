import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hour } from '#lib/spans.ts';
import { eachEngine, type TestEngine } from '#test/databases.ts';
import { aSite, noon } from '#test/site.ts';
import { soon } from '#test/soon.ts';
import type { SiteEvents } from '../../platform/events.ts';
import type { Holder } from './uses.ts';

const address = '192.0.2.7';
const code = (expected: string) => (error: unknown) => (error as { code: string }).code === expected;

eachEngine('An application password', (engine) => {
  /** A site whose clock can be moved, and two users of it. */
  async function setting() {
    let time = noon.getTime();
    const site = await aSite(engine, { clock: () => new Date(time) });
    const { store, events, identity } = site.app.services;
    const told: [string, string][] = [];
    const listen = (name: 'application_password.created' | 'application_password.revoked') =>
      events.on(name, (event: SiteEvents[typeof name]) => void told.push([name, event.name]));
    listen('application_password.created');
    listen('application_password.revoked');
    const entered: SiteEvents['login.succeeded'][] = [];
    events.on('login.succeeded', (event) => void entered.push(event));
    const [ada, bob] = [await site.user({ login: 'ada' }), await site.user({ login: 'bob' })];
    const pass = (milliseconds: number) => {
      time += milliseconds;
    };
    return { ...identity, passwords: identity.applicationPasswords, ada, bob, told, entered, pass, store };
  }

  test('is shown once, kept as a hash, and known whatever blanks it is typed with', async () => {
    const { passwords, ada, store } = await setting();
    const { password, ...made } = await passwords.add(ada, { name: 'phone' });
    assert.match(password, /^(?:[A-Za-z0-9]{4} ){5}[A-Za-z0-9]{4}$/);
    assert.match(made.uuid, /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
    assert.deepEqual(
      (await passwords.list(ada)).map((one) => ({ ...one })),
      [made],
    );
    const bare = password.replaceAll(' ', '');
    for (const typed of [password, bare, bare.split('').join('-')])
      assert.equal((await passwords.holderOf(typed))?.user.login, 'ada');
    const rows = await store.db.selectFrom('application_passwords').selectAll().execute();
    assert.equal(JSON.stringify(rows).includes(bare), false);
  });

  test('is made once for a uuid that comes twice, also at once, and somebody else’s uuid is nobody’s business', async () => {
    const { passwords, ada, bob, told } = await setting();
    const uuid = '6e2f5f6c-0f0f-4a3c-9d2b-3c5b0f1f2a3b';
    const made = await Promise.allSettled([1, 2, 3].map(() => passwords.add(ada, { name: 'phone', uuid })));
    const refusals = made.flatMap((one) => (one.status === 'rejected' ? [one.reason.code] : []));
    assert.deepEqual(refusals, ['application_password_exists', 'application_password_exists']);
    assert.deepEqual(
      (await passwords.list(ada)).map((one) => one.uuid),
      [uuid],
    );
    assert.equal(told.length, 1);
    const theirs = await passwords.add(bob, { name: 'phone', uuid });
    assert.notEqual(theirs.uuid, uuid);
    assert.equal((await passwords.holderOf(theirs.password))?.uuid, theirs.uuid);
    for (const wrong of ['', 'x', `${uuid}x`, uuid.toUpperCase()])
      await assert.rejects(passwords.add(ada, { name: 'phone', uuid: wrong }), code('rest_invalid_param'), wrong);
  });

  test('is nobody’s when a sign is missing, too many or another', async () => {
    const { passwords, ada } = await setting();
    const { password } = await passwords.add(ada, { name: 'phone' });
    const other = password.startsWith('A') ? 'B' : 'A';
    for (const wrong of ['', ' ', password.slice(1), `${password}x`, other + password.slice(1), 'x'.repeat(10_000)])
      assert.equal(await passwords.holderOf(wrong), undefined);
  });

  test('is known at once when it was seen lately, with its user as he is now', async () => {
    const { passwords, users, ada } = await setting();
    const { password } = await passwords.add(ada, { name: 'phone' });
    await passwords.holderOf(password);
    assert.equal(passwords.holderOf(password) instanceof Promise, false);
    await users.change(ada, { name: 'Ada L.' });
    assert.equal((await passwords.holderOf(password))?.user.name, 'Ada L.');
  });

  test('has a name on one line without tags, and refuses one that is empty or endless', async () => {
    const { passwords, ada, told } = await setting();
    const { uuid } = await passwords.add(ada, { name: ' My <b>phone</b>\r\nSet-Cookie:\u0000x ' });
    assert.equal((await passwords.get(ada, uuid)).name, 'My phone Set-Cookie: x');
    for (const name of ['', ' \n', '<b></b>'])
      await assert.rejects(passwords.add(ada, { name }), code('application_password_empty_name'));
    await assert.rejects(passwords.add(ada, { name: 'é'.repeat(251) }), code('rest_invalid_param'));
    await assert.rejects(passwords.change(ada, uuid, { name: '<i></i>' }), code('application_password_empty_name'));
    assert.equal((await passwords.change(ada, uuid, { name: 'é'.repeat(250) })).name, 'é'.repeat(250));
    assert.equal(told.length, 1);
  });

  test('is its user’s alone, and keeps its place in the order they were made', async () => {
    const { passwords, ada, bob } = await setting();
    const [one, two] = [await passwords.add(ada, { name: 'same' }), await passwords.add(ada, { name: 'same' })];
    await passwords.change(ada, one.uuid, { name: 'renamed' });
    assert.deepEqual(
      (await passwords.list(ada)).map(({ uuid }) => uuid),
      [one.uuid, two.uuid],
    );
    assert.equal(await passwords.find(bob, one.uuid), undefined);
    const missing = code('rest_application_password_not_found');
    await assert.rejects(passwords.get(bob, one.uuid), missing);
    await assert.rejects(passwords.change(bob, one.uuid, { name: 'stolen' }), missing);
    await assert.rejects(passwords.revoke(bob, one.uuid), missing);
    assert.equal(await passwords.revokeAll(bob), 0);
    assert.equal((await passwords.list(ada)).length, 2);
  });

  test('that is revoked lets nobody in, and leaves no note of its use', async () => {
    const { passwords, ada, told, store } = await setting();
    const [one, two] = [await passwords.add(ada, { name: 'one' }), await passwords.add(ada, { name: 'two' })];
    for (const { password } of [one, two]) await passwords.used((await passwords.holderOf(password))!, address);
    assert.equal((await passwords.revoke(ada, one.uuid)).name, 'one');
    assert.equal(await passwords.holderOf(one.password), undefined);
    assert.equal((await passwords.holderOf(two.password))?.uuid, two.uuid);
    await assert.rejects(passwords.revoke(ada, one.uuid), code('rest_application_password_not_found'));
    assert.equal(await passwords.revokeAll(ada), 1);
    assert.equal(await passwords.holderOf(two.password), undefined);
    assert.deepEqual(await store.db.selectFrom('application_password_uses').selectAll().execute(), []);
    assert.deepEqual(told, [
      ['application_password.created', 'one'],
      ['application_password.created', 'two'],
      ['application_password.revoked', 'one'],
      ['application_password.revoked', 'two'],
    ]);
  });

  test('has its use noted once in a day, whoever uses it at once', async () => {
    const { passwords, ada, entered, pass } = await setting();
    const { password, uuid } = await passwords.add(ada, { name: 'phone' });
    const holder = (await passwords.holderOf(password)) as Holder;
    const use = async () => {
      await Promise.all(Array.from({ length: 5 }, () => passwords.used(holder, address)));
      return (await passwords.get(ada, uuid)).last_used;
    };
    assert.equal(await use(), '2026-11-20T12:00:00.000Z');
    pass(24 * hour - 1);
    assert.equal(passwords.used(holder, 'elsewhere'), undefined);
    assert.equal(await use(), '2026-11-20T12:00:00.000Z');
    assert.equal((await passwords.get(ada, uuid)).last_ip, address);
    pass(1);
    assert.equal(await use(), '2026-11-21T12:00:00.000Z');
    assert.deepEqual(
      entered.map(({ user, by, from }) => [user.login, by, from]),
      Array.from({ length: 2 }, () => ['ada', 'application_password', address]),
    );
  });

  test('that was revoked while it was used breaks nothing', async () => {
    const { passwords, ada, entered } = await setting();
    const { password, uuid } = await passwords.add(ada, { name: 'phone' });
    const holder = (await passwords.holderOf(password)) as Holder;
    await passwords.revoke(ada, uuid);
    await passwords.used(holder, address);
    assert.deepEqual(entered, []);
  });

  test('is one of at most five hundred of a user', async () => {
    const { passwords, ada, store } = await setting();
    const row = { user_id: ada.id, made_by: ada.id, app_id: '', name: 'x', created_at: noon.toISOString() };
    const rows = Array.from({ length: 499 }, (_, at) => ({ ...row, uuid: `uuid ${at}`, hash: `hash ${at}` }));
    await store.write((tx) => tx.insertInto('application_passwords').values(rows).execute());
    const added = await Promise.allSettled([passwords.add(ada, { name: 'a' }), passwords.add(ada, { name: 'b' })]);
    assert.deepEqual(added.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
    await assert.rejects(passwords.add(ada, { name: 'c' }), code('rest_too_many_application_passwords'));
    assert.equal((await passwords.list(ada)).length, 500);
  });

  test('goes with its user, and is made for nobody who is gone', async () => {
    const { passwords, users, ada } = await setting();
    const { password } = await passwords.add(ada, { name: 'phone' });
    await passwords.used((await passwords.holderOf(password))!, address);
    await users.erase(ada, undefined);
    assert.equal(await passwords.holderOf(password), undefined);
    await assert.rejects(passwords.add(ada, { name: 'phone' }), code('rest_user_invalid_id'));
  });

  test('revoked in one process is nobody’s in another soon, and a use is noted by one of them', async () => {
    const where = await engine.place();
    const shared: TestEngine = { ...engine, place: async () => where };
    const [here, there] = [await aSite(shared), await aSite(shared)];
    const [mine, theirs] = [here, there].map(({ app }) => app.services.identity.applicationPasswords) as [
      typeof here.app.services.identity.applicationPasswords,
      typeof here.app.services.identity.applicationPasswords,
    ];
    const entered: string[] = [];
    for (const { app } of [here, there])
      app.services.events.on('login.succeeded', ({ from }) => void entered.push(from));
    const ada = await here.user({ login: 'ada' });
    const { password, uuid } = await mine.add(ada, { name: 'phone' });
    await mine.used((await mine.holderOf(password))!, 'here');
    await theirs.used((await theirs.holderOf(password))!, 'there');
    assert.deepEqual(entered, ['here']);
    await mine.revoke(ada, uuid);
    await soon(async () => theirs.holderOf(password), undefined);
  });
});
