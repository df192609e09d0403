// Comments as they are asked for from outside: who may, what is refused and by which name, and what becomes of them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { discussionGroup } from '#site/content/comments/discussion.ts';
import type { Said } from '#site/content/posts/post.ts';
import { type ContentTables, totalTopics } from '#site/content/tables.ts';
import type { Changes } from '#site/settings/group.ts';
import { type TotalsTables, totalsOf } from '#site/totals.ts';
import type { Store } from '#store/store.ts';
import { eachEngine } from '#test/databases.ts';
import { testClock } from '#test/queue.ts';
import { type Answer, aSite, type TestSite } from '#test/site.ts';

const comments = '/api/core/v2/comments';
const minute = 60_000;

const outcome = ({ status, body }: Answer): unknown[] => [status, body.code];
const ids = ({ body }: Answer): number[] => body.map(({ id }: { id: number }) => id);

const roles = ['administrator', 'editor', 'parish_admin', 'author', 'organizer', 'contributor', 'subscriber'];
const looksAfter = ['administrator', 'editor', 'parish_admin'];

const set = (site: TestSite, changes: Changes<typeof discussionGroup.fields>) =>
  site.app.services.settings.change(discussionGroup, changes, 0);

async function aPost(site: TestSite, said: Said = {}, type = 'post') {
  const about = { title: 'A post', content: 'Words.', status: 'publish', comment_status: 'open', ...said };
  return site.app.services.content.posts.add(type, about, { unfiltered: true });
}

