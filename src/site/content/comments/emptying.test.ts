import assert from 'node:assert/strict';
import { test } from 'node:test';
import { day } from '#lib/spans.ts';
import type { ContentTables } from '#site/content/tables.ts';
import type { Store } from '#store/store.ts';
import { eachEngine } from '#test/databases.ts';
import { aSite } from '#test/site.ts';
import { aTalk, comments, ids, outcome } from '#test/talk.ts';

eachEngine('The trash of comments', (engine) => {
  test('is emptied of what lies there long enough, and of nothing else', async () => {
    const { site, clock, aPost, said } = await aTalk(engine);
    const editor = site.as('editor');
    const { id: post } = await aPost();
    const say = (content: string, more = {}) => said('editor', { post, content, ...more });
    const old = await say('Old');
    const answer = await say('Answers it', { parent: old });
    const [back, recent, spam] = [await say('Comes back'), await say('Recent'), await say('Spam')];
    for (const id of [old, back]) await editor.delete(`${comments}/${id}`);
    await editor.put(`${comments}/${spam}`, { status: 'spam' });
    await site.app.services.jobs.settled();
    clock.pass(10 * day);
    await editor.delete(`${comments}/${recent}`);
    await editor.put(`${comments}/${back}`, { status: 'untrash' });
    clock.pass(19.9 * day);
    await site.app.services.jobs.settled();
    assert.deepEqual(ids(await editor.get(`${comments}?status=trash&post=${post}`)), [recent, old]);
    clock.pass(0.2 * day);
    await site.app.services.jobs.settled();
    assert.deepEqual(ids(await editor.get(`${comments}?status=trash&post=${post}`)), [recent]);
    assert.deepEqual(ids(await editor.get(`${comments}?status=spam&post=${post}`)), [spam]);
    assert.deepEqual(ids(await editor.get(`${comments}?post=${post}&order=asc`)), [answer, back]);
    assert.equal((await site.get(`${comments}/${answer}`)).body.parent, 0);
    const { db }: Store<ContentTables> = site.app.services.store;
    assert.deepEqual(await db.selectFrom('comments_search').select('rowid').where('rowid', '=', old).execute(), []);
    clock.pass(10 * day);
    await site.app.services.jobs.settled();
    assert.deepEqual(ids(await editor.get(`${comments}?status=trash&post=${post}`)), []);
  });

  test('is none where the site has none: what is deleted is deleted for good, or not at all', async () => {
    const site = await aSite(engine, { env: { GATEHOUSE_TRASH_DAYS: '0' } });
    const editor = site.as('editor');
    const { id: post } = (await editor.post('/api/core/v2/posts', { title: 'A', status: 'publish' })).body;
    const { id } = (await editor.post(comments, { post, content: 'Said' })).body;
    assert.deepEqual(outcome(await editor.delete(`${comments}/${id}`)), [501, 'rest_trash_not_supported']);
    assert.deepEqual(outcome(await editor.put(`${comments}/${id}`, { status: 'trash' })), [
      501,
      'rest_trash_not_supported',
    ]);
    assert.equal((await editor.delete(`${comments}/${id}?force=true`)).body.deleted, true);
  });
});
