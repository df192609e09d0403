import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Problem } from '#kernel/problem.ts';
import { onBothStores } from '#test/databases.ts';
import { someRecords } from '#test/records.ts';
import { totalsOf } from '../../platform/totals.ts';
import { metaOf } from '../meta.ts';

onBothStores('writing records', (engine) => {
  test('a new one has what nobody said as the site has it', async () => {
    const { add, terms } = await someRecords(engine);
    const post = await add({ title: 'One' });
    const { id } = post;
    assert.deepEqual(post, {
      id,
      type: 'post',
      status: 'draft',
      author: 0,
      parent: 0,
      menu_order: 0,
      slug: '',
      date: '2026-11-20T12:00:00',
      date_gmt: null,
      modified: '2026-11-20T12:00:00',
      modified_gmt: '2026-11-20T12:00:00',
      password: '',
      comment_status: 'open',
      ping_status: 'open',
      template: '',
      format: '',
      sticky: 0,
      featured_media: 0,
      mime_type: '',
      guid: `http://site.test/?p=${id}`,
      version: 1,
      status_before: null,
      title: 'One',
      excerpt: '',
      content: '',
    });
    const sorted = (await terms.of([id])).get(id);
    assert.deepEqual(
      sorted?.category?.map(({ slug }) => slug),
      ['uncategorized'],
    );
    const page = await add({ title: 'Page', status: 'publish' }, 'page');
    assert.deepEqual(
      [page.comment_status, page.ping_status, page.guid],
      ['closed', 'closed', 'http://site.test/page/'],
    );
    assert.equal((await add({ title: 'Block' }, 'wp_block')).comment_status, 'closed');
    const picture = await add({ title: 'Picture' }, 'attachment');
    assert.deepEqual([picture.status, picture.comment_status, picture.ping_status], ['inherit', 'open', 'closed']);
    const bare = await add({ title: 'Two', terms: { category: [] } });
    assert.deepEqual((await terms.of([bare.id])).get(bare.id)?.category ?? [], []);
  });

  test('what cannot be true is refused, and leaves no trace', async () => {
    const { add, change, store, posts } = await someRecords(engine);
    const post = await add({ title: 'One', password: 'x' });
    const sticky = await add({ title: 'Two', sticky: true });
    const page = await add({ title: 'Page' }, 'page');
    const below = await add({ title: 'Below', parent: page.id }, 'page');
    const before = await store.db.selectFrom('posts').selectAll().orderBy('id').execute();
    const refusals = [
      [() => add({}), 'empty_content', 400],
      [() => add({ title: 'S', author: 999 }), 'rest_invalid_author', 400],
      [() => change(post, { author: 999 }), 'rest_invalid_author', 400],
      [() => add({ title: 'S', sticky: true, password: 'x' }), 'rest_invalid_field', 400],
      [() => change(post, { sticky: true }), 'rest_invalid_field', 400],
      [() => change(sticky, { password: 'x' }), 'rest_invalid_field', 400],
      [() => change(sticky, { title: '' }), 'empty_content', 400],
      [() => add({ title: 'S', parent: 999 }, 'page'), 'rest_post_invalid_id', 400],
      [() => add({ title: 'S', parent: post.id }, 'page'), 'rest_post_invalid_id', 400],
      [() => change(page, { parent: page.id }), 'rest_post_invalid_id', 400],
      [() => change(page, { parent: below.id }), 'rest_post_invalid_id', 400],
      [() => add({ title: 'S', template: 'nope.php' }), 'rest_invalid_param', 400],
      [() => add({ title: 'S', meta: { footnotes: 5 } }), 'rest_invalid_type', 400],
      [() => add({ content: 'é'.repeat(2 * 1024 * 1024 + 1) }), 'rest_content_too_large', 413],
      [() => change({ ...post, id: 999 }, { title: 'S' }), 'rest_post_invalid_id', 404],
    ] as const;
    for (const [attempt, code, status] of refusals) await assert.rejects(attempt, { code, status }, code);
    const refused = { unfiltered: true, again: async () => Promise.reject(new Problem(403, 'rest_cannot_edit', '')) };
    await assert.rejects(posts.change(post, { title: 'S' }, refused), { code: 'rest_cannot_edit' });
    assert.deepEqual(await store.db.selectFrom('posts').selectAll().orderBy('id').execute(), before);
    assert.deepEqual(await totalsOf(store.db, 'posts'), { 'post/draft': 2, 'page/draft': 2 });
  });

  test('two moves that together would make a ring: one is refused', async () => {
    const one = await someRecords(engine);
    const other = await one.another();
    const pages = [await one.add({ title: 'A' }, 'page'), await one.add({ title: 'B' }, 'page')] as const;
    const moves = [one.change(pages[0], { parent: pages[1].id }), other.change(pages[1], { parent: pages[0].id })];
    const settled = await Promise.allSettled(moves);
    assert.deepEqual(settled.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
  });

  test('of what is said to be shown with it, what is not there is passed over', async () => {
    const { add, change } = await someRecords(engine);
    assert.equal((await add({ title: 'One', featured_media: 999 })).featured_media, 0);
    const picture = await add({ title: 'Picture' }, 'attachment');
    const post = await add({ title: 'One', featured_media: picture.id });
    assert.equal((await change(post, { featured_media: 999 })).featured_media, picture.id);
    assert.equal((await change(post, { featured_media: 0 })).featured_media, 0);
  });

  test('text of people who may not write all HTML is filtered, that of others is kept byte for byte', async () => {
    const { posts, add } = await someRecords(engine);
    const said = { title: '<One', content: '<p>\r\ntext', excerpt: '<' };
    const { title, content, excerpt } = await posts.add('post', said, { unfiltered: false, writer: 7 });
    assert.deepEqual({ title, content, excerpt }, { title: 'One', content: 'p>\r\ntext', excerpt: '' });
    const kept = await add(said);
    assert.deepEqual({ title: kept.title, content: kept.content, excerpt: kept.excerpt }, said);
  });

  test('meta of registered keys is kept, its default and null take it away', async () => {
    const { add, change, store } = await someRecords(engine);
    const kept = async (id: number) => (await metaOf(store.db, [id])).get(id);
    const post = await add({ title: 'One', meta: { footnotes: '[1]', nosuch: 1, wp_pattern_sync_status: 'partial' } });
    assert.deepEqual(await kept(post.id), { footnotes: '[1]' });
    const revisions = async () => (await store.db.selectFrom('revisions').select('meta').execute()).length;
    await change(post, { meta: { footnotes: '[1]' } });
    assert.equal(await revisions(), 0, 'nothing changed');
    await change(post, { meta: { footnotes: null } });
    assert.deepEqual(await kept(post.id), {});
    assert.equal(await revisions(), 1);
  });

  test('a version is never shown twice for two states, also of pages whose address changed', async () => {
    const { add, change, posts } = await someRecords(engine);
    const top = await add({ title: 'Top', status: 'publish' }, 'page');
    const below = await add({ title: 'Below', parent: top.id, status: 'publish' }, 'page');
    const lowest = await add({ title: 'Lowest', parent: below.id, status: 'publish' }, 'page');
    const version = async () => (await posts.get(lowest.id)).version;
    assert.equal((await change(top, { title: 'Up' })).version, 2);
    assert.equal(await version(), 1);
    await change(top, { slug: 'up' });
    assert.equal(await version(), 2);
    await change(below, { parent: 0 });
    assert.equal(await version(), 3);
  });

  test('what is counted follows status and author', async () => {
    const { add, change, posts, store } = await someRecords(engine);
    const post = await add({ title: 'One' });
    await change(post, { status: 'publish' });
    assert.deepEqual(await totalsOf(store.db, 'posts'), { 'post/draft': 0, 'post/publish': 1 });
    await posts.trash(post, {});
    assert.deepEqual(await totalsOf(store.db, 'posts.author'), {
      '0/post/draft': 0,
      '0/post/publish': 0,
      '0/post/trash': 1,
    });
  });
});
