import assert from 'node:assert/strict';
import { test } from 'node:test';
import { second } from '#lib/spans.ts';
import type { User } from '#site/identity/users/user.ts';
import { eachEngine } from '#test/databases.ts';
import { type GroupRooms, groupRooms } from '#test/group-rooms.ts';
import { lettersIn } from '#test/letters.ts';
import { aSite, noon } from '#test/site.ts';
import { core } from '../../core/extension.ts';
import type { Order } from './order.ts';

const path = '/api/secsuite/v1/user-actions';
const groups = '/api/secsuite/v1/user-groups';
const client = { address: '192.0.2.7', agent: 'test' };

eachEngine('Orders for many users', (engine) => {
  const aHouse = async () => {
    let now = noon.getTime();
    let rooms: GroupRooms | undefined;
    const seen = (made: GroupRooms): void => {
      rooms = made;
    };
    const site = await aSite(engine, {
      deployment: 'a',
      extensions: [core, groupRooms(seen)],
      clock: () => new Date(now),
    });
    await rooms!.ready;
    const { jobs, events, identity } = site.app.services;
    const settled = async (): Promise<void> => {
      await jobs.settled();
      await events.settled();
      await jobs.settled();
    };
    const admin = site.as('administrator');
    return {
      ...{ site, admin, rooms: rooms!, identity, jobs, settled },
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
        site.user({ login, email: `${login}@site.test`, password: 'the old one', roles: [role] }),
      signedIn: async (user: User) => {
        const { cookie } = (await identity.sessions.start(user, false, client))!;
        return async () => (await identity.sessions.find(cookie)) !== undefined;
      },
      signsIn: async (login: string, password: string) =>
        (await identity.signIn.attempt({ login, password, remember: false, client })) !== undefined,
      group: async (role = 'editor') =>
        (await admin.post(groups, { label: role, roles: [role], ignore_duplicate: true })).body.id as string,
      membersOf: async (id: string): Promise<number[]> => (await admin.get(`${groups}/${id}`)).body.users,
    };
  };

  test('users are signed out, whoever orders it among them, and nobody else is', async () => {
    const { site, order, someone, signedIn, identity } = await aHouse();
    const [ada, bob, chief] = [await someone('ada'), await someone('bob'), await site.caller('administrator')];
    const own = (await identity.users.find(chief.id))!;
    const here = [await signedIn(ada), await signedIn(ada), await signedIn(bob), await signedIn(own)];
    const said = { users: [ada.id, own.id, 99_999, ada.id, -3], actions: { 'force-logout': true } };
    assert.deepEqual(await order(said), { status: 204, text: '', code: undefined });
    assert.deepEqual(await Promise.all(here.map((is) => is())), [false, false, true, false]);
  });

  test('a password is set that nobody knows, and its owner is sent a link', async () => {
    const { site, order, someone, signsIn } = await aHouse();
    const [ada, bob] = [await someone('ada'), await someone('bob')];
    assert.equal(await signsIn('ada', 'the old one'), true);
    await order({ users: [ada.id], actions: { 'reset-password': true } });
    assert.deepEqual([await signsIn('ada', 'the old one'), await signsIn('bob', 'the old one')], [false, true]);
    const letters = lettersIn(site.config.data).filter(({ subject }) => subject.endsWith('Choose a new password'));
    assert.deepEqual(
      letters.map(({ to }) => to),
      [ada.email],
    );
    assert.ok(bob.id > 0);
  });

  test('an order that is taken up again sets no password twice', async () => {
    const { site, rooms, settled, someone, signsIn, identity } = await aHouse();
    const ada = await someone('ada');
    const by = (await site.caller('administrator')).id;
    const order: Order = {
      ...{ id: 'once', by, answers: by, after: 0, from: '192.0.2.7' },
      ...{ actions: { 'reset-password': true }, whom: { users: [ada.id] } },
    };
    const each = async <T>(
      items: (after: undefined) => Iterable<T> | AsyncIterable<T> | Promise<Iterable<T>>,
      { do: act }: { do(item: T): Promise<unknown> },
    ): Promise<void> => {
      for await (const item of await items(undefined)) {
        await act(item);
        await identity.users.change(ada, { password: 'a newer one' });
        await act(item);
      }
    };
    await rooms.userActions.work(order, { each });
    await settled();
    assert.equal(await signsIn('ada', 'a newer one'), true);
    const letters = lettersIn(site.config.data).filter(({ subject }) => subject.endsWith('Choose a new password'));
    assert.equal(letters.length, 1);
    await rooms.userActions.work(
      { ...order, id: 'another' },
      {
        each: async (items, { do: act }) => {
          for await (const item of await items(undefined)) await act(item);
        },
      },
    );
    assert.equal(await signsIn('ada', 'a newer one'), false, 'another order is another matter');
  });

  test('users are added to groups that do not match them already', async () => {
    const { order, someone, group, membersOf } = await aHouse();
    const [ada, ed] = [await someone('ada'), await someone('ed', 'editor')];
    const [editors, authors] = [await group('editor'), await group('author')];
    const unknown = '7c6ed21b-1f0f-4f4b-9d7c-0b9f6f9f0009';
    const said = { users: [ed.id, ada.id], actions: { 'add-user-groups': [editors, unknown, authors] } };
    await order(said);
    await order(said);
    assert.deepEqual(await membersOf(editors), [ada.id]);
    assert.deepEqual(await membersOf(authors), [ada.id, ed.id]);
  });

  test('whom a list would show is done to, a hundred at a time and half a minute apart', async () => {
    const { site, order, later, group, membersOf, someone } = await aHouse();
    const { users } = site.app.services.identity;
    const many = Array.from({ length: 130 }, (_, at) => ({
      ...{ login: `many${at}`, password: '', registered: noon },
      as: (login: string) => ({ login, email: `${login}@site.test`, roles: ['contributor'] }),
    }));
    await users.addMany(many);
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
    const { site, order, later, group, membersOf } = await aHouse();
    const all = await site.app.services.identity.users.addMany(
      Array.from({ length: 101 }, (_, at) => ({
        ...{ login: `many${at}`, password: '', registered: noon },
        as: (login: string) => ({ login, email: `${login}@site.test`, roles: ['contributor'] }),
      })),
    );
    const editors = await group('editor');
    await order({ users: all.map(({ id }) => id).reverse(), actions: { 'add-user-groups': [editors] } });
    assert.equal((await membersOf(editors)).length, 100);
    await later(30 * second);
    assert.equal((await membersOf(editors)).length, 101);
  });

  test('a query that fails ends quietly, and so does an order of who manages no more', async () => {
    const { site, order, group, membersOf, someone, jobs, identity, settled, rooms } = await aHouse();
    const ada = await someone('ada');
    const editors = await group('editor');
    const actions = { 'add-user-groups': [editors] };
    assert.equal((await order({ query: { orderby: 'shoe size' }, actions })).status, 204);
    const chief = await someone('chief', 'administrator');
    const asked = site.asUser(chief).post(path, { query: { include: [ada.id] }, actions });
    assert.equal((await asked).status, 204);
    await settled();
    assert.deepEqual(await membersOf(editors), [ada.id]);
    const bob = await someone('bob');
    const whom = [{ users: [bob.id] }, { query: { include: [bob.id] } }];
    for (const them of whom) {
      await identity.users.change((await identity.users.find(chief.id))!, { roles: ['administrator'] });
      const caller = { ...(await site.caller('administrator')), id: chief.id };
      await identity.users.change((await identity.users.find(chief.id))!, { roles: ['subscriber'] });
      await rooms.userActions.order({ ...them, actions }, caller, 'here');
      await settled();
    }
    assert.deepEqual(await membersOf(editors), [ada.id]);
    const kinds = await jobs.list({ kind: 'security-suite.user-actions', most: 10 });
    assert.deepEqual(new Set(kinds.map(({ status }) => status)), new Set(['done']));
  });

  test('what makes no sense is refused; without anybody nothing happens', async () => {
    const { order, site, jobs } = await aHouse();
    const actions = { 'force-logout': true };
    const query = { roles: ['author'] };
    for (const said of [{ actions }, { actions, users: [], query: {} }])
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
