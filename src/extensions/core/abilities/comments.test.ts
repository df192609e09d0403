import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachEngine } from '#test/databases.ts';
import { aSite } from '#test/site.ts';

const path = '/api/core-abilities/v1/abilities/comments/moderate/run';

eachEngine('Judging comments by name', async (engine) => {
  const site = await aSite(engine);
  const editor = site.as('editor');
  const { body: post } = await editor.post('/api/core/v2/posts', { title: 'A river', status: 'publish' });
  let count = 0;
  const comment = async (): Promise<number> =>
    (await editor.post('/api/core/v2/comments', { post: post.id, content: `Number ${++count}` })).body.id;
  const judge = (who: string, id: unknown, action: unknown) => site.as(who).post(path, { input: { id, action } });

  test('shows a comment, has it wait, calls it spam and puts it into the trash', async () => {
    const id = await comment();
    for (const [action, status] of [
      ['hold', 'hold'],
      ['hold', 'hold'],
      ['approve', 'approved'],
      ['spam', 'spam'],
      ['trash', 'trash'],
      ['approve', 'approved'],
    ]) {
      const answer = await judge('editor', id, action);
      assert.deepEqual([action, answer.status, answer.body], [action, 200, { id, status }]);
      assert.equal((await editor.get(`/api/core/v2/comments/${id}`)).body.status, status);
    }
  });

  test('is for those who look after comments', async () => {
    const id = await comment();
    for (const role of ['subscriber', 'contributor', 'author']) {
      const { status, body } = await judge(role, id, 'spam');
      assert.deepEqual([role, status, body.code], [role, 403, 'rest_ability_cannot_execute']);
    }
    assert.equal((await site.post(path, { input: { id, action: 'spam' } })).status, 401);
    for (const role of ['parish_admin', 'administrator'])
      assert.equal((await judge(role, id, 'hold')).status, 200, role);
  });

  test('refuses what cannot be', async () => {
    const id = await comment();
    for (const [number, action] of [
      [id, 'delete'],
      [id, undefined],
      [0, 'spam'],
      [undefined, 'spam'],
      ['x', 'spam'],
    ])
      assert.equal((await judge('editor', number, action)).body.code, 'ability_invalid_input');
    const missing = await judge('editor', 999_999, 'spam');
    assert.deepEqual([missing.status, missing.body.code], [404, 'rest_comment_invalid_id']);
    await judge('editor', id, 'trash');
    assert.deepEqual((await judge('editor', id, 'trash')).body.code, 'rest_already_trashed');
  });
});
