// Pages that may be anybody's are made once, and again as soon as something they show is another.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachEngine } from '#test/databases.ts';
import { pathOf, published } from '#test/published.ts';
import { aSite, type TestSite } from '#test/site.ts';
import { aVisitor } from '#test/visitor.ts';

const password = 'a quiet river';
const plain = { 'accept-encoding': 'identity' };

/** What an operator reads of the answers that are kept. */
const figure = async (site: TestSite, name: 'kept' | 'misses_total'): Promise<number> => {
  const { text } = await site.get('/metrics');
  return Number(new RegExp(`^gatehouse_answers_${name} (\\d+)`, 'm').exec(text)![1]);
};

/** How many pages were made for this visit: none, where a kept one was sent. */
async function madeFor(site: TestSite, visit: () => Promise<unknown>): Promise<number> {
  const before = await figure(site, 'misses_total');
  await visit();
  return (await figure(site, 'misses_total')) - before;
}

eachEngine('Kept pages', (engine) => {
  test('are sent again as they are, and not at all to who has them', async () => {
    const site = await aSite(engine);
    const { post, bed } = await published(site);
    const paths = [
      ...['/', '/feed/', '/comments/feed/', '/sitemap.xml', '/sitemap-post-1.xml', '/robots.txt', '/2026/11/'],
      ...[post, bed].map(({ link }) => pathOf(site, link)),
      `${pathOf(site, post.link)}embed/`,
      `${pathOf(site, post.link)}feed/`,
    ];
    for (const path of paths) {
      const first = await site.get(path, plain);
      assert.equal(first.status, 200, path);
      assert.equal(first.headers.get('cache-control'), 'no-cache', path);
      assert.match(first.headers.get('vary')!, /^Cookie/, path);
      let again = first;
      const made = await madeFor(site, async () => {
        again = await site.get(path, plain);
      });
      assert.equal(made, 0, path);
      assert.equal(again.text, first.text, path);
      const without = ([name]: [string, string]) => !['x-request-id', 'date'].includes(name);
      assert.deepEqual([...again.headers].filter(without), [...first.headers].filter(without), path);
      const etag = again.headers.get('etag')!;
      const known = await site.get(path, { 'if-none-match': etag });
      assert.deepEqual([known.status, known.text, known.headers.get('etag')], [304, '', etag], path);
      const head = await site.request('HEAD', path);
      assert.deepEqual([head.status, head.text, head.headers.get('etag')], [200, '', etag], path);
    }
  });

  test('are another as soon as what they show is', async () => {
    const site = await aSite(engine);
    const { post, about, bed, make } = await published(site);
    const path = pathOf(site, post.link);
    const changes: readonly (readonly [string, () => Promise<unknown>, string, RegExp])[] = [
      ['its title', () => make(`posts/${post.id}`, { title: 'Another title' }), path, /Another title/],
      ['the name of its category', () => make(`categories/${bed.id}`, { name: 'Flowers' }), path, /Flowers/],
      ['a page of the menu', () => make(`pages/${about.id}`, { title: 'Whoever' }), path, /Whoever/],
      ['the name of the site', () => make('settings', { title: 'Lakeside' }), path, /Lakeside/],
      ['the name of its author', () => make(`users/${post.author}`, { name: 'Grace' }), path, /Grace/],
      ['a comment', () => make('comments', { post: post.id, content: 'Well said.' }), path, /Well said/],
      ['a post of a list', () => make('posts', { title: 'Newest', status: 'publish' }), '/', /Newest/],
      ['a feed', () => make('posts', { title: 'Newer still', status: 'publish' }), '/feed/', /Newer still/],
    ];
    for (const [what, change, where, words] of changes) {
      await site.get(where);
      assert.doesNotMatch((await site.get(where)).text, words, what);
      await change();
      assert.match((await site.get(where)).text, words, what);
    }
    await make(`posts/${post.id}`, { status: 'draft' });
    assert.equal((await site.get(path)).status, 404);
  });

  test('are made again ahead, where somebody asked for them', async () => {
    const site = await aSite(engine);
    const { post, make } = await published(site);
    const path = pathOf(site, post.link);
    await site.get(path);
    await make(`posts/${post.id}`, { title: 'Soon there' });
    for (let at = 0; at < 1000 && (await figure(site, 'kept')) < 1; at++) await site.get('/healthz');
    assert.equal(await madeFor(site, () => site.get(path)), 0);
  });

  test('are known to every process, and dropped by whichever writes', async () => {
    const site = await aSite(engine);
    const other = await aSite({ ...engine, place: async () => site.config }, { config: site.config });
    const { post, make } = await published(site);
    const path = pathOf(site, post.link);
    await other.get(path);
    await make(`posts/${post.id}`, { title: 'From elsewhere' });
    for (let at = 0; at < 500 && !/From elsewhere/.test((await other.get(path)).text); at++)
      await other.get('/healthz');
    assert.match((await other.get(path)).text, /From elsewhere/);
  });

  test('fill nothing by arguments that nobody knows, by searches and by what is missing', async () => {
    const site = await aSite(engine);
    const { post } = await published(site);
    const path = pathOf(site, post.link);
    await site.get(path);
    const before = await figure(site, 'kept');
    for (const asked of [
      `${path}?x=1`,
      '/?s=garden',
      '/?s=',
      '/nothing/',
      '/?p=1',
      path.slice(0, -1),
      '/?x',
      `${path}?`,
    ])
      await site.get(asked);
    assert.equal(await figure(site, 'kept'), before);
  });

  test('are nobody’s who is signed in, and tell no script of another site anything', async () => {
    const site = await aSite(engine);
    await published(site);
    await site.user({ login: 'grace', name: 'Grace', roles: ['author'], password });
    const visitor = aVisitor(site);
    await visitor.signIn('grace', password);
    await site.get('/');
    const own = await visitor.get('/');
    assert.match(own.text, /Your account \(<bdi>Grace<\/bdi>\)/);
    assert.deepEqual([own.headers.get('cache-control'), own.headers.get('etag')], ['no-store', null]);
    for (const _ of ['made', 'kept']) {
      const { text, headers } = await site.get('/', { origin: 'https://evil.test' });
      assert.match(text, /Sign in/);
      assert.doesNotMatch(text, /Grace/);
      assert.equal(headers.get('access-control-allow-origin'), null);
      assert.equal(headers.get('access-control-allow-credentials'), null);
    }
  });

  test('are compressed for who takes that', async () => {
    const site = await aSite(engine);
    await published(site);
    for (let at = 0; at < 3; at++) {
      const { text, headers } = await site.get('/', { 'accept-encoding': 'br' });
      assert.match(text, /<\/html>\n$/);
      assert.match(headers.get('vary')!, /Accept-Encoding/);
    }
  });
});
