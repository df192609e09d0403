import assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { hour } from '#lib/spans.ts';
import type { Store } from '#store/store.ts';
import { eachEngine, type TestEngine } from '#test/databases.ts';
import { lettersIn, mailFiles } from '#test/letters.ts';
import { aSite, noon } from '#test/site.ts';
import type { IdentityTables } from '../tables.ts';
import { usersLock } from '../users/guards.ts';
import { createResets, type Resets } from './resets.ts';

const from = '192.0.2.7';
const client = { address: from, agent: 'test' };

async function someone(engine: TestEngine) {
  let now = noon.getTime();
  const site = await aSite(engine, { clock: () => new Date(now) });
  const { identity, store, events, jobs } = site.app.services;
  const { users, signIn, sessions } = identity;
  const resets: Resets = {
    ...identity.resets,
    request: async (login, from) => {
      await identity.resets.request(login, from);
      await events.settled();
      await jobs.settled();
    },
  };
  const ada = await users.add({ login: 'ada b@c', email: 'ada@site.test', password: 'the very old one', name: 'Ada' });
  const letters = () => lettersIn(site.config.data).filter(({ subject }) => subject.endsWith('Choose a new password'));
  /** The link of the newest letter, as somebody follows it. */
  const link = () => {
    const url = new URL(/http\S+wp-login\S+/.exec(letters().at(-1)!.text)![0]);
    return [url.searchParams.get('login')!, url.searchParams.get('key')!] as const;
  };
  const signsIn = async (password: string): Promise<boolean> =>
    (await signIn.attempt({ login: 'ada@site.test', password, remember: false, client })).started !== undefined;
  const later = (milliseconds: number) => {
    now += milliseconds;
  };
  return {
    site,
    users,
    resets,
    sessions,
    events,
    store: store as Store<IdentityTables>,
    ada,
    letters,
    link,
    signsIn,
    later,
  };
}

