// What changes between the question whether somebody may, and the write that does it. Here the question is asked first, then the
// world changes, then the write comes, as when many wait in line to be hashed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Problem } from '#kernel/problem.ts';
import { createAuthors } from '#site/content/authors/authors.ts';
import { createKinds } from '#site/content/types.ts';
import { credentialOf } from '#site/identity/credential.ts';
import { onBothStores, type TestEngine } from '#test/databases.ts';
import { basicOf } from '#test/people.ts';
import { aSite } from '#test/site.ts';
import { createShownUsers } from './shown-users.ts';

const refusal = (status: number | 'denied', code: string) => (problem: unknown) => {
  assert.deepEqual([(problem as Problem).status, (problem as Problem).code], [status, code]);
  return true;
};
const gone = refusal(401, 'rest_not_logged_in');
const client = { address: '192.0.2.7', agent: 'test' };
const path = '/api/core/v2/users';

async function setting(engine: TestEngine) {
  const site = await aSite(engine);
  const { identity, about, store } = site.app.services;
  const shown = createShownUsers(identity, about, createAuthors({ store, kinds: createKinds() }));
  const parish = await site.caller('parish_admin');
  const anna = await site.user({ login: 'anna', roles: ['subscriber'] });
  return { site, ...identity, shown, parish, anna: await shown.get(anna.id) };
}

