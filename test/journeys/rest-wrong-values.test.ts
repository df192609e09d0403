// A value that cannot be meant is refused by name, in a sentence that says what to send.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachEngine } from '#test/databases.ts';
import { aPaper, linksIn, neutral, upload } from '#test/paper.ts';
import type { Answer } from '#test/site.ts';

const refused = ({ status, body }: Answer): unknown[] => [
  status,
  body?.code,
  Object.keys(body?.data?.params ?? {}).sort(),
];

eachEngine('A wrong value', async (engine) => {
  const site = await aPaper(engine);
  const { made, editor } = site;

  test('is a day that the month does not have', async () => {
    const post = await made(`${neutral}/posts`, { title: 'One', status: 'publish', comment_status: 'open' });
    const comment = await made(`${neutral}/comments`, { post: post.id, content: 'Said' });
    for (const day of ['2026-02-31T10:00:00', '2026-04-31T10:00:00Z', '2025-02-29T00:00:00', '1900-02-29T00:00:00']) {
      for (const name of ['date', 'date_gmt']) {
        const wrong = [400, 'rest_invalid_param', [name]];
        assert.deepEqual(refused(await editor.post(`${neutral}/posts`, { title: 'x', [name]: day })), wrong, day);
        assert.deepEqual(refused(await editor.post(`${neutral}/posts/${post.id}`, { [name]: day })), wrong, day);
        assert.deepEqual(refused(await editor.post(`${neutral}/comments/${comment.id}`, { [name]: day })), wrong, day);
      }
      for (const list of ['posts', 'pages', 'media', 'comments'])
        for (const name of ['after', 'before'])
          assert.deepEqual(refused(await editor.get(`${neutral}/${list}?${name}=${day}`)), [
            400,
            'rest_invalid_param',
            [name],
          ]);
    }
    for (const day of ['2024-02-29T00:00:00', '2000-02-29T00:00:00'])
      assert.equal((await editor.post(`${neutral}/posts/${post.id}`, { date: day })).body.date, day);
  });

  test('is a term that does not exist', async () => {
    const { id } = await made(`${neutral}/categories`, { name: 'There' });
    const { body: tag } = await editor.post(`${neutral}/tags`, { name: 'A tag' });
    const sent = { title: 'x', categories: [id, 99_999], tags: [id] };
    const wrong = [400, 'rest_invalid_param', ['categories', 'tags']];
    const answer = await editor.post(`${neutral}/posts`, sent);
    assert.deepEqual(refused(answer), wrong, 'a category is not a tag');
    assert.match(answer.body.message, /99999/);
    const post = await made(`${neutral}/posts`, { title: 'x', categories: [id], tags: [tag.id, tag.id] });
    assert.deepEqual([post.categories, post.tags], [[id], [tag.id]]);
    assert.deepEqual(refused(await editor.put(`${neutral}/posts/${post.id}`, sent)), wrong);
    assert.deepEqual((await editor.get(`${neutral}/posts/${post.id}`)).body.categories, [id]);
    assert.deepEqual((await editor.put(`${neutral}/posts/${post.id}`, { tags: [] })).body.tags, []);
  });

  test('is meta of a comment that is not an object, named together with all that is wrong', async () => {
    const post = await made(`${neutral}/posts`, { title: 'One', status: 'publish', comment_status: 'open' });
    const said = { post: post.id, content: 'Said' };
    const { id } = await made(`${neutral}/comments`, { ...said, meta: {} });
    for (const meta of ['plain', 5, true])
      assert.deepEqual(refused(await editor.post(`${neutral}/comments/${id}`, { meta })), [
        400,
        'rest_invalid_param',
        ['meta'],
      ]);
    const both = [400, 'rest_invalid_param', ['meta', 'parent']];
    assert.deepEqual(refused(await editor.post(`${neutral}/comments`, { ...said, meta: 'plain', parent: 'x' })), both);
    const { body: file } = await upload(editor, `${neutral}/media`, 'a.txt', 'Words');
    const { body } = await editor.post(`${neutral}/media/${file.id}`, { meta: 'plain', post: 'x', status: 'nonsense' });
    assert.deepEqual(Object.keys(body.data.params).sort(), ['meta', 'post', 'status']);
  });

  test('is a kind of term where records are searched: posts are found', async () => {
    const { body: post } = await editor.post(`${neutral}/posts`, { title: 'Meadow', status: 'publish' });
    await editor.post(`${neutral}/pages`, { title: 'Meadow', status: 'publish' });
    for (const subtype of ['category', 'post_tag']) {
      const { status, body } = await site.get(`${neutral}/search?search=Meadow&subtype=${subtype}`);
      assert.deepEqual([status, body.map(({ id }: { id: number }) => id)], [200, [post.id]], subtype);
    }
    assert.equal((await site.get(`${neutral}/search?subtype=category&type=term`)).status, 200);
    assert.deepEqual(refused(await site.get(`${neutral}/search?subtype=nonsense`)), [
      400,
      'rest_invalid_param',
      ['subtype'],
    ]);
  });

  test('is JSON without its content type, which the answer names', async () => {
    const body = JSON.stringify({ title: 'Hello' });
    for (const type of ['application/x-www-form-urlencoded', 'text/plain']) {
      const answer = await editor.post(`${neutral}/posts`, Buffer.from(body), { 'content-type': type });
      assert.deepEqual([answer.status, answer.body.code], [400, 'empty_content'], type);
      assert.match(answer.body.message, /Content-Type: application\/json/, type);
      const user = await site.as('administrator').post(`${neutral}/users`, Buffer.from(body), { 'content-type': type });
      assert.deepEqual([user.status, user.body.code], [400, 'rest_missing_callback_param'], type);
      assert.match(user.body.message, /Content-Type: application\/json/, type);
    }
    const unread = { 'content-type': 'text/plain' };
    const { body: post } = await editor.post(`${neutral}/posts`, { title: 'Hello', status: 'publish' });
    const administrator = site.as('administrator');
    for (const [path, sent] of [
      [`posts/${post.id}`, { title: 'Changed' }],
      ['pages', { title: 'A page' }],
      ['settings', { title: 'A name' }],
    ] as const) {
      const answer = await administrator.post(`${neutral}/${path}`, Buffer.from(JSON.stringify(sent)), unread);
      assert.deepEqual([answer.status, answer.body.code], [400, 'empty_content'], path);
      assert.match(answer.body.message, /`Content-Type: application\/json`\. Send at least 1 field to save\.$/, path);
    }
    const said = Buffer.from(JSON.stringify({ post: post.id, content: 'Lovely.' }));
    const comment = await administrator.post(`${neutral}/comments`, said, unread);
    assert.deepEqual([comment.status, comment.body.code], [403, 'rest_comment_invalid_post_id']);
    assert.match(comment.body.message, /Content-Type: application\/json/);
    const { body: drafts } = await administrator.get(`${neutral}/pages?status=draft`);
    assert.deepEqual(drafts, [], 'no empty page is left behind');
    const empty = await administrator.post(`${neutral}/settings`, Buffer.from('{ }'), unread);
    assert.equal(empty.status, 200, 'nothing was sent that could be lost');
    const visitor = await site.post(`${neutral}/posts/${post.id}`, Buffer.from('{"title":"Mine"}'), unread);
    assert.deepEqual([visitor.status, visitor.body.code], [401, 'rest_cannot_edit']);
    const plain = await editor.post(`${neutral}/posts`, {});
    assert.doesNotMatch(plain.body.message, /Content-Type/);
  });

  test('is a bearer token: the answer says what is taken instead', async () => {
    const { status, body } = await site.get(`${neutral}/posts`, { authorization: 'Bearer abc' });
    assert.deepEqual([status, body.code], [401, 'incorrect_password']);
    assert.match(body.message, /application password/);
    assert.match(body.message, /session/);
  });

  test('is a page before the first: no link leads there', async () => {
    for (const path of [
      'comments?search=nobody-said-this',
      'categories?search=none',
      'users?search=nobody',
      'search?search=nothing-like-it',
    ]) {
      const { prev } = linksIn(await site.get(`${neutral}/${path}&page=3`));
      assert.equal(prev, undefined, path);
    }
    assert.match(linksIn(await site.get(`${neutral}/categories?page=3`)).prev!, /page=1$/);
  });

  test('is HTML in the description of a term that no comment may hold', async () => {
    const description = '<h2>Big</h2><img src="a.png"><em>Fine</em> <a href="https://a.test">link</a>';
    const { body } = await site.as('administrator').post(`${neutral}/categories`, { name: 'Described', description });
    assert.equal(body.description, 'Big<em>Fine</em> <a href="https://a.test">link</a>');
  });

  test('is no title of a file: its link shows the name of the file', async () => {
    const { body: file } = await upload(editor, `${neutral}/media`, 'report.txt', 'Words');
    const { body } = await editor.post(`${neutral}/media/${file.id}`, { title: '' });
    assert.match(body.description.rendered, />report(?:-\d+)?\.txt<\/a>/);
  });
});