/** A write that others wait for until it is let go. */
async function heldUp(store: Store<IdentityTables>) {
  const [begun, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const ended = store.write(async (_, { lock }) => {
    await lock(usersLock);
    begun.resolve();
    await released.promise;
  });
  await begun.promise;
  return { release: released.resolve, ended };
}

eachEngine('a forgotten password', (engine) => {
  test('is set anew by the link in the mail, once, and every session ends', async () => {
    const { resets, ada, letters, link, signsIn, sessions } = await someone(engine);
    const { cookie } = (await sessions.start(ada, true, client))!;
    await resets.request('ADA@site.test', from);
    const [letter, ...others] = letters();
    assert.deepEqual([letter?.to, others], ['ada@site.test', []]);
    assert.match(letter!.text, /http:\/\/site\.test\/wp-login\.php\?action=rp&key=[\w-]{43}&login=ada%20b%40c\n/);
    assert.deepEqual(await resets.holderOf(...link()), ada);
    assert.deepEqual(await resets.complete(...link(), 'the very new one', from), ada);
    assert.equal(await signsIn('the very new one'), true);
    assert.equal(await signsIn('the very old one'), false);
    assert.equal(await sessions.find(cookie), undefined);
    assert.equal(await resets.holderOf(...link()), undefined);
    assert.equal(await resets.complete(...link(), 'another one', from), undefined);
    assert.equal(await signsIn('the very new one'), true);
  });

  test('has its link whole on a line of the file, whatever letters the name has', async () => {
    const { site, users, ada, resets } = await someone(engine);
    await users.change(ada, { name: 'Ädä Løvelace 🔔' });
    await resets.request('ada b@c', from);
    const [file = ''] = mailFiles(site.config.data);
    const lines = readFileSync(join(site.config.data, 'mail', file), 'utf8').split('\r\n');
    const way = /^http:\/\/site\.test\/wp-login\.php\?action=rp&key=[\w-]{43}&login=ada%20b%40c$/;
    assert.equal(lines.filter((line) => way.test(line)).length, 1);
  });

  test('of two who use a link at once, one does', async () => {
    const { resets, link } = await someone(engine);
    await resets.request('ada b@c', from);
    const [login, key] = link();
    const done = await Promise.all(
      ['the first one', 'the second one', 'the third one'].map((password) =>
        resets.complete(login, key, password, from),
      ),
    );
    assert.equal(done.filter(Boolean).length, 1);
  });

  test('is not set by another key, another name, or an old link', async () => {
    const { resets, users, link, signsIn, later } = await someone(engine);
    await users.add({ login: 'bob', email: 'bob@site.test' });
    await resets.request('ada b@c', from);
    const [login, key] = link();
    const wrong = [
      [login, ''],
      [login, key.slice(1)],
      [login, `${key}x`],
      [login, key.toLowerCase()],
      ['bob', key],
      ['', key],
      ['nobody', key],
      [login, 'x'.repeat(100_000)],
      ['x'.repeat(100_000), key],
    ] as const;
    for (const [name, other] of wrong) {
      assert.equal(await resets.holderOf(name, other), undefined);
      assert.equal(await resets.complete(name, other, 'stolen', from), undefined);
    }
    later(24 * hour - 1);
    assert.notEqual(await resets.holderOf(login, key), undefined);
    later(1);
    assert.equal(await resets.holderOf(login, key), undefined);
    assert.equal(await resets.complete(login, key, 'too late', from), undefined);
    assert.equal(await signsIn('the very old one'), true);
  });

  test('a link is good until a newer one is asked for, or the password or the address changes', async () => {
    const { resets, users, ada, link } = await someone(engine);
    const followed = async () => {
      await resets.request('ada b@c', from);
      return link();
    };
    const first = await followed();
    const second = await followed();
    assert.equal(await resets.holderOf(...first), undefined);
    assert.notEqual(await resets.holderOf(...second), undefined);
    await users.change(ada, { password: 'changed by herself' });
    assert.equal(await resets.holderOf(...second), undefined);
    const third = await followed();
    await users.change(ada, { email: 'ada@other.test' });
    assert.equal(await resets.holderOf(...third), undefined);
  });

  test('a link opens nothing once its owner signed out everywhere, or everywhere else', async () => {
    const { resets, sessions, ada, link } = await someone(engine);
    const { session } = (await sessions.start(ada, false, client))!;
    for (const keep of [undefined, { session: session.id }]) {
      await resets.request('ada b@c', from);
      await sessions.endAll(ada, keep);
      assert.equal(await resets.holderOf(...link()), undefined);
      assert.equal(await resets.complete(...link(), 'the very new one', from), undefined);
    }
  });

  test('a password that cannot be one leaves the link as good as it was', async () => {
    const { resets, link, signsIn } = await someone(engine);
    await resets.request('ada b@c', from);
    await assert.rejects(resets.complete(...link(), 'back\\slash', from));
    assert.notEqual(await resets.complete(...link(), 'a better one', from), undefined);
    assert.equal(await signsIn('a better one'), true);
  });

  test('five links are sent in an hour, and no more', async () => {
    const { resets, letters, later, link, store } = await someone(engine);
    for (let times = 0; times < 7; times += 1) await resets.request('ada b@c', from);
    assert.equal(letters().length, 5);
    assert.notEqual(await resets.holderOf(...link()), undefined);
    later(hour);
    await Promise.all(Array.from({ length: 8 }, () => resets.request('ada b@c', from)));
    assert.equal(letters().length, 10);
    later(24 * hour);
    await resets.request('ada b@c', from);
    const kept = await store.db.selectFrom('one_time_tokens').select('id').execute();
    assert.equal(kept.length, 1);
  });

  test('who asks is not told whether there is such a user, nor whether a letter could be sent', async () => {
    const { site, resets, users, letters, events } = await someone(engine);
    await users.add({ login: 'without-address' });
    const asked: string[] = [];
    events.on('password.reset_requested', ({ user, from }) => void asked.push(`${user.login} ${from}`));
    for (const login of ['nobody', 'nobody@site.test', '', 'without-address', 'x'.repeat(100_000)])
      assert.equal(await resets.request(login, from), undefined);
    assert.deepEqual(letters(), []);
    writeFileSync(join(site.config.data, 'mail'), 'in the way');
    assert.equal(await resets.request('ada b@c', from), undefined);
    assert.deepEqual(
      site.log.lines.filter(({ level }) => level !== 'info').map(({ message }) => message),
      ['The email cannot be written to the mail folder (EEXIST). Messages wait.'],
    );
    rmSync(join(site.config.data, 'mail'));
    assert.deepEqual(asked, [`ada b@c ${from}`]);
  });

  test('who asks waits as long, whether or not there is such a user', async () => {
    const { site, users, store, events } = await someone(engine);
    const { keys, mail, clock } = site.app.services;
    const about = () => ({ url: 'http://site.test', title: 'Site', door: '/wp-login.php' });
    const { request } = createResets({ store, users, events, keys, mail, clock, about, refusalTakes: 30 });
    for (const login of ['ada b@c', 'nobody']) {
      const begun = performance.now();
      await request(login, from);
      assert.ok(performance.now() - begun >= 29, login);
    }
  });

  test('who asks waits no longer while the store is slow; the link is sent when it can be', async () => {
    const { site, store, letters } = await someone(engine);
    const { identity, jobs, events } = site.app.services;
    const slow = await heldUp(store);
    await identity.resets.request('ada b@c', from);
    slow.release();
    await events.settled();
    await jobs.settled();
    assert.equal(letters().length, 1);
    await slow.ended;
  });

  test('of very many who ask while the store is slow, a hundred are remembered', async () => {
    const { site, store, events, letters } = await someone(engine);
    const slow = await heldUp(store);
    for (let times = 0; times < 103; times += 1) await site.app.services.identity.resets.request('ada b@c', from);
    const errors = site.log.lines.splice(0).filter(({ level }) => level === 'error');
    assert.equal(errors.length, 3);
    slow.release();
    await events.settled();
    await site.app.services.jobs.settled();
    assert.equal(letters().length, 5);
  });

  test('no key is kept or logged', async () => {
    const { site, resets, link, store } = await someone(engine);
    await resets.request('ada b@c', from);
    const [, key] = link();
    const kept = await store.db.selectFrom('one_time_tokens').selectAll().execute();
    assert.match(kept[0]!.hash, /^[0-9a-f]{64}$/);
    assert.ok(!JSON.stringify([kept, site.log.lines]).includes(key));
  });
});
