import assert from 'node:assert/strict';
import { test } from 'node:test';
import { second } from '#lib/spans.ts';
import type { User } from '#site/identity/users/user.ts';
import type { Users } from '#site/identity/users/users.ts';
import { eachEngine, onBothStores, type TestEngine } from '#test/databases.ts';
import { lettersIn } from '#test/letters.ts';
import { aSite, noon } from '#test/site.ts';
import { createActing, type Order } from './user-actions.ts';

const path = '/api/secsuite/v1/user-actions';
const groups = '/api/secsuite/v1/user-groups';
const client = { address: '192.0.2.7', agent: 'test' };

/** Nobody signs in as them, so no password takes its time. */
async function contributors(users: Users, many: number): Promise<User[]> {
  const made: User[] = [];
  for (let at = 0; at < many; at++) made.push(await users.add({ login: `many${at}`, roles: ['contributor'] }));
  return made;
}

async function aHouse(engine: TestEngine) {
  let now = noon.getTime();
  const site = await aSite(engine, { deployment: 'a', clock: () => new Date(now) });
  const { jobs, events, identity } = site.app.services;
  const settled = async (): Promise<void> => {
    await jobs.settled();
    await events.settled();
    await jobs.settled();
  };
  const admin = site.as('administrator');
  return {
    site,
    admin,
    identity,
    jobs,
    settled,
    order: async (said: object) => {
      const { status, text, body } = await admin.post(path, said);
      await settled();
      return { status, text, code: body?.code };
    },
    later: async (milliseconds: number) => {
      now += milliseconds;
      await settled();
    },
    someone: (login: string, role = 'subscriber') =>
      site.user({ login, email: `${login}@site.test`, password: 'the very old one', roles: [role] }),
    signedIn: async (user: User) => {
      const { cookie } = (await identity.sessions.start(user, false, client))!;
      return async () => (await identity.sessions.find(cookie)) !== undefined;
    },
    signsIn: async (login: string, password: string) =>
      (await identity.signIn.attempt({ login, password, remember: false, client })).started !== undefined,
    group: async (role = 'editor') =>
      (await admin.post(groups, { label: role, roles: [role], ignore_duplicate: true })).body.id as string,
    membersOf: async (id: string): Promise<number[]> => (await admin.get(`${groups}/${id}`)).body.users,
  };
}

onBothStores('Orders for many users', (engine) => {
  test('an order that is taken up again sets no password twice', async () => {
    const { site, settled, someone, signsIn, identity } = await aHouse(engine);
    const ada = await someone('ada');
    const order: Order = {
      id: 'once',
      by: 0,
      answers: 0,
      after: 0,
      from: '192.0.2.7',
      actions: { 'reset-password': true },
      whom: { users: [ada.id] },
    };
    const act = createActing({
      clock: () => noon,
      identity,
      groups: { include: async () => {} },
      secret: (signs) => 'x'.repeat(signs),
    });
    await act(order, ada);
    await identity.users.change(ada, { password: 'a much newer one' });
    await act(order, ada);
    await settled();
    assert.equal(await signsIn('ada', 'a much newer one'), true);
    const letters = lettersIn(site.config.data).filter(({ subject }) => subject.endsWith('Choose a new password'));
    assert.equal(letters.length, 1);
    await act({ ...order, id: 'another' }, ada);
    assert.equal(await signsIn('ada', 'x'.repeat(24)), true, 'another order is another matter');
  });

  test('whom a list would show is done to, a hundred at a time and half a minute apart', async () => {
    const { identity, order, later, group, membersOf, someone } = await aHouse(engine);
    await contributors(identity.users, 130);
    await someone('ada');
    const editors = await group('editor');
    const said = { query: { roles: ['contributor'], per_page: 3, orderby: 'name', page: 2 } };
    assert.equal((await order({ ...said, actions: { 'add-user-groups': [editors] } })).status, 204);
    assert.equal((await membersOf(editors)).length, 100);
    await later(29 * second);
    assert.equal((await membersOf(editors)).length, 100);
    await later(second);
    assert.equal((await membersOf(editors)).length, 130);
  });

  test('named users are done a hundred at a time too', async () => {
    const { identity, order, later, group, membersOf } = await aHouse(engine);
    const all = await contributors(identity.users, 101);
    const editors = await group('editor');
    await order({ users: all.map(({ id }) => id).reverse(), actions: { 'add-user-groups': [editors] } });
    assert.equal((await membersOf(editors)).length, 100);
    await later(30 * second);
    assert.equal((await membersOf(editors)).length, 101);
  });

  test('an order ends with the rights of who gave it', async () => {
    const { site, identity, settled, later, group, membersOf, someone } = await aHouse(engine);
    const all = await contributors(identity.users, 101);
    const editors = await group('editor');
    const chief = await someone('chief', 'administrator');
    const actions = { 'add-user-groups': [editors] };
    for (const whom of [{ users: all.map(({ id }) => id) }, { query: { roles: ['contributor'] } }])
      assert.equal((await site.asUser(chief).post(path, { ...whom, actions })).status, 204);
    await settled();
    await identity.users.change(chief, { roles: ['editor'] });
    await later(30 * second);
    assert.equal((await membersOf(editors)).length, 100);
  });
});

