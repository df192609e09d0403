import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachEngine } from '#test/databases.ts';
import { aSite } from '#test/site.ts';

const root = '/api/core-abilities/v1/abilities';

eachEngine('Abilities for content', async (engine) => {
  const site = await aSite(engine);
  const editor = site.as('editor');
  const run = (who: string, name: string, input: unknown) => site.as(who).post(`${root}/content/${name}/run`, { input });
  const draft = async (who: string, said: object = {}) =>
    (await run(who, 'create-draft', { type: 'post', title: 'A river', ...said })).body.id as number;

  test('begin a draft, publish it and take it away', async () => {
    const made = await run('editor', 'create-draft', { type: 'page', title: 'The mill', content: 'It turns.' });
    assert.equal(made.status, 200, made.text);
    const { id, status, edit_link } = made.body;
    assert.deepEqual([status, edit_link], ['draft', `http://site.test/wp-admin/post.php?post=${id}&action=edit`]);
    const published = await run('editor', 'publish', { id });
    assert.deepEqual(published.body, { id, status: 'publish', link: 'http://site.test/the-mill/' });
    assert.equal((await site.get(`/api/core/v2/pages/${id}`)).body.title.rendered, 'The mill');
    const trashed = await editor.delete(`${root}/content/trash/run?input[id]=${id}`);
    assert.deepEqual([trashed.status, trashed.body], [200, { id, status: 'trash' }]);
    assert.equal((await site.get(`/api/core/v2/pages/${id}`)).status, 401);
  });

  test('find what whoever asks may read', async () => {
    const id = await draft('author', { title: 'A hidden lantern' });
    const found = async (who: string, query: string) => {
      const { status, body } = await site.as(who).get(`${root}/content/find/run?${query}`);
      return status === 200 ? body.map((one: { id: number }) => one.id) : body.code;
    };
    assert.deepEqual(await found('author', 'input[search]=lantern&input[status]=draft'), [id]);
    assert.deepEqual(await found('editor', 'input[search]=lantern&input[status]=any&input[limit]=1'), [id]);
    assert.deepEqual(await found('contributor', 'input[search]=lantern&input[status]=draft'), []);
    assert.deepEqual(await found('subscriber', 'input[search]=lantern'), 'rest_ability_cannot_execute');
    await run('editor', 'publish', { id });
    assert.deepEqual(await found('contributor', 'input[search]=lantern'), [id]);
  });
});
