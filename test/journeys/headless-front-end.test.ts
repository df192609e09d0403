// A front end of its own reads a site: it knows the address of the site and nothing else, and learns the rest from answers.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onBothStores } from '#test/databases.ts';
import { aPaper, classic, idsIn, linksIn, outcome, type Paper, pathOf, upload } from '#test/paper.ts';
import { picture } from '#test/pictures.ts';
import type { Answer } from '#test/site.ts';

const found = 'https://api.w.org/';

/** As clients look for it: they ask for the head first, and for the whole where they get none. */
async function discovered(site: Paper, path: string): Promise<string> {
  for (const method of ['HEAD', 'GET']) {
    const answer = await site.request(method, path);
    assert.equal(answer.status, 200, `${method} ${path} is no redirect`);
    const root = linksIn(answer)[found];
    assert.ok(root, `${method} ${path}`);
    assert.equal(root, linksIn(await site.request('GET', '/'))[found]);
  }
  return pathOf(linksIn(await site.request('HEAD', path))[found]!);
}

onBothStores('A headless front end', async (engine) => {
  const site = await aPaper(engine);
  const { made, editor } = site;
  const { status, body: photo, text } = await upload(editor, `${classic}/media`, 'river.png', await picture(40, 30));
  assert.equal(status, 201, text);
  const news = await made(`${classic}/categories`, { name: 'News' });
  const lamp = await made(`${classic}/tags`, { name: 'Lamp' });
  const shown = { status: 'publish', categories: [news.id], tags: [lamp.id], comment_status: 'open' };
  for (let at = 1; at <= 24; at++)
    await made(`${classic}/posts`, {
      ...shown,
      title: `Post ${at}`,
      content: `Words of ${at}`,
      featured_media: photo.id,
    });
  const first = await made(`${classic}/posts`, { ...shown, title: 'A quiet river', content: 'Water & stones' });
  await made(`${classic}/posts`, { title: 'Not ready' });
  const about = await made(`${classic}/pages`, { title: 'About', status: 'publish' });
  const team = await made(`${classic}/pages`, { title: 'Team', status: 'publish', parent: about.id });

  test('finds the interface from every address a site is known by', async () => {
    for (const path of ['/', '/wp-json', '/wp-json/', '/?rest_route=/', '/index.php?rest_route=/'])
      assert.equal(await discovered(site, path), '/wp-json/');
    assert.match(
      (await site.get('/')).text,
      /<link rel="https:\/\/api\.w\.org\/" href="http:\/\/site\.test\/wp-json\/">/,
    );
  });

  test('builds its methods from the routes it finds there', async () => {
    const { namespaces, routes } = (await site.get('/wp-json/')).body;
    assert.ok(namespaces.includes('wp/v2'));
    const { methods, endpoints, _links } = routes['/wp/v2/posts'];
    assert.deepEqual(methods, ['GET', 'POST']);
    assert.deepEqual(
      endpoints.map((one: { methods: string[] }) => one.methods),
      [['GET'], ['POST']],
    );
    assert.equal(pathOf(_links.self[0].href), `${classic}/posts`);
    // What it makes patterns of has one group at most in a part of the path, of a simple class.
    for (const key of Object.keys(routes).filter((one) => one.startsWith('/wp/v2/')))
      for (const part of key.split(/\/(?![^(]*\))/))
        assert.ok((part.match(/\(\?P</g) ?? []).length <= 1, `${key}: ${part}`);
  });

  test('asks in the query where the server knows no paths', async () => {
    const query = 'per_page=2&_fields=id,title';
    const plain = await site.get(`/?rest_route=/wp/v2/posts&${query}`);
    assert.deepEqual(plain.body, (await site.get(`${classic}/posts?${query}`)).body);
    assert.equal(plain.headers.get('x-wp-total'), '25');
  });

  test('reads every page there is by following the links', async () => {
    const seen: number[] = [];
    let answer: Answer | undefined = await site.get(`${classic}/posts?_embed&orderby=id&order=asc`);
    assert.equal(answer.headers.get('x-wp-totalpages'), '3');
    for (let page = 1; answer !== undefined; page++) {
      seen.push(...idsIn(answer));
      const { prev, next } = linksIn(answer);
      assert.equal(prev !== undefined, page > 1);
      answer = next === undefined ? undefined : await site.get(pathOf(next));
    }
    assert.equal(seen.length, 25);
    assert.deepEqual(
      seen,
      [...new Set(seen)].sort((one, other) => one - other),
    );
    assert.deepEqual(outcome(await site.get(`${classic}/posts?page=4`)), [400, 'rest_post_invalid_page_number']);
  });

  test('shows a post by its slug, with its author, picture and terms, in one answer', async () => {
    const { body } = await site.get(`${classic}/posts?slug=post-7&_embed=author,wp:featuredmedia,wp:term`);
    const [post] = body;
    assert.deepEqual(
      [body.length, post.title.rendered, post.link],
      [1, 'Post 7', 'http://site.test/2026/11/20/post-7/'],
    );
    const embedded = post._embedded;
    assert.deepEqual(Object.keys(embedded), ['author', 'wp:featuredmedia', 'wp:term']);
    assert.equal(embedded.author[0].name, 'editor');
    assert.equal(
      (await site.get(pathOf(embedded['wp:featuredmedia'][0].source_url))).headers.get('content-type'),
      'image/jpeg',
    );
    assert.deepEqual(
      embedded['wp:term'].map((terms: { name: string }[]) => terms.map(({ name }) => name)),
      [['News'], ['Lamp']],
    );
  });

  test('asks for what it shows and no more', async () => {
    const { body } = await site.get(`${classic}/posts?slug=a-quiet-river&_fields=id,title.rendered,_links.author`);
    assert.deepEqual(Object.keys(body[0]), ['id', 'title', '_links']);
    assert.deepEqual(body[0].title, { rendered: 'A quiet river' });
    const head = await site.request('HEAD', `${classic}/posts?per_page=1`);
    assert.deepEqual([head.status, head.text, head.headers.get('x-wp-total')], [200, '', '25']);
  });

  test('keeps what has not changed', async () => {
    const path = `${classic}/posts?per_page=3`;
    const before = await site.get(path);
    const same = { 'if-none-match': before.headers.get('etag')! };
    assert.deepEqual([(await site.get(path, same)).status, (await site.get(path, same)).text], [304, '']);
    await editor.put(`${classic}/posts/${first.id}`, { content: 'Water & other stones' });
    assert.equal((await site.get(path, same)).status, 200);
    assert.deepEqual((await site.get(`${classic}/posts?modified_after=2026-11-20T12:00:00Z`)).body, []);
    assert.equal((await site.get(`${classic}/posts?modified_after=2026-11-20T11:59:59Z`)).body.length, 10);
  });

  test('walks from term to posts, from page to page, and from what is found to the record', async () => {
    const [term] = (await site.get(`${classic}/categories?slug=news`)).body;
    assert.equal(term.count, 25);
    const posts = await site.get(pathOf(term._links['wp:post_type'][0].href));
    assert.equal(posts.headers.get('x-wp-total'), '25');
    const [below] = (await site.get(`${classic}/pages?slug=team&_embed=up`)).body;
    assert.deepEqual([below.link, below._embedded.up[0].id], ['http://site.test/about/team/', about.id]);
    assert.deepEqual(idsIn(await site.get(`${classic}/pages?parent=${about.id}`)), [team.id]);
    const [hit] = (await site.get(`/wp-json/wp/v2/search?search=quiet&_embed`)).body;
    assert.deepEqual([hit.id, hit.subtype, hit.url], [first.id, 'post', first.link]);
    assert.equal(hit._embedded.self[0].id, first.id);
  });

  test('is told in an envelope where it reads no headers, and of faults by their number alone', async () => {
    const { status, body } = await site.get(`${classic}/posts/999999?_envelope`);
    assert.deepEqual([status, body.status, body.body.code], [200, 404, 'rest_post_invalid_id']);
    assert.deepEqual((await site.get(`${classic}/posts/999999`)).body.data, { status: 404 });
    const paged = (await site.get(`${classic}/posts?per_page=1&_envelope`)).body;
    assert.deepEqual([paged.headers['X-WP-Total'], paged.body.length], [25, 1]);
  });

  test('may be served from another address', async () => {
    const { headers } = await site.get(`${classic}/posts?per_page=1`, { origin: 'https://front.example' });
    assert.equal(headers.get('access-control-allow-origin'), 'https://front.example');
    assert.match(headers.get('access-control-expose-headers') ?? '', /X-WP-TotalPages, Link/);
  });

  test('writes with real methods, or with the ones it has', async () => {
    const wrote = await editor.post(`${classic}/posts`, { title: 'Draft', excerpt: { raw: 'Short' } });
    const one = pathOf(wrote.headers.get('location')!);
    assert.deepEqual([wrote.body.status, wrote.body.excerpt.raw], ['draft', 'Short']);
    assert.equal((await editor.put(one, { title: { raw: 'Changed' } })).body.title.raw, 'Changed');
    assert.equal((await editor.post(`${one}?_method=PATCH`, { status: 'publish' })).body.status, 'publish');
    assert.equal((await site.get(one)).body.slug, 'changed');
    assert.equal((await editor.request('GET', `${one}?_method=delete`)).body.status, 'trash');
    assert.deepEqual(outcome(await site.get(one)), [401, 'rest_forbidden']);
    assert.deepEqual(outcome(await editor.delete(one)), [410, 'rest_already_trashed']);
    const gone = await editor.delete(`${one}?force=true`);
    assert.deepEqual([gone.body.deleted, gone.body.previous.title.raw], [true, 'Changed']);
  });
});
