// Comments as they are found, changed, put aside and counted.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ContentTables, totalTopics } from '#site/content/tables.ts';
import { type TotalsTables, totalsOf } from '#site/platform/totals.ts';
import type { Store } from '#store/store.ts';
import { eachEngine } from '#test/databases.ts';
import { aTalk, comments, ids, outcome } from '#test/talk.ts';

eachEngine('comments that are there', async (engine) => {
  const { site, aPost, said } = await aTalk(engine);

  test('what is about something hidden is hidden, and not counted', async () => {
    const [open, secret] = [await aPost(), await aPost({ password: 'sesame' })];
    const shown = await said('editor', { post: open.id, content: 'Open' });
    const hidden = await said('editor', { post: secret.id, content: 'Hidden' });
    const { body, headers } = await site.get(`${comments}?include=${shown},${hidden}`);
    assert.deepEqual([body.map(({ id }: { id: number }) => id), headers.get('x-wp-total')], [[shown], '1']);
    const refused = [401, 'rest_cannot_read_post'];
    assert.deepEqual(outcome(await site.get(`${comments}/${hidden}`)), refused);
    assert.deepEqual(outcome(await site.get(`${comments}?post=${secret.id}`)), refused);
    assert.deepEqual(outcome(await site.get(`${comments}?post=${secret.id}&password=wrong`)), refused);
    assert.deepEqual(ids(await site.get(`${comments}?post=${secret.id}&password=sesame`)), [hidden]);
    assert.equal((await site.get(`${comments}/${hidden}?password=sesame`)).status, 200);
    const draft = await aPost();
    const lost = await said('editor', { post: draft.id, content: 'Then a draft' });
    await site.app.services.content.posts.change(draft, { status: 'draft' }, { unfiltered: true });
    assert.deepEqual(outcome(await site.as('subscriber').get(`${comments}/${lost}`)), [403, 'rest_cannot_read_post']);
  });

  test('who writes filters by author, status and type among what they may see', async () => {
    const ada = await site.user({ login: 'ada-writes', roles: ['author'] });
    const { id: own } = (await site.asUser(ada).post('/api/core/v2/posts', { title: 'Own', status: 'publish' })).body;
    const { id: other } = await aPost();
    const by = { author_name: 'Zed', author_email: 'zed@zed.test' };
    const [onOwn, waiting] = [
      await said('editor', { post: own, content: 'On hers', ...by }),
      await said('editor', { post: own, content: 'Waits on hers', status: 'hold', ...by }),
    ];
    await said('editor', { post: other, content: 'Waits elsewhere', status: 'hold', ...by });
    const seen = await said('editor', { post: other, content: 'Seen elsewhere', ...by });
    const found = async (query: string) => {
      const answer = await site
        .asUser(ada)
        .get(`${comments}?orderby=id&order=asc&include=${onOwn},${waiting},${waiting + 1},${seen}&${query}`);
      assert.equal(answer.headers.get('x-wp-total'), String(answer.body.length), query);
      return ids(answer);
    };
    assert.deepEqual(await found('status=hold'), [waiting]);
    assert.deepEqual(await found('status=all'), [onOwn, waiting, seen]);
    assert.deepEqual(await found('type=all'), [onOwn, seen]);
    assert.deepEqual(await found('author_email=zed@zed.test'), [onOwn], 'not where the address is not shown');
  });

  test('lists are sorted, cut out and searched; addresses are searched by those who may see them', async () => {
    const { id: post } = await aPost();
    const [a, b] = [
      await said('editor', { post, content: 'Gooseberry pie', author_name: 'Zoë', author_email: 'hidden@zoe.test' }),
      await said('editor', { post, content: 'Gooseberries again', date: '2026-01-02T03:04:05' }),
    ];
    const c = await said('editor', { post, content: 'Plums', parent: a });
    const list = async (query: string, role?: string) =>
      ids(await (role === undefined ? site : site.as(role)).get(`${comments}?post=${post}&${query}`));
    assert.deepEqual(await list(''), [c, a, b]);
    assert.deepEqual(await list('order=asc'), [b, a, c]);
    assert.deepEqual(await list('orderby=id'), [c, b, a]);
    assert.deepEqual(await list(`orderby=include&include=${b},${c},${a}`), [b, c, a]);
    assert.deepEqual(await list('search=gooseberr'), [a, b]);
    assert.deepEqual(await list('search=zoe'), [a]);
    assert.deepEqual(await list('search=hidden@zoe'), []);
    assert.deepEqual(await list('search=hidden@zoe', 'editor'), [a]);
    assert.deepEqual(await list('author_email=HIDDEN@zoe.test', 'editor'), [a]);
    assert.deepEqual(await list(`parent=${a}`), [c]);
    assert.deepEqual(await list('parent_exclude=0'), [c]);
    assert.deepEqual(await list('before=2026-02-01T00:00:00'), [b]);
    assert.deepEqual(await list('after=2026-02-01T00:00:00'), [c, a]);
    assert.deepEqual(await list('status=all&per_page=1&page=3', 'editor'), [b]);
    assert.deepEqual(await list('status=nothing', 'editor'), []);
    const { headers } = await site.get(`${comments}?post=${post}&per_page=1`);
    assert.deepEqual([headers.get('x-wp-total'), headers.get('x-wp-totalpages')], ['3', '3']);
    const { body } = await site.get(`${comments}/${a}?_embed`);
    assert.equal(body._embedded.children[0][0].id, c);
    assert.equal(body.link, `${(await site.get(`/api/core/v2/posts/${post}`)).body.link}#comment-${a}`);
  });

  test('who looks after a record looks after what is said of it', async () => {
    const { id: author } = await site.caller('author');
    const [own, other] = [await aPost({ author }), await aPost()];
    const id = await said('subscriber', { post: own.id, content: 'Waiting' });
    const client = site.as('author');
    assert.equal((await client.get(`${comments}/${id}?context=edit`)).body.status, 'hold');
    assert.equal((await client.put(`${comments}/${id}`, { status: 'approved' })).body.status, 'approved');
    const put = async (changes: object) => outcome(await client.put(`${comments}/${id}`, changes));
    assert.deepEqual(await put({ author: 1 }), [403, 'rest_comment_invalid_author']);
    assert.deepEqual(await put({ author_ip: '192.0.2.1' }), [403, 'rest_comment_invalid_author_ip']);
    assert.deepEqual(await put({ post: other.id }), [403, 'rest_cannot_edit']);
    assert.deepEqual(await put({ post: 999_999 }), [403, 'rest_comment_invalid_post_id']);
    assert.deepEqual(await put({ type: 'pingback' }), [404, 'rest_comment_invalid_type']);
    assert.deepEqual(await put({ parent: id }), [400, 'rest_invalid_param']);
    assert.equal((await client.delete(`${comments}/${id}?force=true`)).body.deleted, true);
    assert.deepEqual(outcome(await client.get(`${comments}/${id}`)), [404, 'rest_comment_invalid_id']);
  });

  test('what is put aside remembers what it was', async () => {
    const { id: post } = await aPost();
    const id = await said('editor', { post, content: 'To and fro' });
    const editor = site.as('editor');
    const after = async (status: string) => (await editor.post(`${comments}/${id}`, { status })).body.status;
    const seen = async () => (await site.get(`${comments}?post=${post}`)).body.length;
    for (const [status, expected, shown] of [
      ['0', 'hold', 0],
      ['1', 'approved', 1],
      ['spam', 'spam', 0],
      ['untrash', 'spam', 0],
      ['unspam', 'approved', 1],
      ['nope', 'approved', 1],
      ['trash', 'trash', 0],
      ['untrash', 'approved', 1],
    ] as const)
      assert.deepEqual([await after(status), await seen()], [expected, shown], status);
    assert.equal((await editor.delete(`${comments}/${id}`)).body.status, 'trash');
    assert.deepEqual(outcome(await editor.delete(`${comments}/${id}`)), [410, 'rest_already_trashed']);
  });

  test('answers of what goes answer what it answered', async () => {
    const { id: post } = await aPost();
    const a = await said('editor', { post, content: 'A' });
    const b = await said('editor', { post, content: 'B', parent: a });
    const c = await said('editor', { post, content: 'C', parent: b });
    assert.deepEqual(outcome(await site.as('editor').put(`${comments}/${a}`, { parent: c })), [
      400,
      'rest_invalid_param',
    ]);
    await site.as('editor').delete(`${comments}/${b}?force=true`);
    assert.equal((await site.get(`${comments}/${c}`)).body.parent, a);
    assert.deepEqual(ids(await site.get(`${comments}?parent=${a}`)), [c]);
  });

  test('comments go into the trash with their record, come back with it, and go with it', async () => {
    const post = await aPost();
    const shown = await said('editor', { post: post.id, content: 'Shown' });
    const waiting = await said('subscriber', { post: post.id, content: 'Waiting' });
    const { posts } = site.app.services.content;
    const editor = site.as('editor');
    const statuses = async () =>
      Promise.all([shown, waiting].map(async (id) => (await editor.get(`${comments}/${id}`)).body.status));
    const totals = async () => (await site.get(`${comments}?post=${post.id}&per_page=1`)).headers.get('x-wp-total');
    const trashed = await posts.trash(post, {});
    assert.deepEqual(await statuses(), ['post-trashed', 'post-trashed']);
    await posts.change(trashed, { status: 'publish' }, { unfiltered: true });
    assert.deepEqual(await statuses(), ['approved', 'hold']);
    assert.equal(await totals(), '1');
    await posts.erase(post, {});
    assert.deepEqual(outcome(await editor.get(`${comments}/${shown}`)), [404, 'rest_comment_invalid_id']);
    const { db }: Store<ContentTables & TotalsTables> = site.app.services.store;
    for (const [table, column] of [
      ['comments', 'id'],
      ['comments_search', 'rowid'],
    ] as const)
      assert.deepEqual(await db.selectFrom(table).select(column).where(column, 'in', [shown, waiting]).execute(), []);
    assert.deepEqual(
      await db.selectFrom('totals').select('key').where('key', 'like', `${post.id}/comment/%`).execute(),
      [],
    );
  });

  test('what is counted as it comes and goes is what there is', async () => {
    const { db }: Store<ContentTables & TotalsTables> = site.app.services.store;
    const rows = await db
      .selectFrom('comments')
      .select(['type', 'status', (row) => row.fn.countAll<number>().as('total')])
      .groupBy(['type', 'status'])
      .execute();
    const counted = await totalsOf(db, totalTopics.comments);
    const there = Object.fromEntries(rows.map(({ type, status, total }) => [`${type}/${status}`, Number(total)]));
    assert.deepEqual(Object.fromEntries(Object.entries(counted).filter(([, total]) => total !== 0)), there);
  });
});
