// Many people who comment without an account, from here and there, and what their comments become in other hands.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachEngine } from '#test/databases.ts';
import { aTalk, comments, ids, outcome } from '#test/talk.ts';

eachEngine('comments of a crowd', async (engine) => {
  const { site, clock, aPost, said, set } = await aTalk(engine, { env: { GATEHOUSE_TRUST_PROXY: '127.0.0.1' } });
  await set({ anonymous_rest_comments: true, comment_previously_approved: false });
  const editor = site.as('editor');
  const from = (address: string, about: object) =>
    site.post(comments, about, { 'X-Forwarded-For': address, 'User-Agent': `Browser of ${address}` });
  const person = (name: string) => ({ author_name: name, author_email: `${name}@crowd.test` });

  test('speak at once from everywhere, and not twice from one place or under one address', async () => {
    const { id: post } = await aPost();
    clock.pass(60_000);
    const flood = [400, 'comment_flood'];
    assert.equal((await from('192.0.2.1', { post, content: 'A', ...person('ada') })).status, 201);
    assert.deepEqual(outcome(await from('192.0.2.1', { post, content: 'B', ...person('bell') })), flood);
    assert.deepEqual(outcome(await from('192.0.2.2', { post, content: 'B', ...person('ada') })), flood);
    const shouted = { author_name: 'Ada', author_email: 'ADA@crowd.test' };
    assert.deepEqual(outcome(await from('192.0.2.2', { post, content: 'B', ...shouted })), flood);
    assert.equal((await from('192.0.2.2', { post, content: 'B', ...person('bell') })).status, 201);
    // People with an account at the same place are told apart by it.
    for (const role of ['subscriber', 'contributor']) {
      const headers = { 'X-Forwarded-For': '192.0.2.9', ...(await site.credentials(role)) };
      assert.equal((await site.post(comments, { post, content: role }, headers)).status, 201);
    }
    clock.pass(15_000);
    assert.equal((await from('192.0.2.1', { post, content: 'C', ...person('ada') })).status, 201);
  });

  test('say a thing once each, under whatever of their names', async () => {
    const { id: post } = await aPost();
    const say = (address: string, about: object) => {
      clock.pass(60_000);
      return from(address, { post, content: 'The same', ...about });
    };
    const twice = [409, 'comment_duplicate'];
    const { body } = await say('192.0.2.1', person('ada'));
    assert.deepEqual(outcome(await say('192.0.2.3', person('ada'))), twice);
    assert.deepEqual(outcome(await say('192.0.2.3', { ...person('bell'), author_email: 'Ada@crowd.test' })), twice);
    assert.deepEqual(outcome(await say('192.0.2.3', { ...person('bell'), author_name: 'ada' })), twice);
    assert.equal((await say('192.0.2.3', person('bell'))).status, 201);
    assert.equal((await say('192.0.2.1', { ...person('ada'), parent: body.id })).status, 201);
    await editor.put(`${comments}/${body.id}`, { status: 'spam' });
    assert.deepEqual(outcome(await say('192.0.2.1', person('ada'))), twice);
    await editor.delete(`${comments}/${body.id}`);
    assert.equal((await say('192.0.2.1', person('ada'))).status, 201);
  });

  test('twenty who say the same at once say it once', async () => {
    const { id: post } = await aPost();
    clock.pass(60_000);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) => from(`192.0.2.${at}`, { post, content: 'Same', ...person('carol') })),
    );
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, ...Array<number>(19).fill(409)]);
    assert.equal((await site.get(`${comments}?post=${post}`)).headers.get('x-wp-total'), '1');
  });

  test('are traced by those who look after comments, and by nobody else', async () => {
    const { id: post } = await aPost();
    clock.pass(60_000);
    const { body } = await from('192.0.2.77', { post, content: 'Traced', ...person('dora') });
    for (const secret of ['author_email', 'author_ip', 'author_user_agent']) assert.equal(secret in body, false);
    assert.doesNotMatch((await site.get(`${comments}/${body.id}`)).text, /192\.0\.2|dora@|Browser of/);
    assert.doesNotMatch((await site.as('subscriber').get(`${comments}?post=${post}`)).text, /192\.0\.2|dora@|Browser/);
    const kept = (await editor.get(`${comments}/${body.id}?context=edit`)).body;
    assert.deepEqual(
      [kept.author_ip, kept.author_user_agent, kept.author_email],
      ['192.0.2.77', 'Browser of 192.0.2.77', 'dora@crowd.test'],
    );
    assert.deepEqual(ids(await editor.get(`${comments}?search=192.0.2.77`)), [body.id]);
    assert.deepEqual(ids(await site.get(`${comments}?search=192.0.2.77`)), []);
  });

  test('change hands: words, names, dates and places, by those who look after them', async () => {
    const [here, there] = [await aPost(), await aPost()];
    const { id: ada } = await site.user({
      login: 'ada',
      email: 'ada@site.test',
      name: 'Ada L.',
      roles: ['subscriber'],
    });
    const first = await said('editor', { post: here.id, content: 'First' });
    const answer = await said('editor', { post: here.id, content: 'Answer', parent: first });
    const put = async (changes: object) => (await editor.put(`${comments}/${first}`, changes)).body;
    const mine = await put({ author: ada });
    assert.deepEqual([mine.author, mine.author_name, mine.author_email], [ada, 'Ada L.', 'ada@site.test']);
    const moved = await put({
      post: there.id,
      date: '2026-01-02T03:04:05',
      author_ip: '2001:db8::1',
      author_name: 'A.',
    });
    assert.deepEqual(
      [moved.post, moved.date, moved.author_ip, moved.author_name, moved.author],
      [there.id, '2026-01-02T03:04:05', '2001:db8::1', 'A.', ada],
    );
    assert.equal((await site.get(`${comments}/${answer}`)).body.parent, 0);
    for (const [post, total] of [
      [here, '1'],
      [there, '1'],
    ] as const)
      assert.equal((await site.get(`${comments}?post=${post.id}&per_page=1`)).headers.get('x-wp-total'), total);
    for (const [changes, expected] of [
      [{ post: 999_999 }, [403, 'rest_comment_invalid_post_id']],
      [{ parent: answer }, [400, 'rest_invalid_param']],
      [{ author: 999_999 }, [400, 'rest_comment_author_invalid']],
      [{ author_email: 'nope' }, [400, 'rest_invalid_param']],
      [{ author_ip: 'nope' }, [400, 'rest_invalid_param']],
      [{ content: ' ' }, [400, 'rest_comment_content_invalid']],
      [{ date: '2026-02-30' }, [400, 'rest_invalid_param']],
    ] as const)
      assert.deepEqual(outcome(await editor.put(`${comments}/${first}`, changes)), expected, JSON.stringify(changes));
    assert.equal((await site.get(`${comments}/${first}`)).body.content.rendered, '<p>First</p>\n');
  });
});
