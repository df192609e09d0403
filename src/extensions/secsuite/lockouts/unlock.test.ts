import assert from 'node:assert/strict';
import { test } from 'node:test';
import { day, minute } from '#lib/spans.ts';
import { eachEngine } from '#test/databases.ts';
import { aLockedSite, type Locked, type Reply, type Visitor } from '#test/lockouts-alone.ts';

const form = { 'content-type': 'application/x-www-form-urlencoded' };
const right = 'the right password of ada';

const post = (visitor: Visitor, fields: Record<string, string>, path = '/unlock'): Promise<Reply> =>
  visitor.ask(path, { method: 'POST', headers: form, body: String(new URLSearchParams(fields)) });

/** Ada is locked out of her account by others. */
async function aLockedAda(site: Locked, roles = ['editor']) {
  const user = await site.user({ login: 'ada', email: 'ada@example.org', name: 'Ada L.', roles, password: right });
  await lock(site);
  return user;
}

async function lock(site: Locked): Promise<void> {
  for (let at = 20; at < 30; at++) await site.from(`127.0.0.${at}`).signIn('ada', 'wrong');
  assert.equal((await site.from('127.0.0.40').signIn('ada', right)).status, 403);
}

async function aLink(site: Locked): Promise<string> {
  await post(site.from('127.0.0.40'), { log: 'ada' });
  await site.app.services.events.settled();
  return new URL(site.alone.told.letters.at(-1)!.tags!.login_url!).searchParams.get('key')!;
}

eachEngine('A link by mail for whoever is locked out by others', (engine) => {
  test('is offered where they sign in, and lets them in from where they are, while others stay out', async () => {
    const site = await aLockedSite(engine);
    await aLockedAda(site);
    const at = site.from('127.0.0.40');
    const refused = await at.signIn('ada', right);
    assert.match(refused.text, /action="\/unlock"/);
    assert.match(refused.text, /name="log" value="ada"/);
    assert.equal((await post(at, { log: 'ada' })).status, 200);
    await site.app.services.events.settled();
    const { to, tags, awaited } = site.alone.told.letters[0]!;
    assert.deepEqual([to, awaited, tags?.username, tags?.display_name], ['ada@example.org', true, 'ada', 'Ada L.']);
    const key = new URL(tags!.login_url!).searchParams.get('key')!;

    const opened = await at.ask(`/unlock?key=${key}`);
    assert.deepEqual([opened.status, opened.text.includes(key)], [200, true]);
    assert.equal((await at.signIn('ada', right)).status, 403, 'a program that opens links unlocks nothing');
    assert.equal((await post(at, { key })).status, 200);
    assert.equal((await at.signIn('ada', right)).status, 302);
    assert.equal((await post(at, { key })).status, 404, 'it works once');
    assert.equal((await at.ask(`/unlock?key=${key}`)).status, 404);

    await lockAgain(site);
    assert.equal((await site.from('127.0.0.41').signIn('ada', right)).status, 403);
    assert.equal((await at.signIn('ada', right)).status, 302, 'for a day it is not locked from there');
  });

  const lockAgain = async (site: Locked): Promise<void> => {
    for (let at = 50; at < 60; at++) await site.from(`127.0.0.${at}`).signIn('ada', 'wrong');
  };

  test('spares an account for a day, and wrong passwords from there do not lock it', async () => {
    const site = await aLockedSite(engine);
    await site.alone.settings.keep('brute-force', { max_attempts_host: 0 });
    await aLockedAda(site);
    await post(site.from('127.0.0.40'), { key: await aLink(site) });
    for (let time = 0; time < 12; time++)
      assert.equal((await site.from('127.0.0.40').signIn('ada', 'wrong')).status, 200);
    assert.equal((await site.from('127.0.0.41').signIn('ada', right)).status, 302);
    site.time.now += day;
    for (let time = 0; time < 10; time++) await site.from('127.0.0.40').signIn('ada', 'wrong');
    assert.equal((await site.from('127.0.0.40').signIn('ada', right)).status, 403);
  });

  test('ends after half an hour', async () => {
    const site = await aLockedSite(engine);
    await site.alone.settings.keep('global', { lockout_period: 120 });
    await aLockedAda(site);
    const key = await aLink(site);
    site.time.now += 30 * minute;
    assert.equal((await post(site.from('127.0.0.40'), { key })).status, 404);
    assert.equal((await site.from('127.0.0.40').signIn('ada', right)).status, 403);
  });

  test('is kept as a hash alone, and five of them are mailed within an hour', async () => {
    const site = await aLockedSite(engine);
    await aLockedAda(site);
    const key = await aLink(site);
    const kept = JSON.stringify(await site.app.services.store.db.selectFrom('one_time_tokens').selectAll().execute());
    assert.ok(kept.length > 50 && !kept.includes(key));
    for (let time = 0; time < 9; time++) await aLink(site);
    assert.equal(site.alone.told.letters.length, 5);
  });

  test('is not mailed to who is not locked, is nobody, or while the module is off; the answer is the same', async () => {
    const site = await aLockedSite(engine);
    await site.user({ login: 'bob', email: 'bob@example.org', roles: ['editor'], password: right });
    await aLockedAda(site);
    const asked = async (log: string): Promise<string> => (await post(site.from('127.0.0.40'), { log })).text;
    const [known, free, nobody] = [await asked('ada'), await asked('bob'), await asked('nobody')];
    assert.deepEqual([known === free, free === nobody], [true, true]);
    await site.app.services.events.settled();
    assert.deepEqual(
      site.alone.told.letters.map(({ to }) => to),
      ['ada@example.org'],
    );
    const key = await aLink(site);
    await site.alone.switches.set('magic-links', false, { caller: { id: 0, can: () => true } });
    assert.equal((await post(site.from('127.0.0.40'), { key })).status, 404);
    assert.equal((await site.from('127.0.0.40').signIn('ada', right)).text.includes('/unlock'), false);
    await asked('ada');
    await site.app.services.events.settled();
    assert.equal(site.alone.told.letters.length, 2);
  });

  test('does not outlive the key of the sessions', async () => {
    const site = await aLockedSite(engine);
    await site.alone.settings.keep('global', { lockout_period: 120 });
    await aLockedAda(site);
    const old = await aLink(site);
    await site.app.services.sessionKey.renew();
    assert.equal((await post(site.from('127.0.0.40'), { key: old })).status, 404);
    assert.equal((await post(site.from('127.0.0.40'), { key: await aLink(site) })).status, 200);
  });

  test('a form of another site asks for none', async () => {
    const site = await aLockedSite(engine);
    await aLockedAda(site);
    const headers = { ...form, 'sec-fetch-site': 'cross-site' };
    const answer = await site.from('127.0.0.40').ask('/unlock', { method: 'POST', headers, body: 'log=ada' });
    assert.equal(answer.status, 403);
    await site.app.services.events.settled();
    assert.equal(site.alone.told.letters.length, 0);
  });
});
