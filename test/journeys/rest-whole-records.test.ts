// Clients read a record to edit it and send the whole of it back: that changes nothing, whatever the record is.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachEngine } from '#test/databases.ts';
import { aPaper, neutral, upload } from '#test/paper.ts';

/** What a write moves by itself. */
const unmoved = ({ modified: _, modified_gmt: __, _links: ___, ...record }: Record<string, unknown>) => record;

eachEngine('A whole record sent back', (engine) => {
  test('is taken, for every kind of record and in every status', async () => {
    const site = await aPaper(engine);
    const admin = site.as('administrator');
    const made = async (path: string, said: object): Promise<string> =>
      `${path}/${(await site.made(`${neutral}/${path}`, said, admin)).id}`;
    const post = await made('posts', { title: 'One', content: 'Words', status: 'publish', categories: [], tags: [] });
    const file = `media/${(await upload(admin, `${neutral}/media`, 'a.txt', 'Words')).body.id}`;
    const trashed = await made('posts', { title: 'Away', status: 'publish' });
    await admin.delete(`${neutral}/${trashed}`);
    const about = Number(post.split('/')[1]);
    const all = [
      post,
      file,
      trashed,
      await made('posts', { title: 'Draft', content: 'Words' }),
      await made('posts', { title: 'Later', status: 'future', date: '2031-01-01T00:00:00' }),
      await made('posts', { title: 'Closed', status: 'publish', password: 'sesame' }),
      await made('posts', { title: 'Private', status: 'private' }),
      await made('pages', { title: 'Page', status: 'publish' }),
      await made('pages', { title: 'Pending', status: 'pending' }),
      await made('blocks', { title: 'Block', content: 'Words', status: 'publish' }),
      await made('navigation', { title: 'Menu', content: 'Words', status: 'publish' }),
      await made('categories', { name: 'Kind & good', description: 'With <em>weight</em>' }),
      await made('tags', { name: 'Tag' }),
      await made('wp_pattern_category', { name: 'Pattern' }),
      await made('comments', { post: about, content: 'Said' }),
      await made('comments', { post: about, content: 'Waits', status: 'hold' }),
      `users/${(await site.user({ login: 'ada', roles: ['author'] })).id}`,
      'users/me',
      'settings',
    ];
    for (const path of all) {
      const before = await admin.get(`${neutral}/${path}?context=edit`);
      assert.equal(before.status, 200, path);
      const after = await admin.post(`${neutral}/${path}`, before.body);
      assert.equal(after.status, 200, `${path}: ${after.text}`);
      assert.deepEqual(unmoved(after.body), unmoved(before.body), path);
    }
  });

  test('keeps the status of a file, which may be said alone, too', async () => {
    const site = await aPaper(engine);
    const { body } = await upload(site.editor, `${neutral}/media`, 'a.txt', 'Words');
    const path = `${neutral}/media/${body.id}`;
    assert.equal((await site.editor.post(path, { status: 'inherit' })).body.status, 'inherit');
    assert.equal((await site.editor.post(path, { status: 'private' })).body.status, 'private');
    assert.equal((await site.editor.post(path, { status: 'private' })).body.status, 'private');
    assert.equal((await site.editor.post(path, { status: 'trash' })).body.code, 'rest_invalid_param');
    assert.equal((await site.editor.post(path, { status: 'nonsense' })).body.code, 'rest_invalid_param');
  });
});
