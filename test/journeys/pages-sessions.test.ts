import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { hour, minute } from '#lib/spans.ts';
import { eachEngine, withoutPostgres } from '#test/databases.ts';
import { heldWrites } from '#test/held-writes.ts';
import { testClock } from '#test/queue.ts';
import { aSite } from '#test/site.ts';
import { aVisitor, type Shown, type Visitor } from '#test/visitor.ts';

const password = 'a quiet river';
const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0';
const safari =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1';

interface Row {
  readonly browser: string;
  readonly began: string | undefined;
  /** The moment, or what stands there instead. */
  readonly used: string;
  readonly address: string;
  readonly number: string;
}

const rowsIn = ({ text }: Shown): Row[] =>
  text
    .split('<li>')
    .filter((part) => part.includes('name="session"'))
    .map((part) => ({
      browser: /<h3>([^<]*)</.exec(part)?.[1] ?? '',
      began: /<dt>Signed in<\/dt><dd><time datetime="([^"]*)"/.exec(part)?.[1],
      used: /<dt>Last used<\/dt><dd>(?:<time datetime="([^"]*)"|([^<]*))/.exec(part)?.slice(1).find(Boolean) ?? '',
      address: /<dt>IP address<\/dt><dd>([^<]*)</.exec(part)?.[1] ?? '',
      number: /name="session" value="([^"]*)"/.exec(part)?.[1] ?? '',
    }));