eachEngine('comments, from outside', async (engine) => {
  const clock = testClock();
  const site = await aSite(engine, { clock });
  const known = roles.filter((role) => role in site.config.deployment.roles);
  const say = async (role: string, said: object): Promise<Answer> => {
    clock.pass(minute);
    return site.as(role).post(comments, said);
  };
  const said = async (role: string, about: object): Promise<number> => {
    const { status, body, text } = await say(role, about);
    assert.equal(status, 201, text);
    return body.id;
  };

  for (const role of known) {
    const moderates = looksAfter.includes(role);
    const may = <T>(allowed: T, code: string) => (moderates ? allowed : [403, code]);

    test(`what ${role} may do with comments`, async () => {
      const { id: post } = await aPost(site);
      const client = site.as(role);
      const first = await say(role, { post, content: `By ${role}` });
      assert.deepEqual([first.status, first.body.status], [201, moderates ? 'approved' : 'hold']);
      assert.equal('author_email' in first.body, moderates);
      const one = `${comments}/${await said('administrator', { post, content: `For ${role}` })}`;
      assert.equal((await client.get(one)).status, 200);
      const fine = [200, undefined];
      assert.deepEqual(outcome(await client.get(`${one}?context=edit`)), may(fine, 'rest_forbidden_context'));
      assert.deepEqual(outcome(await client.get(`${comments}?context=edit`)), may(fine, 'rest_forbidden_context'));
      for (const query of ['author=1', 'author_exclude=1', 'author_email=a@b.test', 'status=hold', 'type=pingback'])
        assert.deepEqual(outcome(await client.get(`${comments}?${query}`)), may(fine, 'rest_forbidden_param'), query);
      assert.deepEqual(outcome(await client.get(`${comments}?post=0`)), may(fine, 'rest_cannot_read'));
      assert.deepEqual(outcome(await client.put(one, { content: 'other' })), may(fine, 'rest_cannot_edit'));
      assert.deepEqual(outcome(await client.put(one, { status: 'hold' })), may(fine, 'rest_cannot_edit'));
      assert.deepEqual(outcome(await client.delete(one)), may(fine, 'rest_cannot_delete'));
      assert.deepEqual(outcome(await client.delete(`${one}?force=true`)), may(fine, 'rest_cannot_delete'));
      const made = [201, undefined];
      for (const [wish, code] of [
        [{ author: 1 }, 'rest_comment_invalid_author'],
        [{ author_ip: '192.0.2.77' }, 'rest_comment_invalid_author_ip'],
        [{ status: 'approve' }, 'rest_comment_invalid_status'],
      ] as const)
        assert.deepEqual(outcome(await say(role, { post, content: code, ...wish })), may(made, code));
    });
  }

  test('what is wrong with a comment is told by name', async () => {
    const { id: post } = await aPost(site);
    const elsewhere = await said('administrator', { post: (await aPost(site)).id, content: 'Elsewhere' });
    for (const [about, expected] of [
      [{ post: 0 }, [403, 'rest_comment_invalid_post_id']],
      [{ post: 999_999 }, [403, 'rest_comment_invalid_post_id']],
      [{ post: (await aPost(site, { status: 'draft' })).id }, [403, 'rest_comment_draft_post']],
      [{ post: (await aPost(site, { status: 'private' })).id }, [403, 'rest_cannot_read_post']],
      [{ post: (await aPost(site, { password: 'sesame' })).id }, [403, 'rest_cannot_read_post']],
      [{ post: (await aPost(site, { comment_status: 'closed' })).id }, [403, 'rest_comment_closed']],
      [{ post: (await aPost(site, {}, 'wp_navigation')).id }, [403, 'rest_comment_not_supported_post_type']],
      [{ id: 7 }, [400, 'rest_comment_exists']],
      [{ type: 'pingback' }, [400, 'rest_invalid_comment_type']],
      [{ content: '  \n ' }, [400, 'rest_comment_content_invalid']],
      [{ content: { raw: '' } }, [400, 'rest_comment_content_invalid']],
      [{ content: 'x'.repeat(65_526) }, [400, 'comment_content_column_length']],
      [{ author_name: 'x'.repeat(246) }, [400, 'comment_author_column_length']],
      [{ author_email: `${'x'.repeat(60)}@${'y'.repeat(40)}.test` }, [400, 'comment_author_email_column_length']],
      [{ author_url: `http://${'x'.repeat(200)}.test/` }, [400, 'comment_author_url_column_length']],
      [{ parent: 999_999 }, [400, 'rest_invalid_param']],
      [{ parent: elsewhere }, [400, 'rest_invalid_param']],
    ] as const)
      assert.deepEqual(
        outcome(await say('subscriber', { post, content: 'Words', ...about })),
        expected,
        JSON.stringify(about).slice(0, 80),
      );
    const trashed = await aPost(site);
    await site.app.services.content.posts.trash(trashed, {});
    assert.deepEqual(outcome(await say('administrator', { post: trashed.id, content: 'x' })), [
      403,
      'rest_comment_trash_post',
    ]);
    assert.deepEqual((await site.get(`${comments}?post=${post}`)).body, []);
  });

  test('people without an account may speak where the site says so, by name and address', async () => {
    const { id: post } = await aPost(site);
    const anonymous = async (about: object) => {
      clock.pass(minute);
      return site.post(comments, { post, content: 'From outside', ...about });
    };
    const named = { author_name: '<b>Ada</b>', author_email: 'ada@example.test', author_url: 'http://ada.test/' };
    assert.deepEqual(outcome(await anonymous(named)), [401, 'rest_comment_login_required']);
    await set(site, { anonymous_rest_comments: true });
    assert.deepEqual(outcome(await anonymous({})), [400, 'rest_comment_author_data_required']);
    assert.deepEqual(outcome(await anonymous({ ...named, author: 1 })), [401, 'rest_comment_invalid_author']);
    assert.deepEqual(outcome(await anonymous({ ...named, author_ip: '192.0.2.9' })), [
      401,
      'rest_comment_invalid_author_ip',
    ]);
    const { status, body } = await anonymous(named);
    assert.deepEqual([status, body.status, body.author, body.author_name], [201, 'hold', 0, 'Ada']);
    assert.equal('author_ip' in body, false);
    assert.deepEqual(outcome(await site.get(`${comments}/${body.id}`)), [401, 'rest_cannot_read']);
    const kept = (await site.as('editor').get(`${comments}/${body.id}?context=edit`)).body;
    assert.deepEqual([kept.author_email, kept.author_ip], ['ada@example.test', '127.0.0.1']);
    await site.as('editor').post(`${comments}/${body.id}`, { status: 'approve' });
    assert.equal((await anonymous({ ...named, content: 'Once more' })).body.status, 'approved');
    await set(site, { anonymous_rest_comments: null, require_name_email: null });
  });

  test('the same is said once, and nobody says much at once', async () => {
    const { id: post } = await aPost(site);
    const subscriber = site.as('subscriber');
    clock.pass(minute);
    const twice = { post, content: 'Said at once' };
    const answers = await Promise.all(Array.from({ length: 6 }, () => subscriber.post(comments, twice)));
    const statuses = answers.map(({ status }) => status).sort();
    assert.deepEqual(statuses, [201, 409, 409, 409, 409, 409]);
    assert.deepEqual(outcome(await subscriber.post(comments, { post, content: 'More' })), [400, 'comment_flood']);
    clock.pass(14_000);
    assert.deepEqual(outcome(await subscriber.post(comments, { post, content: 'More' })), [400, 'comment_flood']);
    clock.pass(1_000);
    const parallel = ['One', 'Two', 'Three'].map((content) => subscriber.post(comments, { post, content }));
    assert.deepEqual((await Promise.all(parallel)).map(({ status }) => status).sort(), [201, 400, 400]);
    const editor = site.as('editor');
    for (const content of ['a', 'b']) assert.equal((await editor.post(comments, { post, content })).status, 201);
    assert.deepEqual(outcome(await say('subscriber', twice)), [409, 'comment_duplicate']);
  });

  test('what waits, what is shown and what is put aside follows from who speaks and of what', async () => {
    const { id: author } = await site.caller('author');
    const { id: post } = await aPost(site, { author });
    const statusOf = async (role: string, content: string) => (await say(role, { post, content })).body.status;
    assert.equal(await statusOf('author', 'On my own'), 'approved');
    assert.equal(await statusOf('contributor', 'The first'), 'hold');
    const { id } = (await site.as('contributor').get(`${comments}?post=${post}`)).body[0];
    assert.ok(id);
    await set(site, { comment_previously_approved: false });
    assert.equal(await statusOf('contributor', 'The second'), 'approved');
    assert.equal(await statusOf('contributor', 'See http://a.test and <a href="http://b.test">b</a>'), 'hold');
    await set(site, { moderation_words: 'perhaps\nnever', disallowed_words: 'Casino' });
    assert.equal(await statusOf('contributor', 'Perhaps so'), 'hold');
    const aside = await say('contributor', { post, content: 'A ca<b></b>sino' });
    assert.deepEqual([aside.status, aside.body.status], [201, 'trash']);
    await set(site, { comment_moderation: true });
    assert.equal(await statusOf('contributor', 'All wait'), 'hold');
    await set(site, {
      comment_moderation: null,
      comment_previously_approved: null,
      moderation_words: null,
      disallowed_words: null,
    });
  });

  test('comments close by themselves where the site says so', async () => {
    const { id: post } = await aPost(site, { date_gmt: '2026-11-01T00:00:00' });
    await set(site, { close_comments_after_days: 7 });
    assert.deepEqual(outcome(await say('editor', { post, content: 'Late' })), [403, 'rest_comment_closed']);
    await set(site, { close_comments_after_days: null });
    assert.equal((await say('editor', { post, content: 'Late' })).status, 201);
  });

  test('what may not be written is taken out, and links are vouched for by nobody', async () => {
    const { id: post } = await aPost(site);
    const content = '<script>x</script><a href="http://a.test" onclick="y">a</a> <em>b</em><h1>c</h1>';
    const { body } = await say('subscriber', { post, content });
    assert.match(body.content.rendered, /<a href="http:\/\/a.test" rel="nofollow ugc">a<\/a> <em>b<\/em>c/);
    assert.doesNotMatch(body.content.rendered, /script|onclick|h1/);
    const free = await say('administrator', { post, content: '<h2>x</h2><a href="http://a.test" rel="me">a</a>' });
    assert.equal(free.body.content.raw, '<h2>x</h2><a href="http://a.test" rel="me nofollow ugc">a</a>');
  });

  test('what is about something hidden is hidden, and counted', async () => {
    const [open, secret] = [await aPost(site), await aPost(site, { password: 'sesame' })];
    const shown = await said('editor', { post: open.id, content: 'Open' });
    const hidden = await said('editor', { post: secret.id, content: 'Hidden' });
    const { body, headers } = await site.get(`${comments}?include=${shown},${hidden}`);
    assert.deepEqual([body.map(({ id }: { id: number }) => id), headers.get('x-wp-total')], [[shown], '2']);
    const refused = [401, 'rest_cannot_read_post'];
    assert.deepEqual(outcome(await site.get(`${comments}/${hidden}`)), refused);
    assert.deepEqual(outcome(await site.get(`${comments}?post=${secret.id}`)), refused);
    assert.deepEqual(outcome(await site.get(`${comments}?post=${secret.id}&password=wrong`)), refused);
    assert.deepEqual(ids(await site.get(`${comments}?post=${secret.id}&password=sesame`)), [hidden]);
    assert.equal((await site.get(`${comments}/${hidden}?password=sesame`)).status, 200);
    const draft = await aPost(site);
    const lost = await said('editor', { post: draft.id, content: 'Then a draft' });
    await site.app.services.content.posts.change(draft, { status: 'draft' }, { unfiltered: true });
    assert.deepEqual(outcome(await site.as('subscriber').get(`${comments}/${lost}`)), [403, 'rest_cannot_read_post']);
  });

  test('lists are sorted, cut out and searched; addresses are searched by those who may see them', async () => {
    const { id: post } = await aPost(site);
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
    const [own, other] = [await aPost(site, { author }), await aPost(site)];
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
    const { id: post } = await aPost(site);
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
    const { id: post } = await aPost(site);
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
    const post = await aPost(site);
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
