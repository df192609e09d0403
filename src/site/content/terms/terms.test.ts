// How terms are named, placed, counted and taken away, and what happens to the records that carry them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Problem } from '#kernel/problem.ts';
import type { Store } from '#store/store.ts';
import { onBothStores, type TestEngine } from '#test/databases.ts';
import { aPostRow } from '#test/post-rows.ts';
import { aSite } from '#test/site.ts';
import { type TotalsTables, totalOf } from '../../platform/totals.ts';
import type { Post } from '../posts/post.ts';
import { type ContentTables, totalTopics, type Writing } from '../tables.ts';
import { termHooks } from './post-hooks.ts';
import type { Term, TermSaid, WantedTerms } from './term.ts';

const usual = { taxonomy: 'category', limit: 10, offset: 0, order: 'asc', orderBy: 'name' } as const;

async function setting(engine: TestEngine) {
  const { app } = await aSite(engine);
  const { terms } = app.services.content;
  const store: Store<ContentTables & TotalsTables> = app.services.store;
  const along = <R>(work: (tx: Writing) => Promise<R>): Promise<R> => store.write((tx) => work(tx as never));
  return {
    terms,
    store,
    make: (name: string, more: Partial<TermSaid> = {}, taxonomy = 'category') =>
      terms.add(taxonomy, { name, ...more }, {}),
    list: async (more: Partial<WantedTerms>) => {
      const { items, total } = await terms.list({ ...usual, ...more });
      return { names: items.map(({ name }) => name), total };
    },
    assign: (post: Post, carried: Record<string, number[]>) => along((tx) => termHooks.assign(tx, post, carried)),
    moved: (before: Post, after: Post) => along((tx) => termHooks.moved(tx, before, after)),
    released: (post: Post) => along((tx) => termHooks.released(tx, post)),
    count: async (term: Term) => (await terms.find(term.id))?.count,
    totals: (key: string) => totalOf(store.db, totalTopics.terms, key),
    carried: async ({ id }: Post) => {
      const all = (await terms.of([id])).get(id) ?? {};
      return Object.fromEntries(
        Object.entries(all).map(([taxonomy, some]) => [taxonomy, some.map(({ name }) => name)]),
      );
    },
  };
}

const refused = (status: number | 'denied', code: string, id?: number) => (problem: unknown) => {
  const { status: was, code: said, details } = problem as Problem;
  assert.deepEqual([was, said], [status, code]);
  if (id !== undefined) assert.equal(details.term_id, id);
  return true;
};

const names: [typed: string, name: string, slug: string][] = [
  ['R & D', 'R &amp; D', 'r-d'],
  ['Was &amp; is', 'Was &amp; is', 'was-is'],
  ['a <script>alert(1)</script> b', 'a b', 'a-b'],
  ['<<b>script>', '&lt;script&gt;', 'script'],
  ['  two\n lines ', 'two lines', 'two-lines'],
  ['Äpfel', 'Äpfel', 'apfel'],
];

