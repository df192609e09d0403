// Notes: what those who edit a record say to each other about it.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { eachEngine } from '#test/databases.ts';
import { outcome } from '#test/paper.ts';
import { type Made, makerOf, pathOf } from '#test/published.ts';
import { type Answer, aSite, type Client, type TestSite } from '#test/site.ts';

const comments = '/wp-json/wp/v2/comments';

const counted = ({ body, headers }: Answer): [ids: number[], total: string | null] => [
  body.map(({ id }: Made) => id),
  headers.get('x-wp-total'),
];

eachEngine('Notes', (engine) => {
  let site: TestSite;
  let make: ReturnType<typeof makerOf>;
  let [author, editor, other]: Client[] = [];
  let draft: Made;
  let post: Made;

  before(async () => {
    site = await aSite(engine);
    make = makerOf(site);
    [author, editor] = [site.as('author'), site.as('editor')];
    other = site.asUser(await site.user({ login: 'other', roles: ['author'] }));
    draft = await makerOf(site, author)('posts', { title: 'Draft', content: 'Words.', status: 'draft' });
    post = await make('posts', { title: 'Out', content: 'Words.', status: 'publish', comment_status: 'closed' });
  });

  const note = (by: Client, more: object) => by.post(comments, { type: 'note', content: 'Shorter?', ...more });
  const notesOn = (by: Client, id: number, more = '') =>
    by.get(`${comments}?post=${id}&type=note&status=all&per_page=100${more}`);

  test('are left on drafts and on closed records by those who edit them, again and again', async () => {
    const made = await note(author!, { post: draft.id, status: 'hold' });
    assert.equal(made.status, 201, made.text);
    const { type, status, content, meta } = made.body;
    assert.deepEqual([type, status, content.raw], ['note', 'hold', 'Shorter?']);
    assert.deepEqual(meta, { _wp_note_status: null });
    const again = await note(author!, { post: draft.id });
    assert.deepEqual([again.status, again.body.status], [201, 'approved'], 'the same words, at once');
    assert.equal((await note(editor!, { post: post.id, status: 'hold' })).status, 201);
  });

  test('are refused to others, and where there are none', async () => {
    for (const [by, more, expected] of [
      [site, { post: post.id }, [401, 'rest_comment_login_required']],
      [site.as('subscriber'), { post: post.id }, [403, 'rest_cannot_create_note']],
      [other!, { post: draft.id, status: 'hold' }, [403, 'rest_cannot_create_note']],
      [author!, { post: draft.id, author: 1 }, [403, 'rest_comment_invalid_author']],
      [editor!, { post: 99_999 }, [403, 'rest_comment_invalid_post_id']],
      [editor!, { post: draft.id, content: '' }, [400, 'rest_comment_content_invalid']],
      [editor!, { post: draft.id, type: 'memo' }, [403, 'rest_comment_draft_post']],
      [editor!, { post: draft.id, meta: { _wp_note_status: 'maybe' } }, [400, 'rest_invalid_param']],
      [editor!, { post: draft.id, meta: 'plain' }, [400, 'rest_invalid_param']],
    ] as const)
      assert.deepEqual(outcome(await note(by, more)), expected, JSON.stringify(more));
    const block = await make('blocks', { title: 'Pattern', content: 'x', status: 'publish' });
    const there = await note(editor!, { post: block.id });
    assert.deepEqual(outcome(there), [403, 'rest_comment_not_supported_post_type']);
    const gone = await make('posts', { title: 'Gone', status: 'publish' });
    await editor!.delete(`/wp-json/wp/v2/posts/${gone.id}`);
    assert.deepEqual(outcome(await note(editor!, { post: gone.id })), [403, 'rest_comment_trash_post']);
  });

  test('are taken as a form and in the address as they are in JSON', async () => {
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const ways = (by: Client, id: number, more = '') => [
      by.post(comments, Buffer.from(`type=note&post=${id}&content=Formed&${more}`), form),
      by.post(`${comments}?type=note&post=${id}&content=Formed&${more}`, {}),
    ];
    for (const sent of ways(author!, draft.id, 'meta[_wp_note_status]=resolved&status=hold')) {
      const { status, body, text } = await sent;
      assert.equal(status, 201, text);
      assert.deepEqual([body.type, body.status, body.meta], ['note', 'hold', { _wp_note_status: 'resolved' }]);
    }
    for (const sent of ways(other!, draft.id)) assert.deepEqual(outcome(await sent), [403, 'rest_cannot_create_note']);
    for (const type of ['', 'memo', 'comment']) {
      const answer = await author!.post(comments, Buffer.from(`type=${type}&post=${draft.id}&content=Formed`), form);
      assert.equal((await note(author!, { type, post: draft.id })).body.code, answer.body.code, type);
      assert.notEqual(answer.status, 201, type);
    }
  });

  test('are settled by an answer without words, and opened again', async () => {
    const { body: first } = await note(author!, { post: draft.id, content: 'Settle this', status: 'hold' });
    const settled = await author!.post(comments, {
      type: 'note',
      post: draft.id,
      parent: first.id,
      content: '',
      status: 'approved',
      meta: { _wp_note_status: 'resolved' },
    });
    assert.equal(settled.status, 201, settled.text);
    assert.deepEqual([settled.body.meta._wp_note_status, settled.body.content.raw], ['resolved', '']);
    const path = `${comments}/${settled.body.id}`;
    const opened = await author!.put(path, { meta: { _wp_note_status: 'reopen' } });
    assert.deepEqual([opened.status, opened.body.meta], [200, { _wp_note_status: 'reopen' }]);
    const whole = await author!.put(path, opened.body);
    assert.deepEqual([whole.status, whole.body.meta], [200, { _wp_note_status: 'reopen' }], whole.text);
    assert.equal((await author!.put(path, { meta: { _wp_note_status: null } })).body.meta._wp_note_status, null);
    assert.equal((await author!.put(`${comments}/${first.id}`, { status: 'approved' })).body.status, 'approved');
  });

  test('are read by those who edit the record and by their writers, in lists and by number', async () => {
    const mine = await makerOf(site, author!)('posts', { title: 'Mine', status: 'publish' });
    const { body: one } = await note(author!, { post: mine.id, status: 'hold' });
    const { body: two } = await note(editor!, { post: mine.id });
    for (const by of [author!, editor!, site.as('administrator')]) {
      assert.deepEqual(counted(await notesOn(by, mine.id, '&order=asc&orderby=id')), [[one.id, two.id], '2']);
      assert.equal((await notesOn(by, mine.id, '&context=edit')).body[0].content.raw, 'Shorter?');
      assert.equal((await by.get(`${comments}/${two.id}?context=edit`)).status, 200);
    }
    assert.deepEqual(counted(await notesOn(other!, mine.id)), [[], '0']);
    assert.deepEqual(counted(await other!.get(`${comments}?type=note&status=all`)), [[], '0']);
    assert.deepEqual(counted(await other!.get(`${comments}?type=all&search=Shorter`)), [[], '0']);
    assert.deepEqual(outcome(await notesOn(other!, mine.id, '&context=edit')), [403, 'rest_forbidden_context']);
    assert.deepEqual(outcome(await other!.get(`${comments}/${two.id}`)), [403, 'rest_cannot_read']);
    assert.deepEqual(outcome(await other!.put(`${comments}/${two.id}`, { content: 'x' })), [403, 'rest_cannot_edit']);
    assert.deepEqual(outcome(await other!.delete(`${comments}/${two.id}`)), [403, 'rest_cannot_delete']);
    for (const by of [site, site.as('subscriber')]) {
      assert.equal((await notesOn(by, mine.id)).body.code, 'rest_forbidden_param');
      assert.equal((await by.get(`${comments}/${two.id}`)).body.code, 'rest_cannot_read');
    }
  });

  test('stand on no page, in no feed and in no count of comments', async () => {
    const open = await make('posts', { title: 'Open', content: 'Text.', status: 'publish', comment_status: 'open' });
    const { body: said } = await editor!.post(comments, { post: open.id, content: 'In public' });
    const { body: hidden } = await note(editor!, { post: open.id, content: 'Quillfeather' });
    assert.deepEqual(counted(await site.get(`${comments}?post=${open.id}`)), [[said.id], '1']);
    assert.deepEqual(counted(await editor!.get(`${comments}?post=${open.id}`)), [[said.id], '1']);
    const path = pathOf(site, open.link);
    for (const address of [path, `${path}feed/`, `${path}embed/`, '/comments/feed/', '/'])
      assert.doesNotMatch((await site.get(address)).text, /Quillfeather|2 comments/, address);
    const embedded = (await site.get(`/wp-json/wp/v2/posts/${open.id}?_embed=replies`)).body._embedded;
    assert.deepEqual(
      embedded.replies[0].map(({ id }: Made) => id),
      [said.id],
    );
    const answer = { post: open.id, content: 'To a note', parent: hidden.id };
    assert.deepEqual(outcome(await site.as('subscriber').post(comments, answer)), [400, 'rest_invalid_param']);
    const below = await note(editor!, { post: open.id, parent: said.id });
    assert.deepEqual(outcome(below), [400, 'rest_invalid_param']);
  });

  test('go into the trash and away, and types say who takes them', async () => {
    const { body } = await note(editor!, { post: post.id, content: 'Away' });
    assert.equal((await editor!.delete(`${comments}/${body.id}`)).body.status, 'trash');
    assert.equal((await editor!.delete(`${comments}/${body.id}?force=true`)).body.deleted, true);
    const types = (await editor!.get('/wp-json/wp/v2/types?context=edit')).body;
    assert.deepEqual(
      [types.post, types.page].map(({ supports }) => supports.editor),
      [[{ notes: true }], [{ notes: true }]],
    );
    assert.equal(types.wp_block.supports.editor, true);
  });
});
