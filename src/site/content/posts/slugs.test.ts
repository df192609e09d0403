import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onBothStores } from '#test/databases.ts';
import { someRecords } from '#test/records.ts';

onBothStores('the slugs of records', (engine) => {
  test('one is made of the title once the record is more than a draft', async () => {
    const { add, change } = await someRecords(engine);
    const draft = await add({ title: 'Über <b>uns</b>' });
    assert.equal(draft.slug, '');
    assert.equal((await change(draft, { status: 'publish' })).slug, 'uber-uns');
    assert.equal((await add({ title: 'One', status: 'private' })).slug, 'one');
    assert.equal((await add({ title: 'One', slug: 'My Draft' })).slug, 'my-draft');
    const nameless = await add({ content: 'text', status: 'publish', slug: '!!' });
    assert.equal(nameless.slug, `${nameless.id}`);
    assert.equal(nameless.guid, `http://site.test/2026/11/20/${nameless.id}/`);
  });

  test('it is unique among its kind; a page, among those beside it and the files', async () => {
    const { add, change } = await someRecords(engine);
    const slugOf = async (slug: string, type: string, more = {}) =>
      (await add({ title: 'T', slug, status: type === 'attachment' ? 'inherit' : 'publish', ...more }, type)).slug;
    const home = await add({ title: 'home', status: 'publish' }, 'page');
    const cases = [
      ['a', 'post', {}, 'a'],
      ['a', 'post', { status: 'draft' }, 'a-2'],
      ['a-2', 'post', {}, 'a-2-2'],
      ['a', 'wp_block', {}, 'a'],
      ['a', 'page', {}, 'a'],
      ['a', 'page', { parent: home.id }, 'a'],
      ['a', 'page', { parent: home.id }, 'a-2'],
      ['a', 'attachment', {}, 'a-3'],
      ['b', 'attachment', {}, 'b'],
      ['b', 'page', { parent: home.id }, 'b-2'],
      ['b', 'post', {}, 'b'],
      ['feed', 'post', {}, 'feed-2'],
      ['feed', 'post', {}, 'feed-3'],
      ['page7', 'post', {}, 'page7'],
      ['page7', 'page', {}, 'page7-2'],
      ['c'.repeat(300), 'post', {}, 'c'.repeat(200)],
      ['c'.repeat(300), 'post', {}, `${'c'.repeat(198)}-2`],
    ] as const;
    for (const [slug, type, more, given] of cases)
      assert.equal(await slugOf(slug, type, more), given, `${slug} ${type}`);
    const lower = await add({ title: 'home', status: 'publish', parent: home.id }, 'page');
    assert.equal(lower.slug, 'home');
    assert.equal((await change(lower, { parent: 0 })).slug, 'home-2', 'where it comes to lie there is one');
  });

  test('of twenty that are made at once each has its own', async () => {
    const one = await someRecords(engine);
    const other = await one.another();
    const titles = Array.from({ length: 20 }, (_, at) => (at % 5 === 4 ? 'Race 2' : 'Race'));
    const made = await Promise.all(
      titles.map((title, at) => (at % 2 ? one : other).add({ title, status: at % 3 ? 'publish' : 'private' })),
    );
    assert.equal(new Set(made.map(({ slug }) => slug)).size, 20);
    for (const { slug } of made) assert.match(slug, /^race(-\d+)*$/);
  });

  test('the old one of what was published is remembered until it is used again', async () => {
    const { add, change, store } = await someRecords(engine);
    const old = async () => (await store.db.selectFrom('old_slugs').select('slug').execute()).map(({ slug }) => slug);
    const draft = await add({ title: 'One', slug: 'draft' });
    const post = await change(draft, { slug: 'one', status: 'publish' });
    assert.deepEqual(await old(), []);
    const renamed = await change(post, { slug: 'two' });
    assert.deepEqual(await old(), ['one']);
    await change(renamed, { slug: 'one' });
    assert.deepEqual(await old(), ['two']);
  });

  test('what the title would give now is told, and nothing is changed', async () => {
    const { add, posts } = await someRecords(engine);
    const first = await add({ title: 'Dup', status: 'publish' });
    const draft = await add({ title: 'Dup' });
    const nameless = await add({ content: 'x' });
    const page = await add({ title: 'Dup', status: 'publish' }, 'page');
    const below = await add({ title: 'Dup', parent: page.id }, 'page');
    const beside = await add({ title: 'Dup' }, 'page');
    const file = await add({ title: 'Dup', status: 'inherit' }, 'attachment');
    const feed = await add({ title: 'Feed' });
    const slugs = await posts.slugsFor([first, draft, nameless, page, below, beside, file, feed]);
    const expected = ['dup', 'dup-2', `${nameless.id}`, 'dup', 'dup', 'dup-3', 'dup-2', 'feed-2'];
    assert.equal(file.slug, 'dup-2');
    assert.deepEqual([...slugs.values()], expected);
  });

  test('also where very many have the same', async () => {
    const { add, posts } = await someRecords(engine);
    for (let many = 0; many < 12; many++) await add({ title: 'Dup', status: 'publish' });
    const drafts = [await add({ title: 'Dup' }), await add({ title: 'Dup' })];
    assert.deepEqual([...(await posts.slugsFor(drafts)).values()], ['dup-13', 'dup-13']);
    assert.deepEqual(await posts.slugsFor([]), new Map());
  });
});