onBothStores('terms', (engine) => {
  test('a site has a category for posts without one, which stays', async () => {
    const { terms, make, list } = await setting(engine);
    const id = await terms.defaultCategory();
    const term = await terms.get(id, 'category');
    assert.deepEqual([id, term.name, term.slug], [1, 'Uncategorized', 'uncategorized']);
    assert.equal(await terms.findDefaultCategory(), id);
    await assert.rejects(terms.erase(term, {}), refused('denied', 'rest_cannot_delete'));
    await make('Other');
    assert.deepEqual(await list({}), { names: ['Other', 'Uncategorized'], total: 2 });
  });

  test('names are kept as HTML that shows what was typed', async () => {
    const { make } = await setting(engine);
    for (const [typed, name, slug] of names) {
      const term = await make(typed, {}, 'post_tag');
      assert.deepEqual([term.name, term.slug], [name, slug], typed);
    }
    await assert.rejects(make('<b></b> '), refused(400, 'empty_term_name'));
  });

  test('what a contributor writes about a tag runs nowhere', async () => {
    const { terms, make } = await setting(engine);
    const hostile = '<a href="javascript:x()" onclick="x()">x</a>';
    const tag = await make('tag', { description: hostile }, 'post_tag');
    assert.doesNotMatch(tag.description, /javascript:|onclick/);
    assert.doesNotMatch((await terms.change(tag, { description: hostile }, {})).description, /javascript:|onclick/);
  });

  test('a slug is from the name, with that of the parent or a number where somebody has it', async () => {
    const { make } = await setting(engine);
    const [north, south] = [await make('North'), await make('South')];
    assert.equal((await make('News')).slug, 'news');
    assert.equal((await make('News', { parent: north.id })).slug, 'news-north');
    assert.equal((await make('News!', { parent: north.id })).slug, 'news-north-2');
    assert.equal((await make('News', { parent: south.id })).slug, 'news-south');
    assert.deepEqual([(await make('C')).slug, (await make('C++')).slug], ['c', 'c-2']);
    const nameless = await make('???');
    assert.equal(nameless.slug, String(nameless.id));
    const long = await make('ü'.repeat(150), { slug: 'é'.repeat(150) });
    assert.ok(Buffer.byteLength(long.slug) <= 200);
  });

  test('what is there already is said by its number', async () => {
    const { make } = await setting(engine);
    const [one, other] = [await make('Café'), await make('Other')];
    await assert.rejects(make('cafe'), refused(400, 'term_exists', one.id));
    await assert.rejects(make('New', { slug: 'Cafe' }), refused(400, 'term_exists', one.id));
    await assert.rejects(make('New', { slug: 'cafe', parent: other.id }), refused(400, 'duplicate_term_slug'));
  });

  test('twenty who make the same at once make it once', async () => {
    const { make, list } = await setting(engine);
    const made = await Promise.allSettled(Array.from({ length: 20 }, () => make('Same', {}, 'post_tag')));
    assert.equal(made.filter(({ status }) => status === 'fulfilled').length, 1);
    assert.deepEqual(await list({ taxonomy: 'post_tag' }), { names: ['Same'], total: 1 });
  });

  test('a term lies below another of its kind, and never below itself', async () => {
    const { terms, make } = await setting(engine);
    const top = await make('Top');
    const middle = await make('Middle', { parent: top.id });
    const low = await make('Low', { parent: middle.id });
    const tag = await make('Tag', {}, 'post_tag');
    for (const parent of [tag.id, 99_999, -1, 1e300])
      await assert.rejects(make('Lost', { parent }), refused(400, 'rest_term_invalid'));
    await assert.rejects(make('x', { parent: tag.id }, 'post_tag'), refused(400, 'rest_taxonomy_not_hierarchical'));
    assert.equal((await terms.change(top, { parent: low.id }, {})).parent, 0);
    assert.equal((await terms.change(middle, { parent: middle.id }, {})).parent, 0);
    assert.deepEqual((await terms.withBelow([middle.id])).sort(), [middle.id, low.id]);
    assert.deepEqual(new Set((await terms.withAbove([low.id])).map(({ id }) => id)), new Set([middle.id, low.id]));
  });

  test('a change keeps what it does not name, and takes no slug of another', async () => {
    const { terms, make } = await setting(engine);
    const [one, other] = [await make('One', { description: 'first' }), await make('Other')];
    const changed = await terms.change(one, { name: 'Eins' }, {});
    assert.deepEqual([changed.name, changed.slug, changed.description], ['Eins', 'one', 'first']);
    assert.equal((await terms.change(one, { slug: '' }, {})).slug, 'eins');
    await assert.rejects(terms.change(one, { slug: other.slug }, {}), refused(400, 'duplicate_term_slug'));
    await assert.rejects(terms.change(one, { name: ' ' }, {}), refused(400, 'empty_term_name'));
    await assert.rejects(terms.change({ ...one, id: 99_999 }, {}, {}), refused(404, 'rest_term_invalid'));
  });

  test('counts and totals follow what records carry and become', async () => {
    const { make, store, assign, moved, released, count, totals, carried } = await setting(engine);
    const [a, b] = [await make('A'), await make('B')];
    const tag = await make('T', {}, 'post_tag');
    const post = await aPostRow(store);
    assert.equal(await assign(post, { category: [b.id, a.id, a.id, 99_999, tag.id], post_tag: [tag.id] }), true);
    assert.deepEqual(await carried(post), { category: ['A', 'B'], post_tag: ['T'] });
    assert.equal(await assign(post, { category: [a.id, b.id] }), false);
    assert.deepEqual([await count(a), await totals(`${a.id}/post/publish`)], [1, 1]);
    const draft = { ...post, status: 'draft', date: '2026-11-21T00:00:00' };
    await moved(post, draft);
    assert.deepEqual([await count(a), await totals(`${a.id}/post/publish`)], [0, 0]);
    assert.equal(await totals(`${a.id}/post/draft`), 1);
    assert.equal(await assign(draft, { category: [] }), true);
    assert.deepEqual(await carried(post), { post_tag: ['T'] });
    await moved(draft, post);
    assert.equal(await count(tag), 1);
    await released(post);
    assert.deepEqual([await count(tag), await totals(`${tag.id}/post/publish`), await carried(post)], [0, 0, {}]);
  });

  test('what lies below a deleted category moves up, and posts left without get the one that stays', async () => {
    const { terms, make, store, assign, count, totals, carried } = await setting(engine);
    const top = await make('Top');
    const gone = await make('Gone', { parent: top.id });
    const below = await make('Below', { parent: gone.id });
    const [alone, both, draft] = [
      await aPostRow(store),
      await aPostRow(store),
      await aPostRow(store, { status: 'draft' }),
    ];
    await assign(alone, { category: [gone.id] });
    await assign(both, { category: [gone.id, top.id] });
    await assign(draft, { category: [gone.id] });
    await terms.erase(gone, {});
    assert.equal((await terms.find(below.id))?.parent, top.id);
    assert.deepEqual(await carried(alone), { category: ['Uncategorized'] });
    assert.deepEqual(await carried(both), { category: ['Top'] });
    const standing = await terms.get(1, 'category');
    assert.deepEqual([await count(standing), await totals('1/post/publish'), await totals('1/post/draft')], [1, 1, 1]);
    assert.equal(await totals(`${gone.id}/post/publish`), 0);
    await assert.rejects(terms.erase(gone, {}), refused(404, 'rest_term_invalid'));
  });

  test('lists are narrowed, sorted and counted', async () => {
    const { make, list, store, assign } = await setting(engine);
    const made: Term[] = [];
    for (const name of ['Ärger & Co', 'zebra', 'Apple', 'berry']) made.push(await make(name, {}, 'post_tag'));
    const [anger, zebra, apple, berry] = made as [Term, Term, Term, Term];
    const post = await aPostRow(store);
    await assign(post, { post_tag: [zebra.id, apple.id] });
    const tags = (more: Partial<WantedTerms>) => list({ taxonomy: 'post_tag', ...more });
    const cases: [Partial<WantedTerms>, string[]][] = [
      [{}, ['Apple', 'Ärger &amp; Co', 'berry', 'zebra']],
      [{ search: 'arger & c' }, ['Ärger &amp; Co']],
      [{ search: '%' }, []],
      [{ search: '\0' }, []],
      [{ hideEmpty: true }, ['Apple', 'zebra']],
      [{ post: post.id, order: 'desc' }, ['zebra', 'Apple']],
      [{ post: 1e300 }, []],
      [{ include: [berry.id, anger.id, 1e300], exclude: [berry.id] }, ['Ärger &amp; Co', 'berry']],
      [{ include: [zebra.id, apple.id], orderBy: 'include' }, ['zebra', 'Apple']],
      [{ slugs: ['zebra', 'berry'], orderBy: 'include_slugs' }, ['zebra', 'berry']],
      [{ exclude: [apple.id, zebra.id], orderBy: 'id' }, ['Ärger &amp; Co', 'berry']],
    ];
    for (const [wanted, found] of cases)
      assert.deepEqual(await tags(wanted), { names: found, total: found.length }, JSON.stringify(wanted));
    assert.deepEqual(await tags({ limit: 1, offset: 1 }), { names: ['Ärger &amp; Co'], total: 4 });
    assert.deepEqual(await list({ parent: 0 }), { names: ['Uncategorized'], total: 1 });
  });
});
