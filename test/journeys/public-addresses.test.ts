// Every address of the public site: what has one answers there, and whatever else leads to it says so.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { eachEngine } from '#test/databases.ts';
import { pathOf, published } from '#test/published.ts';
import { aSite, type TestSite } from '#test/site.ts';

eachEngine('Addresses of the public site', (engine) => {
  let site: TestSite;
  let all: Awaited<ReturnType<typeof published>>;

  before(async () => {
    site = await aSite(engine);
    all = await published(site);
  });

  const at = (url: string): string => pathOf(site, url);

  const leadsTo = async (path: string, url: string, status = 301): Promise<void> => {
    const answer = await site.get(path);
    assert.deepEqual([answer.status, answer.headers.get('location')], [status, url], path);
  };

  test('each record answers at its permalink, and says that it is there', async () => {
    for (const { link, title } of [all.post, all.about, all.people, all.picture]) {
      const { status, text, headers } = await site.get(at(link));
      assert.equal(status, 200, link);
      assert.ok(text.includes(`<link rel="canonical" href="${link}">`), link);
      assert.ok(text.includes(title.rendered), link);
      assert.match(headers.get('link')!, /^<http:\/\/site\.test\/wp-json\/>; rel="https:\/\/api\.w\.org\/"/);
    }
  });

  test('each archive answers at its address with what is in it', async () => {
    const paths = [
      at(all.school.link),
      at(all.bed.link),
      at(all.tag.link),
      '/author/ada/',
      '/type/aside/',
      '/2026/',
      '/2026/11/',
      '/2026/11/10/',
      '/',
      '/?s=garden',
    ];
    for (const path of paths) {
      const { status, text } = await site.get(path);
      assert.equal(status, 200, path);
      assert.ok(text.includes(`<h2><a href="${all.post.link}">`), path);
    }
  });

  test('archives that hold nothing, and pages that nothing has, are missing', async () => {
    for (const path of [
      ...['/2025/', '/2026/13/', '/2026/02/30/', '/2026/11/11/', '/0000/', '/type/video/', '/type/nothing/'],
      ...['/category/nothing/', '/tag/nothing/', '/author/nobody/', '/author/ada-signs-in/', '/category/', '/page/2/'],
      ...['/page/999999/', `${at(all.post.link)}2/`, `${at(all.post.link)}comment-page-2/`, '/about-us/page/2/'],
      ...['/nothing/', '/nothing/feed/', '/author/%00/', '/%00/'],
    ])
      assert.equal((await site.get(path)).status, 404, path);
  });

  test('what is no address at all is refused as such', async () => {
    for (const path of ['/%zz/', '/author/%zz/']) assert.equal((await site.get(path)).status, 400, path);
  });

  test('numbers and slugs in a query lead to the address', async () => {
    const { post, about, picture, bed, tag } = all;
    await leadsTo(`/?p=${post.id}`, post.link);
    await leadsTo(`/?page_id=${about.id}`, about.link);
    await leadsTo(`/?attachment_id=${picture.id}`, picture.link);
    await leadsTo(`/?author=${all.user.id}`, 'http://site.test/author/ada/');
    await leadsTo(`/?cat=${bed.id}`, bed.link);
    await leadsTo('/?category_name=beds', bed.link);
    await leadsTo('/?tag=summer', tag.link);
    await leadsTo('/?m=202611', 'http://site.test/2026/11/');
    await leadsTo('/?feed=rss2', 'http://site.test/feed/');
    await leadsTo('/?feed=comments-rss2', 'http://site.test/comments/feed/');
    await leadsTo('/?paged=3', 'http://site.test/page/3/');
    await leadsTo('/?name=the-garden-is-open', post.link);
    await leadsTo('/?pagename=about-us/people', all.people.link);
    await leadsTo('/?author_name=ada', 'http://site.test/author/ada/');
    await leadsTo('/?taxonomy=category&term=beds', bed.link);
    await leadsTo('/?taxonomy=post_tag&term=summer', tag.link);
    await leadsTo('/?year=2026', 'http://site.test/2026/');
    await leadsTo('/?year=2026&monthnum=11&day=9', 'http://site.test/2026/11/09/');
    await leadsTo('/index.php', 'http://site.test/');
    await leadsTo('/index.php?x=https://evil.test/', 'http://site.test/');
    await leadsTo(`/index.php?p=${post.id}`, post.link);
    await leadsTo('/index.php?s=garden+%26+more', 'http://site.test/?s=garden%20%26%20more');
    await leadsTo('/index.php?p=99999', null as never, 404);
    await all.make('wp_pattern_category', { name: 'Hero' });
    await leadsTo(`/?cat=${tag.id}`, null as never, 404);
    for (const query of [
      ...['name=nothing', 'name=%2F', 'pagename=nothing', 'pagename=%2F', 'author_name=nobody'],
      ...['taxonomy=category', 'taxonomy=nothing&term=beds', 'taxonomy=wp_pattern_category&term=hero'],
      ...['name=about-us', 'pagename=the-garden-is-open', 'year=x', 'year=2026&monthnum=13'],
    ])
      assert.equal((await site.get(`/?${query}`)).status, 404, query);
    for (const query of ['p=0', 'p=99999', 'p=x', 'author=99999', 'm=2026x', 'cat=0', 'tag=no', 'author=1%20or%201'])
      assert.equal((await site.get(`/?${query}`)).status, 404, query);
  });

  test('other spellings lead to the address, always on this host', async () => {
    const { post, people, bed } = all;
    const path = at(post.link);
    for (const spelled of [path.slice(0, -1), path.toUpperCase(), path.replace('/11/', '//11/'), `${path}1/`])
      await leadsTo(spelled, post.link);
    await leadsTo(`${path}comment-page-1/`, post.link);
    await leadsTo(at(people.link).toUpperCase(), people.link);
    await leadsTo('/category/beds/', bed.link);
    await leadsTo('/category/nothing/beds', bed.link);
    await leadsTo('/page/1/', 'http://site.test/');
    await leadsTo('/2026/11', 'http://site.test/2026/11/');
    await leadsTo('/feed', 'http://site.test/feed/');
    await leadsTo('/rss2', 'http://site.test/feed/');
    await leadsTo('/feed/atom/', 'http://site.test/feed/');
    await leadsTo(`${path}feed`, `${post.link}feed/`);
    await leadsTo(`${path}embed`, `${post.link}embed/`);
    await leadsTo('/wp-sitemap.xml', 'http://site.test/sitemap.xml');
    await leadsTo('//evil.test/', null as never, 404);
    await leadsTo('//', 'http://site.test/');
    const { headers } = await site.get(path.slice(0, -1), {
      'x-forwarded-host': 'evil.test',
      referer: 'http://evil.test/',
    });
    assert.equal(headers.get('location'), post.link);
  });

  test('a query that nobody knows changes nothing, and is repeated nowhere', async () => {
    const { status, text } = await site.get(`${at(all.post.link)}?utm_source=evil"onload`);
    assert.equal(status, 200);
    assert.doesNotMatch(text, /utm_source|evil/);
  });

  test('a slug that a record had leads to the one it has', async () => {
    const make = all.make;
    const post = await make('posts', { title: 'Old name', status: 'publish', content: 'x' });
    await make(`posts/${post.id}`, { slug: 'new-name' });
    const { body } = await site.get(`/api/core/v2/posts/${post.id}`);
    await leadsTo(at(post.link), body.link);
  });

  test('an address in a form of elsewhere leads to what alone is called so, and nowhere where several are or it is hidden', async () => {
    const called = async (title: string, state: object = {}) =>
      all.make('posts', { title, status: 'publish', content: 'x', ...state });
    const boat = await called('The boat house');
    for (const path of [
      '/the-boat-house/',
      '/archives/The-Boat-House',
      '/1999/01/the-boat-house/',
      '/en/news/the-boat-house/?x=1',
    ])
      await leadsTo(path, boat.link);
    await all.make('pages', { title: 'The oars', status: 'publish', content: 'x' });
    await called('The oars');
    await called('The jetty', { status: 'private' });
    for (const path of ['/old/the-oars/', '/the-jetty/', '/old/the-jetty/', `/archives/${boat.id}`, '/old/the-boat/'])
      assert.equal((await site.get(path)).status, 404, path);
  });

  test('signs of other scripts stand in addresses in either spelling of their escapes', async () => {
    const post = await all.make('posts', { title: 'Привет', status: 'publish', content: 'мир' });
    assert.match(post.link, /%d0%bf/);
    assert.equal((await site.get(at(post.link))).status, 200);
    assert.equal((await site.get(at(post.link).replace(/%../g, (one) => one.toUpperCase()))).status, 200);
  });

  test('a post called as a year or a page called as a base still has its own', async () => {
    for (const title of ['2026', 'Category', 'Comments']) {
      const page = await all.make('pages', { title, content: 'Here.', status: 'publish' });
      const { status, text } = await site.get(at(page.link));
      assert.equal(status, 200, page.link);
      assert.match(text, /Here\./);
    }
    assert.equal((await site.get('/comments/feed/')).status, 200);
  });
});

