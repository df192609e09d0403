import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachEngine } from '#test/databases.ts';
import { aSite } from '#test/site.ts';

const root = '/api/core/v2';

eachEngine('revisions and autosaves on the wire', (engine) => {
  test('each change of the text leaves what it made, and making a record leaves nothing', async () => {
    const site = await aSite(engine);
    const editor = site.as('editor');
    const { id } = (await editor.post(`${root}/posts`, { title: 'One', content: 'a', status: 'publish' })).body;
    const theirs = `${root}/posts/${id}/revisions`;
    assert.deepEqual((await editor.get(theirs)).body, []);
    for (const content of ['b', 'c']) await editor.post(`${root}/posts/${id}`, { content });
    await editor.post(`${root}/posts/${id}`, { comment_status: 'closed' });
    const { body } = await editor.get(`${theirs}?context=edit`);
    const raw = body.map((one: { content: { raw: string } }) => one.content.raw);
    assert.deepEqual(raw, ['c', 'b']);
    assert.equal(body[0].slug, `${id}-revision-v1`);
    const found = await editor.get(`${theirs}?search=B`);
    assert.deepEqual([found.body.length, found.headers.get('x-wp-total')], [1, '1']);
    assert.equal((await editor.get(`${theirs}?per_page=1&page=9`)).body.code, 'rest_revision_invalid_page_number');
    assert.equal((await editor.get(`${theirs}?offset=9`)).body.code, 'rest_revision_invalid_offset_number');
    assert.equal((await editor.get(`${theirs}/${body[0].id}`)).body.parent, id);
    assert.equal((await editor.delete(`${theirs}/${body[0].id}?force=true`)).body.code, 'rest_cannot_delete');
    const other = (await editor.post(`${root}/posts`, { title: 'Two' })).body.id;
    const wrong = await editor.get(`${root}/posts/${other}/revisions/${body[0].id}`);
    assert.deepEqual([wrong.status, wrong.body.code], [404, 'rest_revision_parent_id_mismatch']);
    assert.equal((await editor.get(`${root}/posts/999999/revisions`)).body.code, 'rest_post_invalid_parent');
    assert.equal((await editor.get(`${root}/pages/${id}/revisions`)).body.code, 'rest_post_invalid_parent');
    assert.equal((await editor.get(`${theirs}/999999`)).body.code, 'rest_post_invalid_id');
    assert.deepEqual([(await site.get(theirs)).status, (await site.as('author').get(theirs)).status], [401, 403]);
  });

  test('what is not saved is kept once for each writer, until they save', async () => {
    const site = await aSite(engine);
    const editor = site.as('editor');
    const admin = site.as('administrator');
    const { id } = (await editor.post(`${root}/posts`, { title: 'One', content: 'a', status: 'publish' })).body;
    const theirs = `${root}/posts/${id}/autosaves`;
    const first = (await editor.post(theirs, { content: 'b' })).body;
    assert.equal(first.slug, `${id}-autosave-v1`);
    assert.match(first.preview_link, /preview_id=\d+&preview_nonce=.*&preview=true$/);
    assert.equal((await editor.post(theirs, { content: 'c' })).body.id, first.id);
    assert.notEqual((await admin.post(theirs, { content: 'd' })).body.id, first.id);
    assert.equal((await editor.get(`${root}/posts/${id}?context=edit`)).body.content.raw, 'a');
    assert.equal((await editor.get(`${theirs}/${first.id}?context=edit`)).body.content.raw, 'c');
    assert.equal((await editor.get(theirs)).body.length, 2);
    await editor.post(`${root}/posts/${id}`, { content: 'e' });
    assert.equal((await editor.get(theirs)).body.length, 1);
    assert.equal((await editor.get(`${theirs}/${first.id}`)).body.code, 'rest_post_no_autosave');
    assert.equal((await site.as('author').post(theirs, { content: 'x' })).body.code, 'rest_cannot_edit');
  });

  test('one’s own draft is saved itself', async () => {
    const site = await aSite(engine);
    const author = site.as('author');
    const { id } = (await author.post(`${root}/posts`, { title: 'One', content: 'a' })).body;
    const { body } = await author.post(`${root}/posts/${id}/autosaves`, { content: 'b', status: 'publish' });
    assert.deepEqual([body.id, body.parent, body.date], [id, 0, null]);
    const now = (await author.get(`${root}/posts/${id}?context=edit`)).body;
    assert.deepEqual([now.content.raw, now.status], ['b', 'draft']);
  });
});
