// What is decided about a comment is decided once more where it is written: by then its record can be closed, in the trash or another.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachEngine } from '#test/databases.ts';
import { aTalk, comments, outcome } from '#test/talk.ts';

eachEngine('comments, and what is decided about them', (engine) => {
  test('nothing is said about what was closed, or put into the trash, since it was asked whether it may be', async () => {
    const { site, aPost } = await aTalk(engine);
    const { content } = site.app.services;
    const speaker = (await site.caller('editor')).id;
    const itself = { speaker, address: '192.0.2.1', agent: '', unfiltered: true, trusted: true };
    for (const [change, code] of [
      ['closed', 'rest_comment_closed'],
      ['trashed', 'rest_comment_trash_post'],
    ] as const) {
      const post = await aPost();
      assert.equal(await content.comments.refusalOn(post), undefined);
      if (change === 'closed') await content.posts.change(post, { comment_status: 'closed' }, { unfiltered: true });
      else await content.posts.trash(post, {});
      await assert.rejects(content.comments.add({ post: post.id, content: 'Late' }, itself), { code });
      assert.deepEqual((await site.as('editor').get(`${comments}?post=${post.id}&status=all`)).body, [], change);
    }
  });

  test('a comment that was moved meanwhile is not changed by who looked after it where it was', async () => {
    const { site, aPost, said } = await aTalk(engine);
    const all = site.app.services.content.comments;
    const [from, to] = [await aPost(), await aPost()];
    const before = await all.get(await said('editor', { post: from.id, content: 'As it was' }));
    assert.equal((await site.as('editor').post(`${comments}/${before.id}`, { post: to.id })).status, 200);
    const itself = { unfiltered: true, trusted: true };
    const noSuch = { status: 404, code: 'rest_comment_invalid_id' };
    await assert.rejects(all.change(before, { content: 'Otherwise' }, itself), noSuch);
    await assert.rejects(all.trash(before, {}), noSuch);
    await assert.rejects(all.erase(before, {}), noSuch);
    const now = await all.get(before.id);
    assert.deepEqual([now.post_id, now.content, now.status], [to.id, before.content, 'approved']);
  });

  test('a password opens the comments of one record, never of two that are asked for at once', async () => {
    const { site, aPost, said } = await aTalk(engine);
    const [one, other] = [await aPost({ password: 'sesame' }), await aPost({ password: 'sesame' })];
    for (const { id } of [one, other]) await said('administrator', { post: id, content: `About ${id}` });
    const asked = (posts: string) => site.get(`${comments}?post=${posts}&password=sesame`);
    assert.equal((await asked(`${one.id}`)).body.length, 1);
    assert.deepEqual(outcome(await asked(`${one.id},${other.id}`)), [401, 'rest_cannot_read_post']);
  });

  test('pages stay open, however old they are', async () => {
    const { site, aPost, say, set } = await aTalk(engine);
    const date = { date_gmt: '2020-11-01T00:00:00' };
    const [post, page] = [await aPost(date), await aPost(date, 'page')];
    await set({ close_comments_after_days: 7 });
    assert.deepEqual(outcome(await say('editor', { post: post.id, content: 'Late' })), [403, 'rest_comment_closed']);
    assert.equal((await say('editor', { post: page.id, content: 'Never late' })).status, 201);
    assert.equal((await site.get(`${comments}?post=${page.id}`)).body.length, 1);
  });

  test('who was approved under one name waits under another, though the address is the same', async () => {
    const { site, clock, aPost, set } = await aTalk(engine);
    await set({ anonymous_rest_comments: true });
    const { id: post } = await aPost();
    const say = async (author_name: string, content: string) => {
      clock.pass(60_000);
      return (await site.post(comments, { post, content, author_name, author_email: 'ada@example.test' })).body;
    };
    const first = await say('Ada', 'The first');
    await site.as('editor').post(`${comments}/${first.id}`, { status: 'approve' });
    assert.equal((await say('Ada', 'The second')).status, 'approved');
    assert.equal((await say('The editor', 'The third')).status, 'hold');
  });
});