eachEngine('The front page', (engine) => {
  test('can be a page, with the posts on another', async () => {
    const site = await aSite(engine);
    const { about, people, post } = await published(site);
    const set = (body: object) => site.as('administrator').post('/api/core/v2/settings', body);
    await set({ show_on_front: 'page', page_on_front: about.id, page_for_posts: people.id, posts_per_page: 1 });
    assert.match((await site.get('/')).text, /Who we are/);
    assert.equal((await site.get('/about-us/')).headers.get('location'), 'http://site.test/');
    const { text } = await site.get('/about-us/people/');
    assert.match(text, /<h1>People<\/h1>/);
    assert.ok(text.includes(post.link));
    assert.equal((await site.get('/page/2/')).status, 404);
    await site.as('administrator').post(`/api/core/v2/pages/${about.id}`, { status: 'draft' });
    assert.ok((await site.get('/')).text.includes(post.link), 'without it the posts are there');
  });

  test('lists posts page by page, the sticky ones first', async () => {
    const site = await aSite(engine);
    const { make, post } = await published(site);
    await site.as('administrator').post('/api/core/v2/settings', { posts_per_page: 2 });
    for (let at = 1; at <= 4; at++)
      await make('posts', { title: `Post ${at}`, content: 'x', status: 'publish', date: `2026-11-1${at}T10:00:00` });
    await make(`posts/${post.id}`, { sticky: true });
    const titles = async (path: string) =>
      [...(await site.get(path)).text.matchAll(/<h2><a [^>]*>([^<]*)/g)].map(([, title]) => title);
    assert.deepEqual(await titles('/'), ['The garden is “open”', 'Post 4', 'Post 3']);
    assert.deepEqual(await titles('/page/2/'), ['Post 2', 'Post 1']);
    assert.deepEqual(await titles('/page/3/'), ['The garden is “open”']);
    const second = await site.get('/page/2/');
    assert.match(second.text, /<a href="http:\/\/site\.test\/" rel="prev">/);
    assert.match(second.text, /<a href="http:\/\/site\.test\/page\/3\/" rel="next">/);
    assert.equal((await site.get('/page/4/')).status, 404);
  });
});
