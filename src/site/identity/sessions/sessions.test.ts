import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hour } from '#lib/spans.ts';
import { eachEngine, type TestEngine } from '#test/databases.ts';
import { aSite, noon } from '#test/site.ts';
import { soon } from '#test/soon.ts';
import type { SiteEvents } from '../../platform/events.ts';

const client = { address: '192.0.2.7', agent: 'Test/1.0' };

eachEngine('A session', (engine) => {
  /** A site whose clock can be moved, and two users of it. */
  async function setting() {
    let time = noon.getTime();
    const site = await aSite(engine, { clock: () => new Date(time) });
    const { store, events, identity } = site.app.services;
    const ended: SiteEvents['session.ended'][] = [];
    events.on('session.ended', (event) => void ended.push(event));
    const [ada, bob] = [await site.user({ login: 'ada' }), await site.user({ login: 'bob' })];
    const rows = () => store.db.selectFrom('sessions').selectAll().execute();
    const pass = (milliseconds: number) => {
      time += milliseconds;
    };
    return { ...identity, ada, bob, ended, rows, pass, store };
  }

  test('is opened by its cookie alone, which is kept nowhere', async () => {
    const { sessions, ada, rows } = await setting();
    const { cookie, session } = (await sessions.start(ada, false, client))!;
    assert.match(cookie, /^[\w-]{43}$/);
    for (const time of ['first', 'second']) assert.deepEqual(await sessions.find(cookie), session, time);
    for (const other of ['', 'x', cookie.slice(1), `${cookie}x`, `${cookie.slice(0, 42)}!`, 'A'.repeat(43)])
      assert.equal(await sessions.find(other), undefined);
    const [row] = await rows();
    assert.equal(Object.values(row!).includes(cookie), false);
    assert.deepEqual([row!.address, row!.agent, row!.remembered], ['192.0.2.7', 'Test/1.0', 0]);
  });

  test('is known at once when it was seen lately', async () => {
    const { sessions, ada } = await setting();
    const { cookie } = (await sessions.start(ada, false, client))!;
    await sessions.find(cookie);
    assert.equal(sessions.find(cookie) instanceof Promise, false);
  });

  test('lasts two days, or fourteen when it is to be remembered, however lately it was seen', async () => {
    const { sessions, ada, pass } = await setting();
    const short = (await sessions.start(ada, false, client))!;
    const long = (await sessions.start(ada, true, client))!;
    const open = async () => [short, long].map(async ({ cookie }) => (await sessions.find(cookie)) !== undefined);
    pass(48 * hour - 1);
    assert.deepEqual(await Promise.all(await open()), [true, true]);
    pass(1);
    assert.deepEqual(await Promise.all(await open()), [false, true]);
    pass(12 * 24 * hour);
    assert.deepEqual(await Promise.all(await open()), [false, false]);
  });

  test('is cleared away when it is the oldest of very many', async () => {
    const { sessions, ada, rows } = await setting();
    const { session } = (await sessions.start(ada, false, client))!;
    for (let time = 0; time < 100; time++) (await sessions.start(ada, false, client))!;
    const left = await rows();
    assert.equal(left.length, 100);
    assert.ok(left.every(({ id }) => id !== session.id));
  });

  test('ends by itself, everywhere else, or everywhere, which is told once', async () => {
    const { sessions, ada, bob, ended } = await setting();
    const [one, two, three] = [
      (await sessions.start(ada, false, client))!,
      (await sessions.start(ada, false, client))!,
      (await sessions.start(ada, false, client))!,
    ];
    const other = (await sessions.start(bob, false, client))!;
    const open = async () => {
      const found = [one, two, three, other].map(({ cookie }) => sessions.find(cookie));
      return (await Promise.all(found)).map((session) => session !== undefined);
    };
    assert.deepEqual(await open(), [true, true, true, true]);
    await sessions.end(one.session);
    await sessions.end(one.session);
    assert.deepEqual(await open(), [false, true, true, true]);
    assert.equal(await sessions.endAll(ada, { session: two.session.id }), 1);
    assert.deepEqual(await open(), [false, true, false, true]);
    assert.equal(await sessions.endAll(ada), 1);
    assert.equal(await sessions.endAll(ada), 0);
    assert.deepEqual(await open(), [false, false, false, true]);
    assert.deepEqual(
      ended.map(({ user, sessions: many }) => [user.login, many]),
      [
        ['ada', 1],
        ['ada', 1],
        ['ada', 1],
      ],
    );
  });

  test('has tokens for one purpose each, that are of no use to another session', async () => {
    const { sessions, ada } = await setting();
    const [{ session }, { session: other }] = [
      (await sessions.start(ada, false, client))!,
      (await sessions.start(ada, false, client))!,
    ];
    const token = sessions.token(session, 'rest');
    assert.match(token, /^[\w-]{24}$/);
    assert.equal(sessions.isToken(session, 'rest', token), true);
    assert.equal(sessions.isToken(session, 'log-out', token), false);
    assert.equal(sessions.isToken(other, 'rest', token), false);
    for (const wrong of ['', token.slice(1), `${token} `, 'é'.repeat(24), undefined, null, [token], { token }, 1])
      assert.equal(sessions.isToken(session, 'rest', wrong), false);
  });

  test('has tokens that are good for twelve hours at least and twenty-four at most', async () => {
    const { sessions, ada, pass } = await setting();
    const { session } = (await sessions.start(ada, true, client))!;
    const token = sessions.token(session, 'rest');
    pass(12 * hour);
    assert.equal(sessions.isToken(session, 'rest', token), true);
    assert.notEqual(sessions.token(session, 'rest'), token);
    pass(12 * hour);
    assert.equal(sessions.isToken(session, 'rest', token), false);
  });

  test('ended in one process opens nothing in another soon after', async () => {
    const where = await engine.place();
    const shared: TestEngine = { ...engine, place: async () => where };
    const [here, there] = [await aSite(shared), await aSite(shared)];
    const [mine, theirs] = [here.app.services.identity.sessions, there.app.services.identity.sessions];
    const { cookie, session } = (await mine.start(await here.user({ login: 'ada' }), false, client))!;
    assert.equal((await theirs.find(cookie))?.id, session.id);
    await mine.end(session);
    await soon(async () => theirs.find(cookie), undefined);
  });
});