eachEngine('Orders for users', (engine) => {
  test('users are signed out, whoever orders it among them, and nobody else is', async () => {
    const { site, order, someone, signedIn, identity } = await aHouse(engine);
    const [ada, bob, chief] = [await someone('ada'), await someone('bob'), await site.caller('administrator')];
    const own = (await identity.users.find(chief.id))!;
    const here = [await signedIn(ada), await signedIn(ada), await signedIn(bob), await signedIn(own)];
    const said = { users: [ada.id, own.id, 99_999, ada.id, -3], actions: { 'force-logout': true } };
    assert.deepEqual(await order(said), { status: 204, text: '', code: undefined });
    assert.deepEqual(await Promise.all(here.map((is) => is())), [false, false, true, false]);
  });

  test('a password is set that nobody knows, and its owner is sent a link', async () => {
    const { site, order, someone, signsIn } = await aHouse(engine);
    const [ada, bob] = [await someone('ada'), await someone('bob')];
    assert.equal(await signsIn('ada', 'the very old one'), true);
    await order({ users: [ada.id], actions: { 'reset-password': true } });
    assert.deepEqual(
      [await signsIn('ada', 'the very old one'), await signsIn('bob', 'the very old one')],
      [false, true],
    );
    const letters = lettersIn(site.config.data).filter(({ subject }) => subject.endsWith('Choose a new password'));
    assert.deepEqual(
      letters.map(({ to }) => to),
      [ada.email],
    );
    assert.match(letters[0]!.text, /no longer works: a security manager ended it/);
    assert.match(letters[0]!.text, /http:\/\/site\.test\S+action=rp&key=\S+&login=ada/);
    assert.ok(bob.id > 0);
  });

  test('users are added to groups that do not match them already', async () => {
    const { order, someone, group, membersOf } = await aHouse(engine);
    const [ada, ed] = [await someone('ada'), await someone('ed', 'editor')];
    const [editors, authors] = [await group('editor'), await group('author')];
    const unknown = '7c6ed21b-1f0f-4f4b-9d7c-0b9f6f9f0009';
    const said = { users: [ed.id, ada.id], actions: { 'add-user-groups': [editors, unknown, authors] } };
    await order(said);
    await order(said);
    assert.deepEqual(await membersOf(editors), [ada.id]);
    assert.deepEqual(await membersOf(authors), [ada.id, ed.id]);
  });

  test('a query that fails ends quietly', async () => {
    const { order, group, membersOf, jobs } = await aHouse(engine);
    const editors = await group('editor');
    const said = { query: { orderby: 'shoe size' }, actions: { 'add-user-groups': [editors] } };
    assert.equal((await order(said)).status, 204);
    assert.deepEqual(await membersOf(editors), []);
    const [job] = await jobs.list({ kind: 'security-suite.user-actions', most: 1 });
    assert.equal(job?.status, 'done');
  });

  test('what makes no sense is refused; without anybody nothing happens', async () => {
    const { order, site, jobs } = await aHouse(engine);
    const actions = { 'force-logout': true };
    const query = { roles: ['author'] };
    const nowhere = { 'add-user-groups': ['7c6ed21b-1f0f-4f4b-9d7c-0b9f6f9f0009'] };
    for (const said of [{ actions }, { actions, users: [], query: {} }, { actions: nowhere, users: [1] }])
      assert.deepEqual(await order(said), { status: 204, text: '', code: undefined });
    assert.deepEqual(await jobs.list({ kind: 'security-suite.user-actions', most: 1 }), []);
    for (const [said, code] of [
      [{ actions, users: [1], query }, 'secsuite_user_actions_invalid_users'],
      [{ actions, query: { search: 'x'.repeat(900_000) } }, 'secsuite_user_actions_invalid_users'],
      [{ users: [1] }, 'rest_missing_callback_param'],
      [{ users: [1], actions: {} }, 'rest_invalid_param'],
      [{ users: [1], actions: { 'force-logout': false } }, 'rest_invalid_param'],
      [{ users: [1], actions: { delete: true } }, 'rest_invalid_param'],
      [{ users: [1], actions: { 'add-user-groups': ['x'] } }, 'rest_invalid_param'],
      [{ users: ['x'], actions }, 'rest_invalid_param'],
    ] as const) {
      const answer = await order(said);
      assert.deepEqual([answer.status, answer.code], [400, code], JSON.stringify(said).slice(0, 100));
    }
    for (const [who, status] of [
      [site, 401],
      [site.as('editor'), 403],
    ] as const) {
      const answer = await who.post(path, { users: [1], actions });
      assert.deepEqual([answer.status, answer.body.code], [status, 'rest_forbidden']);
    }
  });
});
