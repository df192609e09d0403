import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachEngine } from '#test/databases.ts';
import { checkRows } from '#test/rows.ts';
import { aSite } from '#test/site.ts';

const root = '/api/core-abilities/v1/abilities/core';

eachEngine('What the site tells of itself and of whoever asks', async (engine) => {
  const site = await aSite(engine);
  const administrator = site.as('administrator');

  test('is all of it, where nothing is picked', async () => {
    await administrator.post('/api/core/v2/settings', { email: 'office@site.test' });
    const { body } = await administrator.get(`${root}/get-site-info/run`);
    assert.deepEqual(body, {
      name: 'Riverside School',
      description: 'A school and its parish',
      url: 'http://site.test',
      wpurl: 'http://site.test',
      admin_email: 'office@site.test',
      charset: 'UTF-8',
      language: 'en-GB',
      version: '7.1',
    });
    assert.deepEqual((await administrator.get(`${root}/get-site-info/run?input[fields]=`)).body, body);
  });

  test('is what was picked', async () => {
    const one = await administrator.get(`${root}/get-site-info/run?input[fields][]=url&input[fields][]=charset`);
    assert.deepEqual(one.body, { url: 'http://site.test', charset: 'UTF-8' });
    const listed = await administrator.get(`${root}/get-user-info/run?input[fields]=id,roles`);
    assert.deepEqual(listed.body, { id: 1, roles: ['administrator'] });
    for (const wrong of ['input[fields]=password', 'input[x]=1', 'input=5']) {
      const { status, body } = await administrator.get(`${root}/get-site-info/run?${wrong}`);
      assert.deepEqual([wrong, status, body.code], [wrong, 400, 'ability_invalid_input']);
    }
  });

  test('names what it runs on, and nothing more', async () => {
    const { body } = await administrator.get(`${root}/get-environment-info/run`);
    const { db_server_info, ...rest } = body;
    assert.deepEqual(rest, {
      environment: 'production',
      php_version: `Node.js ${process.versions.node}`,
      wp_version: '7.1',
    });
    assert.match(db_server_info, /^(?:SQLite|PostgreSQL) \d[\d.]+$/);
  });

  test('tells everybody who is known who they are', async () => {
    const ada = await site.user({
      login: 'ada',
      roles: ['author'],
      name: 'Ada L.',
      first_name: 'Ada',
      last_name: 'Lovelace',
      nickname: 'Countess',
      url: 'https://ada.example',
      description: 'Counts.',
    });
    const { body } = await site.asUser(ada).get(`${root}/get-user-info/run`);
    assert.deepEqual(body, {
      id: ada.id,
      display_name: 'Ada L.',
      user_nicename: 'ada',
      user_login: 'ada',
      roles: ['author'],
      locale: 'en_GB',
      first_name: 'Ada',
      last_name: 'Lovelace',
      nickname: 'Countess',
      description: 'Counts.',
      user_url: 'https://ada.example',
    });
    assert.equal((await site.as('subscriber').get(`${root}/get-user-info/run`)).body.locale, 'en_GB');
    const { status, body: refused } = await site.get(`${root}/get-user-info/run`);
    assert.deepEqual([status, refused.code], [401, 'rest_ability_cannot_execute']);
  });

  test('get-site-info and get-environment-info are for those who run the site', () =>
    checkRows(['get-site-info', 'get-environment-info'], async (name) => {
      for (const role of ['subscriber', 'contributor', 'author', 'editor', 'parish_admin']) {
        const { status, body } = await site.as(role).get(`${root}/${name}/run`);
        assert.deepEqual([role, status, body.code], [role, 403, 'rest_ability_cannot_execute']);
      }
      assert.equal((await site.get(`${root}/${name}/run`)).status, 401);
    }));

  test('a site of this machine alone is a local one', async () => {
    const local = await aSite(engine, {
      env: { GATEHOUSE_URL: 'http://localhost:8080' },
      config: { url: 'http://localhost:8080' },
    });
    const { body } = await local.as('administrator').get(`${root}/get-environment-info/run?input[fields]=environment`);
    assert.deepEqual(body, { environment: 'local' });
  });
});
