// What conversions and providers do with much, with two at a time, and with answers that never end.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ContentTables } from '#site/content/tables.ts';
import type { Store } from '#store/store.ts';
import { eachEngine } from '#test/databases.ts';
import { picture } from '#test/pictures.ts';
import { aRemote, endless } from '#test/remote.ts';
import { aSite } from '#test/site.ts';
import { send } from '#test/uploads.ts';
import { embeddedGalleriesIn, gallerySourcesIn } from './gallery-sources.ts';

const core = '/api/core/v2';
const api = '/api/gallery-convert/v1';

eachEngine('Conversions under load', (engine) => {
  test('two at the same moment make the galleries once', async () => {
    const site = await aSite(engine);
    const editor = site.as('editor');
    const { body: photo } = await send(site, 'editor', 'p.jpg', await picture(40, 30));
    const content = Array.from({ length: 30 }, (_, at) => `[gallery ids="${photo.id}" columns="${at % 7}"]`).join('\n');
    const { body: post } = await editor.post(`${core}/posts`, { title: 'Fair', status: 'publish', content });
    const both = await Promise.all([1, 2].map(() => editor.post(`${api}/process-gallery`, { post_id: post.id })));
    const won = both.find(({ status }) => status === 200)!;
    const lost = both.find(({ status }) => status !== 200)!;
    assert.deepEqual([won.body.galleries.length, lost.status], [7, 409], lost.text);
    const { db }: Store<ContentTables> = site.app.services.store;
    const rows = await db.selectFrom('posts').select('id').where('type', '=', 'gallery').orderBy('id').execute();
    assert.deepEqual(
      rows.map(({ id }) => id),
      won.body.galleries,
    );
    const { raw } = (await editor.get(`${core}/posts/${post.id}?context=edit`)).body.content;
    assert.equal(embeddedGalleriesIn(raw).length, 30);
    await editor.post(`${api}/revert-gallery`, { post_id: post.id });
    assert.equal((await editor.get(`${core}/posts/${post.id}?context=edit`)).body.content.raw, content);
  });

  test('more than 5,000 posts are found up to 5,000', async () => {
    const site = await aSite(engine);
    const { posts } = site.app.services.content;
    const moment = { wall: '2026-11-20T12:00:00', utc: '2026-11-20T12:00:00' };
    const one = {
      status: 'publish',
      author: 1,
      excerpt: '',
      content: '<p>[gallery ids="1"]</p>',
      moment,
      comment_status: 'open',
      ping_status: 'open',
      terms: {},
      meta: {},
    } as const;
    await site.as('administrator').get('/api/');
    for (let from = 0; from < 5_100; from += 300)
      await posts.addMany(
        'post',
        Array.from({ length: 300 }, (_, at) => ({ ...one, title: `Post ${from + at}` })),
        {},
      );
    const found = await site.as('administrator').post(`${api}/bulk-convert`, { selected_posttype: 'post' });
    assert.deepEqual([found.body.posts?.length, found.body.truncated], [5_000, true], found.text.slice(0, 200));
  });

  test('a provider that never ends is given up', async () => {
    const remote = await aRemote(endless('application/json', '{"images":["'));
    engine.atEnd(() => remote.close());
    const site = await aSite(engine, { env: { GATEHOUSE_FETCH_ALLOW_HOSTS: remote.host } });
    await site.set('gallery-ai', { provider: 'http', url: remote.url });
    const answer = await site.as('author').post('/api/gallery-ai/v1/create-ai-images', { prompt: 'A fair' });
    assert.deepEqual([answer.status, answer.body.code], [502, 'rest_api_error'], answer.text);
    await remote.quiet();
  });
});

test('Texts of many galleries, of deep nests and of broken marks are read in linear time', () => {
  const texts = [
    '<!-- wp:gallery --><!-- /wp:gallery -->'.repeat(25_000),
    '<!-- wp:gallery -->'.repeat(50_000),
    '<!-- wp:gallery -->'.repeat(25_000) + '<!-- /wp:gallery -->'.repeat(25_000),
    '<!-- wp:group -->[gallery]'.repeat(40_000),
    '<pre>[gallery]'.repeat(70_000),
    '<code>[gallery]</code>'.repeat(40_000),
    '[gallery ids="1"'.repeat(60_000),
    '<figure '.repeat(100_000),
  ];
  const since = performance.now();
  for (const text of texts) gallerySourcesIn(text);
  const spent = performance.now() - since;
  assert.ok(spent < 10_000, `${Math.round(spent)} ms`);
});
