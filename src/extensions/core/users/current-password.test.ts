import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachEngine, type TestEngine } from '#test/databases.ts';
import { anEditor } from '#test/editing.ts';
import { aSite } from '#test/site.ts';

const users = 'wp/v2/users';
const current_password = 'a quiet river';

async function inBrowser(engine: TestEngine) {
  const site = await aSite(engine);
  const boss = await anEditor(site, 'administrator');
  const { body: me } = await boss.get(`${users}/me?context=edit`);
  return { site, boss, me };
}

eachEngine('In a browser session', (engine) => {
  test('a new password or email address takes the current password, of oneself and of others', async () => {
    const { site, boss, me } = await inBrowser(engine);
    const kim = await site.user({ login: 'kim', roles: ['author'] });
    const changes = [{ password: 'a brand new sentence' }, { email: 'new@site.test' }];
    for (const path of [`${users}/me`, `${users}/${me.id}`, `${users}/${kim.id}`])
      for (const change of changes) {
        const without = await boss.post(path, change);
        assert.deepEqual([without.status, without.body.code], [403, 'rest_current_password_required'], path);
      }
    const wrong = await boss.put(`${users}/me`, { ...changes[0], current_password: 'a loud river' });
    assert.deepEqual([wrong.status, wrong.body.code], [403, 'rest_current_password_incorrect']);
    const { signIn } = site.app.services.identity;
    assert.equal(await signIn.isPassword({ ...kim, id: me.id }, current_password), true, 'nothing was changed');
    const changed = await boss.post(`${users}/${kim.id}`, { ...changes[0], ...changes[1], current_password });
    assert.deepEqual([changed.status, changed.body.email], [200, 'new@site.test']);
    assert.equal((await boss.put(`${users}/me`, { ...changes[0], current_password })).status, 200);
    assert.equal(await signIn.isPassword({ ...kim, id: me.id }, 'a brand new sentence'), true);
  });

  test('all else is changed as before, the record sent back whole included', async () => {
    const { boss, me } = await inBrowser(engine);
    const { id, name, email, roles } = me;
    const answer = await boss.put(`${users}/me`, { id, name: 'Ada', email: email.toUpperCase(), roles, url: '' });
    assert.deepEqual([answer.status, answer.body.name], [200, 'Ada'], `${name} ${answer.text}`);
  });

  test('an application password needs it to change its own user, and none to change others', async () => {
    const { site } = await inBrowser(engine);
    const kim = await site.user({ login: 'kim', roles: ['administrator'], password: current_password });
    const eve = await site.user({ login: 'eve', roles: ['author'] });
    const headers = await site.credentials(kim);
    const send = async (who: number | 'me', body: object) => {
      const answer = await site.post(`/wp-json/${users}/${who}`, body, headers);
      return `${answer.status} ${answer.body.code ?? ''}`.trim();
    };
    const taking = [{ email: 'thief@site.test' }, { password: 'a brand new sentence' }];
    const answers = await Promise.all(taking.flatMap((body) => [send('me', body), send(kim.id, body)]));
    assert.deepEqual([...new Set(answers)], ['403 rest_current_password_required']);
    assert.equal(await send('me', { ...taking[0], current_password: 'wrong' }), '403 rest_current_password_incorrect');
    assert.equal(await send('me', { email: 'Kim@site.test', current_password }), '200');
    assert.equal(await send('me', { email: 'kim@site.test', name: 'Kim' }), '200', 'the same address');
    assert.equal(await send(eve.id, { ...taking[0], ...taking[1] }), '200');
  });
});
