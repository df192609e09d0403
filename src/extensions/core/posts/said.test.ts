import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachEngine } from '#test/databases.ts';
import { aSite } from '#test/site.ts';

const api = '/api/core/v2';

/** Each says all that is wrong with the ones after it as well. */
const faults: readonly (readonly [object, string])[] = [
  [{ author: 999 }, 'rest_invalid_author'],
  [{ sticky: true, password: 'x' }, 'rest_invalid_field'],
  [{ title: '', content: '', excerpt: '' }, 'empty_content'],
  [{ title: 'A title', template: 'nowhere' }, 'rest_invalid_param'],
  [{ title: 'A title', meta: { footnotes: 5 } }, 'rest_invalid_type'],
];

const wrongs = faults.map(([, code], at) => {
  const said = faults.slice(at).map(([one]) => one);
  return [Object.assign({}, ...said.reverse()), code] as const;
});

eachEngine('what is wrong with a record', (engine) => {
  test('is said in one order, and leaves nothing behind', async () => {
    const editor = (await aSite(engine)).as('editor');
    const { id } = (await editor.post(`${api}/posts`, { title: 'As it was' })).body;
    const before = (await editor.get(`${api}/posts/${id}?context=edit`)).text;
    for (const [said, code] of wrongs)
      for (const path of [`${api}/posts`, `${api}/posts/${id}`]) {
        const { status, body } = await editor.post(path, said);
        assert.deepEqual([status, body.code], [400, code], path);
      }
    assert.equal((await editor.get(`${api}/posts/${id}?context=edit`)).text, before);
    assert.equal((await editor.get(`${api}/posts?status=any`)).headers.get('x-wp-total'), '1');
  });

  test('is said of who may not before it is said of what is wrong', async () => {
    const site = await aSite(engine);
    const { id: editor } = await site.caller('editor');
    const wishes = [
      [{ author: editor }, 'rest_cannot_edit_others'],
      [{ sticky: true }, 'rest_cannot_assign_sticky'],
      [{ status: 'publish' }, 'rest_cannot_publish'],
      [{ title: '' }, 'empty_content'],
    ] as const;
    for (const [at, [, code]] of wishes.entries()) {
      const said = Object.assign({ title: '' }, ...wishes.slice(at).map(([one]) => one));
      const { status, body } = await site.as('contributor').post(`${api}/posts`, said);
      assert.deepEqual([status, body.code], [code === 'empty_content' ? 400 : 403, code]);
    }
  });
});
