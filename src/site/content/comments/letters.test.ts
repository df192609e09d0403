import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { eachEngine } from '#test/databases.ts';
import { mailsOf } from '#test/mails.ts';
import { aTalk, comments } from '#test/talk.ts';

const quarter = 15 * 60_000;
type Talk = Awaited<ReturnType<typeof aTalk>>;

eachEngine('Letters about comments', (engine) => {
  let site: Talk['site'];
  let clock: Talk['clock'];
  let aPost: Talk['aPost'];
  let say: Talk['say'];
  let said: Talk['said'];
  let set: Talk['set'];
  const email = 'owner@site.test';
  before(async () => {
    ({ site, clock, aPost, say, said, set } = await aTalk(engine));
    const { settings, siteGroup } = site.app.services;
    await settings.change(siteGroup, { email }, 0);
  });
  let read = 0;

  /** What is written within the next quarter of an hour. */
  const letters = async () => {
    await mailsOf(site);
    clock.pass(quarter);
    await mailsOf(site);
    const all = await mailsOf(site);
    const unread = all.slice(read);
    read = all.length;
    return unread;
  };

  test('tell whoever runs the site of those that wait, several in one', async () => {
    const { id: post } = await aPost({ title: 'Tea &amp; <em>cake</em>' });
    const first = await said('subscriber', { post, content: 'A <b>word</b> &amp;\r\nanother' });
    await said('subscriber', { post, content: 'One more' });
    const [letter, ...others] = await letters();
    assert.deepEqual([letter?.to, others], [email, []]);
    assert.match(letter?.subject ?? '', /^\[.+\] Comments are waiting for approval$/);
    assert.match(
      letter?.text ?? '',
      /subscriber about "Tea & cake":\r?\n\r?\n> A word &\r?\n> another\r?\n\r?\nhttp:\S+/,
    );
    assert.match(
      letter?.text ?? '',
      new RegExp(`approve it in the app [^]*http://site\\.test${comments}/${first}\\s[^]*One more`),
    );
    assert.doesNotMatch(letter?.text ?? '', /[{}]/, 'no JSON');
  });

  test('leave out what somebody judged meanwhile, and are not sent when nothing is left', async () => {
    const { id: post } = await aPost();
    const waits = await said('subscriber', { post, content: 'Judged meanwhile' });
    await said('subscriber', { post, content: 'Still waits' });
    await site.as('editor').put(`${comments}/${waits}`, { status: 'spam' });
    const [letter, ...others] = await letters();
    assert.deepEqual(others, []);
    assert.match(letter?.text ?? '', /Still waits/);
    assert.doesNotMatch(letter?.text ?? '', /Judged meanwhile|\d more\./);
    const last = await said('subscriber', { post, content: 'Gone at once' });
    await site.as('editor').delete(`${comments}/${last}?force=true`);
    assert.deepEqual(await letters(), []);
  });

  test('tell the author of what is shown, at once or later, and nobody of their own words', async () => {
    const author = await site.user({ login: 'ada', email: 'ada@site.test', roles: ['author'] });
    const { id: post } = await aPost({ author: author.id });
    clock.pass(quarter);
    assert.equal((await site.asUser(author).post(comments, { post, content: 'My own' })).status, 201);
    assert.deepEqual(await letters(), []);
    await said('editor', { post, content: 'Shown at once' });
    const waits = await said('contributor', { post, content: 'Shown later' });
    const both = await letters();
    assert.deepEqual(both.map(({ to }) => to).sort(), [email, 'ada@site.test'].sort());
    const [told] = both.filter(({ to }) => to === 'ada@site.test');
    assert.match(told?.text ?? '', /> Shown at once/);
    assert.doesNotMatch(told?.text ?? '', /Shown later|@/);
    await site.as('editor').put(`${comments}/${waits}`, { status: 'approved' });
    await site.as('editor').put(`${comments}/${waits}`, { content: 'Shown later and changed' });
    const [later, ...others] = await letters();
    assert.deepEqual([later?.to, others], ['ada@site.test', []]);
    assert.equal(later?.text.match(/> Shown later/g)?.length, 1);
  });

  test('tell nobody of what was put aside, nor what nobody wants to be told', async () => {
    const author = await site.user({ login: 'bell', email: 'bell@site.test', roles: ['author'] });
    const { id: post } = await aPost({ author: author.id });
    await set({ disallowed_words: 'casino' });
    assert.equal((await say('subscriber', { post, content: 'casino' })).body.status, 'trash');
    assert.equal((await say('editor', { post, content: 'x', status: 'spam' })).body.status, 'spam');
    await set({ disallowed_words: null, moderation_notify: false, comments_notify: false });
    await said('subscriber', { post, content: 'Waits unseen' });
    await said('editor', { post, content: 'Shown untold' });
    assert.deepEqual(await letters(), []);
    await set({ moderation_notify: null, comments_notify: null });
  });

  test('hold the words of others as words', async () => {
    const { id: post } = await aPost();
    const evil = { author_name: 'Eve\u202e', author_email: 'eve@evil.test', author_url: '' };
    await set({ anonymous_rest_comments: true });
    clock.pass(quarter);
    const content = `Hello\n.\nSubject: x\n\nhttp://real.test\u2028\u202e<a href="http://evil.test">x</a> ${'y'.repeat(3_000)}`;
    assert.equal((await site.post(comments, { ...evil, post, content })).status, 201);
    const [letter] = await letters();
    assert.match(letter?.text ?? '', /Eve about/);
    assert.doesNotMatch(letter?.text ?? '', /[\u2028\u202e]|evil\.test|y{1001}/);
    for (const line of ['Hello', '.', 'Subject: x']) assert.ok(letter?.text.includes(`> ${line}`), line);
    await set({ anonymous_rest_comments: null });
  });
});
