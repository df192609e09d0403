import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Post } from '#site/content/posts/post.ts';
import type { Store } from '#store/store.ts';
import { eachEngine } from '#test/databases.ts';
import { aPostRow } from '#test/post-rows.ts';
import { siteTables } from '../tables.ts';
import { createPermalinks } from './permalinks.ts';
import type { ContentTables } from './tables.ts';
import { createKinds } from './types.ts';

const url = 'http://site.test/blog';
const patternLink = '/?taxonomy=wp_pattern_category&term=hero';

eachEngine('permalinks', (engine) => {
  test('lead to the record they are made of, and nowhere else', async () => {
    const store: Store<ContentTables> = await engine.store(siteTables, await engine.place(siteTables));
    let front = 0;
    const permalinks = createPermalinks({ db: store.db, kinds: createKinds(), url, frontPage: () => front });
    const add = (about: Partial<Post>) => aPostRow(store, { date: '2026-02-03T04:05:06', ...about });
    const post = await add({ slug: 'river' });
    const page = await add({ type: 'page', slug: 'about' });
    const below = await add({ type: 'page', slug: 'team', parent: page.id });
    const file = await add({ type: 'attachment', status: 'inherit', slug: 'picture', parent: post.id });
    const free = await add({ type: 'attachment', status: 'inherit', slug: 'free' });
    const draft = await add({ slug: 'plans', status: 'draft' });
    const all = [post, page, below, file, free, draft];
    const links = [...(await permalinks.of(all)).values()];
    const expected = [
      '/2026/02/03/river/',
      '/about/',
      '/about/team/',
      '/2026/02/03/river/picture/',
      '/free/',
      `/?p=${draft.id}`,
    ];
    assert.deepEqual(
      links,
      expected.map((one) => url + one),
    );
    for (const [at, link] of links.entries()) assert.equal((await permalinks.at(link))?.id, all[at]!.id, link);
    assert.equal((await permalinks.at(`${url}/2026/02/03/RIVER?x=1#y`))?.id, post.id);
    const nowhere = ['/2026/02/04/river/', '/team/', '/about/other/', '/plans/', '/?p=0', '/?p=x', '/about/team/x/'];
    for (const path of nowhere) assert.equal(await permalinks.at(url + path), undefined, path);
    for (const strange of [
      'http://other.test/blog/about/',
      'http://site.test/about/',
      'about',
      'ftp://site.test/blog/about/',
    ])
      assert.equal(await permalinks.at(strange), undefined, strange);
    front = page.id;
    assert.equal((await permalinks.of([page])).get(page.id), `${url}/`);
    assert.equal((await permalinks.at(`${url}/`))?.id, page.id);
    assert.equal((await permalinks.templates([draft])).get(draft.id), `${url}/2026/02/03/%postname%/`);
  });

  test('a slug that a record had before leads to it still', async () => {
    const store: Store<ContentTables> = await engine.store(siteTables, await engine.place(siteTables));
    const permalinks = createPermalinks({ db: store.db, kinds: createKinds(), url, frontPage: () => 0 });
    const post = await aPostRow(store, { slug: 'new', date: '2026-02-03T04:05:06' });
    await store.write((tx) => tx.insertInto('old_slugs').values({ slug: 'old', post_id: post.id }).execute());
    assert.equal((await permalinks.at(`${url}/2026/02/03/old/`))?.id, post.id);
  });

  test('of terms tell what is above them, asked about once for all', async () => {
    const store: Store<ContentTables> = await engine.store(siteTables, await engine.place(siteTables));
    const permalinks = createPermalinks({ db: store.db, kinds: createKinds(), url, frontPage: () => 0 });
    const add = (slug: string, parent = 0, taxonomy = 'category') =>
      store.write((tx) =>
        tx
          .insertInto('terms')
          .values({ taxonomy, slug, parent, name: slug, name_key: slug, description: '', count: 0 })
          .returningAll()
          .executeTakeFirstOrThrow(),
      );
    const top = await add('water');
    const middle = await add('river', top.id);
    const low = await add('rhine', middle.id);
    const tag = await add('lamp', 0, 'post_tag');
    const pattern = await add('hero', 0, 'wp_pattern_category');
    const links = [...(await permalinks.ofTerms([low, top, tag, pattern])).values()];
    const expected = ['/category/water/river/rhine/', '/category/water/', '/tag/lamp/', patternLink];
    assert.deepEqual(
      links,
      expected.map((one) => url + one),
    );
    await store.write((tx) => tx.updateTable('terms').set({ parent: low.id }).where('id', '=', top.id).execute());
    const round = await permalinks.ofTerms([{ ...top, parent: low.id }]);
    assert.equal(round.get(top.id), `${url}/category/river/rhine/water/`);
    assert.deepEqual(await permalinks.ofTerms([]), new Map());
  });

  test('go on naming what lies above a page, whatever its state, and leave out what was never named', async () => {
    const store: Store<ContentTables> = await engine.store(siteTables, await engine.place(siteTables));
    const permalinks = createPermalinks({ db: store.db, kinds: createKinds(), url, frontPage: () => 0 });
    const page = (about: Partial<Post>) => aPostRow(store, { type: 'page', ...about });
    const top = await page({ slug: 'top' });
    for (const status of ['draft', 'pending', 'future', 'private', 'trash']) {
      const upper = await page({ slug: `${status}-one`, status, parent: top.id });
      const lower = await page({ slug: 'team', parent: upper.id });
      const file = await aPostRow(store, {
        type: 'attachment',
        status: 'inherit',
        slug: `in-${status}`,
        parent: lower.id,
      });
      const links = await permalinks.of([lower, file]);
      assert.equal(links.get(lower.id), `${url}/top/${status}-one/team/`);
      assert.equal(links.get(file.id), `${url}/top/${status}-one/team/in-${status}/`);
      for (const { id } of [lower, file]) assert.equal((await permalinks.at(links.get(id)!))?.id, id, status);
      const hidden = status === 'private' ? upper.id : undefined;
      assert.equal((await permalinks.at(`${url}/top/${status}-one/`))?.id, hidden, status);
    }
    const nameless = await page({ slug: '', status: 'draft' });
    const alsoNameless = await page({ slug: '', status: 'draft', parent: nameless.id });
    const below = await page({ slug: 'below', parent: alsoNameless.id });
    await page({ slug: 'twin', status: 'draft' });
    const twin = await page({ slug: 'twin' });
    for (const [one, path] of [
      [below, '/below/'],
      [await page({ slug: 'alone', parent: below.id }), '/below/alone/'],
      [await page({ slug: 'child', parent: twin.id }), '/twin/child/'],
    ] as const) {
      assert.equal((await permalinks.of([one])).get(one.id), url + path);
      assert.equal((await permalinks.at(url + path))?.id, one.id, path);
    }
  });

  test('pages that bite their own tail have an address all the same', async () => {
    const store: Store<ContentTables> = await engine.store(siteTables, await engine.place(siteTables));
    const permalinks = createPermalinks({ db: store.db, kinds: createKinds(), url, frontPage: () => 0 });
    const one = await aPostRow(store, { type: 'page', slug: 'one' });
    const other = await aPostRow(store, { type: 'page', slug: 'other', parent: one.id });
    await store.write((tx) => tx.updateTable('posts').set({ parent: other.id }).where('id', '=', one.id).execute());
    const round = { ...one, parent: other.id };
    assert.equal((await permalinks.of([round])).get(one.id), `${url}/other/one/`);
  });
});