onBothStores('what changes meanwhile', (engine) => {
  test('somebody who was promoted is not given a password by who may only edit lesser users', async () => {
    const { shown, users, parish, anna } = await setting(engine);
    await users.change(anna, { roles: ['administrator'] });
    await assert.rejects(
      shown.change(anna, { password: 'evil by parish' }, parish, { password: undefined, from: '' }),
      refusal('denied', 'rest_cannot_edit'),
    );
  });

  test('who was demoted, erased or signed out gives nobody a role', async () => {
    const { site, shown, users } = await setting(engine);
    const [boss, other] = [
      await site.caller('administrator'),
      await site.user({ login: 'b', roles: ['administrator'] }),
    ];
    const second = await site.callerWith(await site.credentials(other));
    await users.change(other, { roles: ['author'] });
    const more = { login: 'eve', roles: ['administrator'], password: 'a good long one' };
    await assert.rejects(shown.add(more, second), refusal('denied', 'rest_cannot_create_user'));
    await users.erase(other, undefined);
    await assert.rejects(shown.add(more, second), gone);
    assert.deepEqual((await shown.add(more, boss)).roles, ['administrator']);
  });

  test('who deletes themselves in a batch adds nobody after it', async () => {
    const { site, users } = await setting(engine);
    const other = await site.user({ login: 'b', roles: ['administrator'] });
    await site.caller('administrator');
    const requests = [
      { method: 'DELETE', path: `/core/v2/users/${other.id}?force=true&reassign=` },
      {
        path: '/core/v2/users',
        body: { username: 'eve', email: 'eve@site.test', password: 'a good long one', roles: ['administrator'] },
      },
    ];
    const { body } = await site.asUser(other).post('/api/batch/v1', { requests });
    assert.deepEqual(
      body.responses.map(({ status }: { status: number }) => status),
      [200, 401],
    );
    assert.equal(await users.named('eve'), undefined);
  });

  test('a thief’s change does not undo the password an administrator set', async () => {
    const { users, sessions, doing, signIn, anna } = await setting(engine);
    const session = (await sessions.start(anna, false, client))!.session;
    const asThief = doing({ kind: 'session', user: anna, session }, () => {});
    await users.change(anna, { password: 'set by the rescue' });
    await assert.rejects(users.change(anna, { password: 'set by the thief' }, asThief), gone);
    assert.equal(await signIn.isPassword(anna, 'set by the rescue'), true);
  });

  test('a copied cookie changes nothing once its session goes on by another', async () => {
    const { users, sessions, doing, signIn, anna } = await setting(engine);
    const { session } = (await sessions.start(anna, false, client))!;
    const asThief = doing({ kind: 'session', user: anna, session }, () => {});
    const renewed = sessions.renewed(session);
    await users.change(
      anna,
      { password: 'her very new one' },
      { keep: { session: session.id, hash: renewed.session.hash } },
    );
    await assert.rejects(users.change(anna, { password: 'set by the thief' }, asThief), gone);
    assert.equal(await signIn.isPassword(anna, 'her very new one'), true);
    assert.equal((await sessions.find(renewed.cookie))?.id, session.id);
  });

  test('who was demoted deletes nobody', async () => {
    const { site, shown, users, anna } = await setting(engine);
    await site.caller('administrator');
    const other = await site.user({ login: 'b', roles: ['administrator'] });
    const second = await site.callerWith(await site.credentials(other));
    await users.change(other, { roles: ['author'] });
    await assert.rejects(shown.erase(anna, undefined, second), refusal('denied', 'rest_user_cannot_delete'));
    assert.equal((await users.get(anna.id)).login, 'anna');
  });

  test('whoever is deleted while a link is asked for is gone, and nothing fails', async () => {
    const { site, users, resets } = await setting(engine);
    for (let round = 0; round < 10; round++) {
      const user = await site.user({ login: `eve${round}` });
      const asked = [1, 2].map(() => resets.request(user.login, client.address));
      await Promise.all([...asked, users.erase(user, undefined)]);
      await site.app.services.events.settled();
      assert.equal(await users.find(user.id), undefined);
    }
    assert.deepEqual(
      site.log.lines.filter(({ level }) => level === 'error'),
      [],
    );
  });

  test('an application password somebody else made ends with a promotion; their own and the machine’s stay', async () => {
    const { site, users, applicationPasswords, anna } = await setting(engine);
    const planted = await site.as('parish_admin').post(`${path}/${anna.id}/application-passwords`, { name: 'planted' });
    assert.equal(planted.status, 201);
    await applicationPasswords.add(anna, { name: 'her own' }, { by: anna.id });
    await applicationPasswords.add(anna, { name: 'the machine’s' });
    const left = async () => (await applicationPasswords.list(anna)).map(({ name }) => name);
    await users.change(anna, { roles: ['subscriber'], name: 'Anna' });
    assert.equal((await left()).length, 3, 'nothing was gained');
    await users.change(anna, { roles: ['author'] });
    assert.equal((await left()).length, 3, 'who made it may do all of that as well');
    await users.change(anna, { roles: ['editor'] });
    assert.deepEqual(await left(), ['her own', 'the machine’s']);
  });

  test('nor does one made with it, or a password set with it or by its maker; the owner is told', async () => {
    const { site, users, sessions, signIn, applicationPasswords, anna } = await setting(engine);
    const emptied: string[] = [];
    site.app.services.events.on('password.withdrawn', ({ user }) => void emptied.push(user.login));
    const at = `${path}/${anna.id}/application-passwords`;
    const { body: planted } = await site.as('parish_admin').post(at, { name: 'planted' });
    const as = { authorization: basicOf('anna', planted.password) };
    assert.equal((await site.post(`${path}/me/application-passwords`, { name: 'laundered' }, as)).status, 201);
    const current_password = 'set by its maker';
    await site.as('parish_admin').post(`${path}/${anna.id}`, { password: current_password });
    const change = { password: 'set along with it', current_password };
    assert.equal((await site.post(`${path}/me`, change, as)).status, 200);
    const { cookie } = (await sessions.start(anna, false, client))!;
    await users.change(anna, { roles: ['administrator'] });
    assert.deepEqual(await applicationPasswords.list(anna), []);
    assert.equal(await signIn.isPassword(anna, 'set along with it'), false);
    assert.equal(await sessions.find(cookie), undefined);
    await site.app.services.events.settled();
    assert.deepEqual(emptied, ['anna']);
  });

  test('what an administrator or the owner set stays with a promotion', async () => {
    const { site, users, sessions, signIn, anna } = await setting(engine);
    await site.as('administrator').post(`${path}/${anna.id}`, { password: 'set by the boss' });
    const { cookie } = (await sessions.start(anna, false, client))!;
    await users.change(anna, { roles: ['editor'] });
    assert.equal(await signIn.isPassword(anna, 'set by the boss'), true);
    assert.equal((await sessions.find(cookie))?.user.id, anna.id);
  });

  test('what somebody made for others ends with their own rights', async () => {
    const { site, users, applicationPasswords, parish, anna } = await setting(engine);
    const plant = () => site.as('parish_admin').post(`${path}/${anna.id}/application-passwords`, { name: 'planted' });
    await plant();
    await users.change(await users.get(parish.id), { roles: ['author'] });
    assert.deepEqual(await applicationPasswords.list(anna), []);
    await users.change(await users.get(parish.id), { roles: ['parish_admin'] });
    assert.equal((await plant()).status, 201);
    await users.erase(await users.get(parish.id), undefined);
    assert.deepEqual(await applicationPasswords.list(anna), []);
  });

  test('a credential that was revoked meanwhile makes no other', async () => {
    const { site, applicationPasswords, doing, anna } = await setting(engine);
    const caller = await site.callerWith(await site.credentials(anna));
    const again = doing(credentialOf(caller), () => {});
    await applicationPasswords.revokeAll(anna);
    for (const write of [
      () => applicationPasswords.add(anna, { name: 'more' }, again),
      () => applicationPasswords.change(anna, 'x', { name: 'other' }, again),
      () => applicationPasswords.revokeAll(anna, again),
    ])
      await assert.rejects(write(), gone);
    const { body } = await site.as('administrator').get(`${path}/${anna.id}/application-passwords`);
    assert.deepEqual(body, []);
  });

  test('nobody gives up the right to edit users by having no role at all', async () => {
    const { site } = await setting(engine);
    const { status, body } = await site.as('parish_admin').post(`${path}/me`, { roles: [] });
    assert.deepEqual([status, body.code], [403, 'rest_user_invalid_role']);
    const both = await site.as('parish_admin').post(`${path}/me`, { roles: ['parish_admin', 'subscriber'] });
    assert.equal(both.status, 200);
  });

  test('long names to look for are refused', async () => {
    const { site } = await setting(engine);
    const long = `a${'\u0300\u0316'.repeat(100_000)}`;
    const { status, body } = await site.post(`${path}?_method=GET`, { slug: [long] });
    assert.deepEqual([status, body.code], [400, 'rest_invalid_param']);
  });
});