eachEngine('The sessions of an account', (engine) => {
  async function setting() {
    const clock = testClock();
    const site = await aSite(engine, { clock });
    const { identity, events, jobs } = site.app.services;
    const users = {
      ada: await site.user({ login: 'ada', roles: ['author'], password }),
      eva: await site.user({ login: 'eva', roles: ['author'], password }),
    };
    const signedIn = async (login: keyof typeof users, agent = '') => {
      const visitor = aVisitor(site, { 'user-agent': agent });
      assert.equal((await visitor.signIn(login, password)).status, 302);
      return visitor;
    };
    const list = async (visitor: Visitor) => rowsIn(await visitor.get('/account'));
    const end = async (visitor: Visitor, what: string, more: Record<string, string> = {}) => {
      const _wpnonce = await visitor.token('/account', 'action="/account"');
      return visitor.post('/account', { do: what, _wpnonce, ...more });
    };
    const isOpen = async (visitor: Visitor) => (await visitor.get('/account')).status === 200;
    return { clock, site, identity, events, jobs, users, signedIn, list, end, isOpen };
  }

  test('are listed with their browser, their IP address and their times, the one in use first', async () => {
    const { clock, events, signedIn, list } = await setting();
    const desk = await signedIn('ada', firefox);
    clock.pass(3 * hour);
    const phone = await signedIn('ada', safari);
    await signedIn('eva', firefox);
    const began = ['2026-11-20T12:00:00.000Z', '2026-11-20T15:00:00.000Z'] as const;
    const at = { address: '127.0.0.1' };
    const seen = (rows: Row[]) => rows.map(({ number, ...row }) => row);
    assert.deepEqual(seen(await list(phone)), [
      { ...at, browser: 'Safari on iPhone (this session)', began: began[1], used: 'now' },
      { ...at, browser: 'Firefox on Windows', began: began[0], used: began[0] },
    ]);
    clock.pass(minute);
    assert.deepEqual(seen(await list(desk)), [
      { ...at, browser: 'Firefox on Windows (this session)', began: began[0], used: 'now' },
      { ...at, browser: 'Safari on iPhone', began: began[1], used: began[1] },
    ]);
    await events.settled();
    assert.equal((await list(phone))[1]?.used, '2026-11-20T15:01:00.000Z');
  });

  test('are used by requests to the interface too, which is written once an hour', async () => {
    const { clock, site, events, signedIn, list } = await setting();
    const [app, other] = [await signedIn('ada', firefox), await signedIn('ada', safari)];
    const uses: string[] = [];
    events.on('session.used', () => void uses.push(clock().toISOString()));
    const ask = async () => {
      const nonce = (await app.get('/wp-admin/admin-ajax.php?action=rest-nonce')).text;
      const cookie = `site_session=${app.cookies.get('site_session')}`;
      const headers = { cookie, 'x-wp-nonce': nonce };
      for (let time = 0; time < 5; time++) assert.equal((await site.get('/wp-json/wp/v2/posts', headers)).status, 200);
      await events.settled();
    };
    await ask();
    assert.deepEqual(uses, [], 'the sign-in is the first use');
    clock.pass(hour);
    await ask();
    clock.pass(hour - 1);
    await ask();
    assert.deepEqual(uses, ['2026-11-20T13:00:00.000Z']);
    assert.equal((await list(other))[1]?.used, '2026-11-20T13:00:00.000Z');
  });

  test('say what is not known of them', async () => {
    const { identity, users, signedIn, list } = await setting();
    await identity.sessions.start(users.ada, false, { address: '', agent: '' });
    const [, row] = await list(await signedIn('ada', firefox));
    assert.deepEqual([row?.browser, row?.address], ['Unknown browser', 'unknown']);
  });

  test('show nothing that a browser says of itself', async () => {
    const { signedIn } = await setting();
    const { text } = await (await signedIn('ada', '<b>Firefox/1</b> on Windows')).get('/account');
    assert.match(text, /<h3>Firefox on Windows \(this session\)<\/h3>/);
    assert.doesNotMatch(text, /<b>Firefox/);
  });

  test('end one by one', async () => {
    const { signedIn, list, end, isOpen } = await setting();
    const [desk, phone, tablet] = [await signedIn('ada'), await signedIn('ada'), await signedIn('ada')];
    const [, , first] = await list(tablet);
    const answer = await end(tablet, 'end-session', { session: first!.number });
    assert.deepEqual([answer.status, answer.to], [303, '/account?done=session-ended']);
    assert.match((await tablet.get(answer.to!)).text, /role="status"[^<]*<p>The session has ended\./);
    assert.deepEqual([await isOpen(desk), await isOpen(phone), await isOpen(tablet)], [false, true, true]);
    assert.equal((await list(tablet)).length, 2);
  });

  test('end in this browser as by signing out', async () => {
    const { signedIn, list, end, isOpen } = await setting();
    const desk = await signedIn('ada');
    const [own] = await list(desk);
    const answer = await end(desk, 'end-session', { session: own!.number });
    assert.deepEqual([answer.status, answer.to], [303, '/login?loggedout=true']);
    assert.equal(desk.cookies.has('site_session'), false);
    assert.equal(await isOpen(desk), false);
  });

  test('end in all other browsers', async () => {
    const { signedIn, end, isOpen } = await setting();
    const [desk, phone, eva] = [await signedIn('ada'), await signedIn('ada'), await signedIn('eva')];
    assert.match((await desk.get('/account')).text, /Sign out all other sessions/);
    const answer = await end(desk, 'end-other-sessions');
    assert.equal(answer.to, '/account?done=other-sessions-ended');
    assert.deepEqual([await isOpen(desk), await isOpen(phone), await isOpen(eva)], [true, false, true]);
    assert.doesNotMatch((await desk.get('/account')).text, /Sign out all other sessions/);
  });

  test('of another user do not end, and are answered as unknown ones', async () => {
    const { signedIn, list, end, isOpen } = await setting();
    const [ada, eva] = [await signedIn('ada'), await signedIn('eva')];
    const [theirs] = await list(eva);
    for (const session of [theirs!.number, '999999', '0', '-1', 'x', '']) {
      const { status, to } = await end(ada, 'end-session', { session });
      assert.deepEqual([status, to], [303, '/account?done=session-ended'], session);
    }
    assert.deepEqual([await isOpen(ada), await isOpen(eva)], [true, true]);
  });

  test('end by no form without the token of this page', async () => {
    const { signedIn, list, isOpen } = await setting();
    const [desk, phone] = [await signedIn('ada'), await signedIn('ada')];
    const [, other] = await list(desk);
    for (const what of ['end-session', 'end-other-sessions']) {
      const answer = await desk.post('/account', { do: what, session: other!.number, _wpnonce: 'x' });
      assert.equal(answer.status, 403);
    }
    assert.equal(await isOpen(phone), true);
  });

  test('are listed up to 50, the one in use among them', async () => {
    const { identity, users, signedIn, list } = await setting();
    const oldest = await signedIn('ada', firefox);
    for (let time = 0; time < 50; time++)
      await identity.sessions.start(users.ada, false, { address: '192.0.2.7', agent: safari });
    const { text } = await oldest.get('/account');
    assert.match(text, /<p>You have 51 sessions\. The list shows 50 of them: this one and the newest others\.<\/p>/);
    const rows = await list(oldest);
    assert.equal(rows.length, 50);
    assert.equal(rows[0]?.browser, 'Firefox on Windows (this session)');
    for (let time = 0; time < 149; time++)
      await identity.sessions.start(users.ada, false, { address: '192.0.2.7', agent: safari });
    assert.equal((await list(await signedIn('ada', firefox))).length, 50);
  });

  test('that are over are not listed, and their uses are forgotten', async () => {
    const { clock, site, events, jobs, signedIn, list } = await setting();
    const desk = await signedIn('ada', firefox);
    clock.pass(hour);
    await list(desk);
    await events.settled();
    const uses = () => site.app.services.store.db.selectFrom('session_uses').selectAll().execute();
    assert.equal((await uses()).length, 1);
    clock.pass(47 * hour);
    assert.equal((await list(await signedIn('ada', safari))).length, 1);
    await jobs.settled();
    assert.deepEqual(await uses(), []);
  });
});

describe('A use that cannot be written yet', { skip: withoutPostgres }, () => {
  const held = heldWrites();

  test('keeps no page and no answer of the interface waiting', async () => {
    const clock = testClock();
    const { paper: site, holding } = await held({ clock });
    await site.user({ login: 'ada', roles: ['author'], password });
    const visitor = aVisitor(site, { 'user-agent': firefox });
    await visitor.signIn('ada', password);
    clock.pass(hour);
    const release = await holding('lock table session_uses in exclusive mode');
    const uses = () => site.app.services.store.db.selectFrom('session_uses').selectAll().execute();
    assert.equal(rowsIn(await visitor.get('/account')).length, 1);
    const nonce = (await visitor.get('/wp-admin/admin-ajax.php?action=rest-nonce')).text;
    const headers = { cookie: `site_session=${visitor.cookies.get('site_session')}`, 'x-wp-nonce': nonce };
    assert.equal((await site.get('/wp-json/wp/v2/users/me', headers)).status, 200);
    assert.deepEqual(await uses(), [], 'it is not written by then');
    await release();
    await site.app.services.events.settled();
    assert.equal((await uses()).length, 1);
  });
});
