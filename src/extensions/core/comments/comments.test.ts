// Who may say what, what is refused and by which name, and what becomes of what was said.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachEngine } from '#test/databases.ts';
import { checkRows } from '#test/rows.ts';
import { aTalk, comments, outcome } from '#test/talk.ts';

const roles = ['administrator', 'editor', 'parish_admin', 'author', 'organizer', 'contributor', 'subscriber'];
const looksAfter = ['administrator', 'editor', 'parish_admin'];
const writes = [...looksAfter, 'author', 'organizer', 'contributor'];

eachEngine('comments, from outside', async (engine) => {
  const { site, clock, aPost, say, said, set } = await aTalk(engine);
  const known = roles.filter((role) => role in site.config.deployment.roles);

  test('are read, written and moderated by each role as far as it may', () =>
    checkRows(known, async (role) => {
      const moderates = looksAfter.includes(role);
      const may = <T>(allowed: T, code: string) => (moderates ? allowed : [403, code]);
      const { id: post } = await aPost();
      const client = site.as(role);
      const first = await say(role, { post, content: `By ${role}` });
      assert.deepEqual([first.status, first.body.status], [201, moderates ? 'approved' : 'hold']);
      assert.equal('author_email' in first.body, moderates);
      const one = `${comments}/${await said('administrator', { post, content: `For ${role}` })}`;
      assert.equal((await client.get(one)).status, 200);
      const fine = [200, undefined];
      assert.deepEqual(outcome(await client.get(`${one}?context=edit`)), may(fine, 'rest_forbidden_context'));
      assert.deepEqual(outcome(await client.get(`${comments}?context=edit`)), may(fine, 'rest_forbidden_context'));
      const filtered = writes.includes(role) ? fine : [403, 'rest_forbidden_param'];
      for (const query of ['author=1', 'author_exclude=1', 'author_email=a@b.test', 'status=hold', 'type=all'])
        assert.deepEqual(outcome(await client.get(`${comments}?${query}`)), filtered, query);
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
    }));

  test('what is wrong with a comment is told by name', async () => {
    const { id: post } = await aPost();
    const elsewhere = await said('administrator', { post: (await aPost()).id, content: 'Elsewhere' });
    for (const [about, expected] of [
      [{ post: 0 }, [403, 'rest_comment_invalid_post_id']],
      [{ post: 999_999 }, [403, 'rest_comment_invalid_post_id']],
      [{ post: (await aPost({ status: 'draft' })).id }, [403, 'rest_comment_draft_post']],
      [{ post: (await aPost({ status: 'private' })).id }, [403, 'rest_cannot_read_post']],
      [{ post: (await aPost({ password: 'sesame' })).id }, [403, 'rest_cannot_read_post']],
      [{ post: (await aPost({ comment_status: 'closed' })).id }, [403, 'rest_comment_closed']],
      [{ post: (await aPost({}, 'wp_navigation')).id }, [403, 'rest_comment_not_supported_post_type']],
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
    const trashed = await aPost();
    await site.app.services.content.posts.trash(trashed, {});
    assert.deepEqual(outcome(await say('administrator', { post: trashed.id, content: 'x' })), [
      403,
      'rest_comment_trash_post',
    ]);
    assert.deepEqual((await site.get(`${comments}?post=${post}`)).body, []);
  });

  test('people without an account may speak where the site says so, by name and address', async () => {
    const { id: post } = await aPost();
    const anonymous = async (about: object) => {
      clock.pass(60_000);
      return site.post(comments, { post, content: 'From outside', ...about });
    };
    const named = { author_name: '<b>Ada</b>', author_email: 'ada@example.test', author_url: 'http://ada.test/' };
    assert.deepEqual(outcome(await anonymous(named)), [401, 'rest_comment_login_required']);
    await set({ anonymous_rest_comments: true });
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
    await set({ anonymous_rest_comments: null, require_name_email: null });
  });

  test('the same is said once, and nobody says much at once', async () => {
    const { id: post } = await aPost();
    const subscriber = site.as('subscriber');
    clock.pass(60_000);
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
    const { id: post } = await aPost({ author });
    const statusOf = async (role: string, content: string) => (await say(role, { post, content })).body.status;
    assert.equal(await statusOf('author', 'On my own'), 'approved');
    assert.equal(await statusOf('contributor', 'The first'), 'hold');
    const { id } = (await site.as('contributor').get(`${comments}?post=${post}`)).body[0];
    assert.ok(id);
    await set({ comment_previously_approved: false });
    assert.equal(await statusOf('contributor', 'The second'), 'approved');
    assert.equal(await statusOf('contributor', 'See http://a.test and <a href="http://b.test">b</a>'), 'hold');
    await set({ moderation_words: 'perhaps\nnever', disallowed_words: 'Casino' });
    assert.equal(await statusOf('contributor', 'Perhaps so'), 'hold');
    const aside = await say('contributor', { post, content: 'A ca<b></b>sino' });
    assert.deepEqual([aside.status, aside.body.status], [201, 'trash']);
    await set({ comment_moderation: true });
    assert.equal(await statusOf('contributor', 'All wait'), 'hold');
    await set({
      comment_moderation: null,
      comment_previously_approved: null,
      moderation_words: null,
      disallowed_words: null,
    });
  });

  test('comments close by themselves where the site says so', async () => {
    const { id: post } = await aPost({ date_gmt: '2026-11-01T00:00:00' });
    await set({ close_comments_after_days: 7 });
    assert.deepEqual(outcome(await say('editor', { post, content: 'Late' })), [403, 'rest_comment_closed']);
    await set({ close_comments_after_days: null });
    assert.equal((await say('editor', { post, content: 'Late' })).status, 201);
  });

  test('what may not be written is taken out, and links are vouched for by nobody', async () => {
    const { id: post } = await aPost();
    const content = '<script>x</script><a href="http://a.test" onclick="y">a</a> <em>b</em><h1>c</h1>';
    const { body } = await say('subscriber', { post, content });
    assert.match(body.content.rendered, /<a href="http:\/\/a.test" rel="nofollow ugc">a<\/a> <em>b<\/em>c/);
    assert.doesNotMatch(body.content.rendered, /script|onclick|h1/);
    const free = await say('administrator', { post, content: '<h2>x</h2><a href="http://a.test" rel="me">a</a>' });
    assert.equal(free.body.content.raw, '<h2>x</h2><a href="http://a.test" rel="me nofollow ugc">a</a>');
  });
});
