// What people do stands in the log, where they belong to a group whose members are logged, and nowhere else.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachEngine, type TestEngine } from '#test/databases.ts';
import { aGuardedSite } from '#test/security-suite.ts';
import { aVisitor } from '#test/visitor.ts';

const password = 'quiet harbour beneath a violet kettle';

async function aWatchedSite(engine: TestEngine) {
  const [site, suite] = await aGuardedSite(engine);
  const admin = site.as('administrator');
  const made = await admin.post('/api/secsuite/v1/user-groups', { label: 'Editors', roles: ['editor'] });
  assert.equal(made.status, 201, made.text);
  const set = (group: readonly string[]) =>
    admin.put('/api/secsuite/v1/settings/user-logging', { group }).then(({ status }) => assert.equal(status, 200));
  const codes = async (): Promise<string[]> => {
    await site.app.services.events.settled();
    await suite.logs.flush();
    const { body } = await admin.get('/api/secsuite/v1/logs?module=user_logging&per_page=100&orderby=id&order=asc');
    return body.map((entry: { code: { raw: { code: string; data: string[] } } }) =>
      [entry.code.raw.code, ...entry.code.raw.data].join(' '),
    );
  };
  return { site, admin, set, codes, group: made.body.id as string };
}

eachEngine('The log of what people do', (engine) => {
  test('says when members signed in and out, and nothing of others', async () => {
    const { site, set, codes, group } = await aWatchedSite(engine);
    const kim = await site.user({ login: 'kim', password, roles: ['editor'] });
    const leaves = async (login: string) => {
      const visitor = aVisitor(site);
      assert.equal((await visitor.signIn(login, password)).status, 302);
      const token = await visitor.token('/login?action=logout');
      await visitor.post('/login?action=logout', { _wpnonce: token });
    };
    await leaves('kim');
    assert.deepEqual(await codes(), []);
    await set([group]);
    await site.user({ login: 'ann', password, roles: ['author'] });
    await leaves('kim');
    await leaves('ann');
    assert.deepEqual(await codes(), [`user-logged-in ${kim.id}`, `user-logged-out ${kim.id}`]);
  });

  test('says which posts members moved on, whom they made a user, and which modules they switched', async () => {
    const { site, admin, set, codes, group } = await aWatchedSite(engine);
    await site.as('editor').get('/api/core/v2/users/me');
    await site.app.services.events.settled();
    await set([group]);
    const author = await site.user({ login: 'ann', roles: ['author'] });
    await site.asUser(author).post('/api/core/v2/posts', { title: 'Mine', status: 'publish' });
    const editor = site.as('editor');
    const { id } = (await editor.get('/api/core/v2/users/me')).body;
    const post = (await editor.post('/api/core/v2/posts', { title: 'One' })).body.id;
    await editor.patch(`/api/core/v2/posts/${post}`, { title: 'Other' });
    await editor.patch(`/api/core/v2/posts/${post}`, { status: 'publish' });
    await editor.delete(`/api/core/v2/posts/${post}`);
    const moves = [`new draft`, `draft publish`, `publish trash`];
    assert.deepEqual(
      await codes(),
      moves.map((move) => `post-status-changed ${id} ${post} ${move}`),
    );
    const administrators = await admin.post('/api/secsuite/v1/user-groups', { label: 'A', roles: ['administrator'] });
    await set([administrators.body.id]);
    const made = await admin.post('/api/core/v2/users', { username: 'new', email: 'n@site.test', password });
    const turn = (selected: string) => admin.put('/api/secsuite/v1/modules/privilege', { status: { selected } });
    await turn('active');
    await turn('inactive');
    await site.app.services.events.settled();
    site.app.services.events.emit('media_folders.deleted', { by: 7, folders: 3, files: 5, backup: 1 });
    assert.deepEqual((await codes()).slice(moves.length), [
      `user-registered ${made.body.id} admin`,
      'plugin-activated privilege ',
      'plugin-deactivated privilege ',
      'media-folders-deleted 7 3 1',
    ]);
  });

  test('is silent while its module is off', async () => {
    const { site, admin, set, codes, group } = await aWatchedSite(engine);
    await set([group]);
    await admin.put('/api/secsuite/v1/modules/user-logging', { status: { selected: 'inactive' } });
    await site.as('editor').post('/api/core/v2/posts', { title: 'One' });
    assert.deepEqual(await codes(), []);
  });
});
