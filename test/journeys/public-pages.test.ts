// What the pages of the public site show, to people and to the programs that come by.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { eachEngine } from '#test/databases.ts';
import { nastyText } from '#test/nasty.ts';
import { makerOf, pathOf, published } from '#test/published.ts';
import { aSite, type TestSite } from '#test/site.ts';

const textOf = async (site: TestSite, url: string): Promise<string> =>
  (await site.get(pathOf(site, url))).text.replace(/<style>.*<\/style>/s, '');

eachEngine('A public page', (engine) => {
  test('leads programs to its record, its short address and how it looks elsewhere', async () => {
    const site = await aSite(engine);
    const { post } = await published(site);
    const { text, headers } = await site.get(pathOf(site, post.link));
    const embed = `http://site.test/wp-json/oembed/1.0/embed?url=${encodeURIComponent(post.link)}`;
    const ways: readonly (readonly [href: string, rel: string, type?: string])[] = [
      ['http://site.test/wp-json/', 'https://api.w.org/'],
      [`http://site.test/wp-json/wp/v2/posts/${post.id}`, 'alternate', 'application/json'],
      [`http://site.test/?p=${post.id}`, 'shortlink'],
      [embed, 'alternate', 'application/json+oembed'],
      [`${embed}&format=xml`, 'alternate', 'text/xml+oembed'],
    ];
    const links = headers
      .get('link')!
      .split(', <')
      .map((one) => one.replace(/^</, ''));
    for (const [href, rel, type] of ways) {
      const link = links.find((one) => one.startsWith(`${href}>`));
      const said = rel === 'shortlink' ? '; rel=shortlink' : `rel="${rel}"`;
      assert.ok(link?.includes(said) && (type === undefined || link.includes(`type="${type}"`)), href);
      assert.ok(text.includes(`href="${href.replaceAll('&', '&amp;')}"`), href);
    }
    assert.equal((await site.get(pathOf(site, embed))).status, 200);
    assert.match(
      text,
      /<link rel="alternate" type="application\/rss\+xml" title="Riverside School" href="http:\/\/site\.test\/feed\/">/,
    );
    assert.match(text, /<meta name="description" content="Come &amp; see\. It is green\./);
    assert.match(text, /<meta property="og:type" content="article">/);
  });

  test('says who, when and under what, each with its archive', async () => {
    const site = await aSite(engine);
    const { post, make } = await published(site);
    await make('settings', { date_format: 'd.m.Y', timezone: 'Europe/Prague', language: 'de_DE' });
    const text = await textOf(site, post.link);
    assert.match(text, /<html lang="de-DE">/);
    assert.match(text, /<time datetime="2026-11-10T09:00:00[^"]*">10\.11\.2026<\/time>/);
    assert.match(text, /<a href="http:\/\/site\.test\/author\/ada\/" rel="author"><bdi>Ada<\/bdi>/);
    assert.match(text, /<a href="http:\/\/site\.test\/category\/school-garden\/beds\/" rel="tag">Beds<\/a>/);
    assert.match(text, /<a href="http:\/\/site\.test\/tag\/summer\/" rel="tag">Summer<\/a>/);
  });

  test('shows what was said in threads, page by page, the approved alone', async () => {
    const site = await aSite(engine);
    const { post, make } = await published(site);
    const first = await make('comments', { post: post.id, content: 'The first.', author_url: 'javascript:alert(1)' });
    const answer = await make('comments', { post: post.id, parent: first.id, content: 'An answer.' });
    const waiting = await make('comments', { post: post.id, parent: answer.id, content: 'It waits.' });
    await make(`comments/${waiting.id}`, { status: 'hold' });
    const text = await textOf(site, post.link);
    assert.match(text, /2 comments/);
    assert.match(
      text,
      new RegExp(
        `<article id="comment-${first.id}">[\\s\\S]*?<ol class="talk"><li><article id="comment-${answer.id}">`,
      ),
    );
    assert.doesNotMatch(text, /It waits|javascript:|<form[^>]*comment/);
    for (let at = 0; at < 60; at++) await make('comments', { post: post.id, content: `Comment ${at}.` });
    const second = await site.get(`${pathOf(site, post.link)}comment-page-2/`);
    assert.equal(second.status, 200);
    assert.match(second.text, /Comment 59\./);
    assert.doesNotMatch(second.text, /The first\./);
    assert.equal((await site.get(`${pathOf(site, post.link)}comment-page-3/`)).status, 404);
    await make(`posts/${post.id}`, { content: 'Other.' });
    assert.match(await textOf(site, post.link), new RegExp(`href="${post.link}comment-page-2/#comments"`));
  });

  test('of a long text shows one part, and leads to the others', async () => {
    const site = await aSite(engine);
    const make = makerOf(site);
    const cut = '<!-- wp:nextpage -->\n<!--nextpage-->\n<!-- /wp:nextpage -->';
    const block = (text: string) => `<!-- wp:paragraph -->\n<p>${text}</p>\n<!-- /wp:paragraph -->`;
    const { link } = await make('posts', {
      title: 'Long',
      content: `${block('One.')}\n\n${cut}\n\n${block('Two.')}`,
      status: 'publish',
    });
    const [first, second] = [await textOf(site, link), await textOf(site, `${link}2/`)];
    assert.match(first, /<p>One\.<\/p>/);
    assert.doesNotMatch(first, /<p>Two\.|wp:nextpage/);
    assert.match(second, /<p>Two\.<\/p>/);
    assert.doesNotMatch(second, /<p>One\./);
    assert.match(second, new RegExp(`<link rel="canonical" href="${link}2/">`));
    assert.equal((await site.get(`${pathOf(site, link)}3/`)).status, 404);
  });

  test('has the menu that was published last, else the pages, as ways through the site', async () => {
    const site = await aSite(engine);
    const { post, about, people, make } = await published(site);
    await make('pages', { title: 'Closed', content: 'x', status: 'publish', password: 'x' });
    const navOf = (text: string): string => /<nav aria-label="Site">[\s\S]*?<\/nav>/.exec(text)?.[0] ?? '';
    const tree = navOf(await textOf(site, people.link));
    assert.match(
      tree,
      new RegExp(
        `<a href="${about.link}">About us</a>[\\s\\S]*<a href="${people.link}" aria-current="page">People</a>`,
      ),
    );
    assert.doesNotMatch(tree, /Closed/);
    await make('navigation', {
      title: 'Main',
      status: 'publish',
      content: [
        `<!-- wp:navigation-submenu {"label":"Garden \\u003cb\\u003e\\u0026amp; bed","url":"${post.link}"} -->`,
        '<!-- wp:navigation-link {"label":"Trick","url":"javascript:alert(1)"} /-->',
        '<!-- wp:navigation-link {"label":"Out","url":"https://example.org/?a=1\\u0026b=2"} /-->',
        '<!-- /wp:navigation-submenu --><!-- wp:home-link /--><!-- wp:search {"label":"Find"} /-->',
      ].join(''),
    });
    const menu = navOf(await textOf(site, people.link));
    assert.match(
      menu,
      /Garden &amp; bed<\/a><details><summary>[^\n]*Pages below[^\n]*<\/summary><ul[\s\S]*<a href="https:\/\/example\.org\/\?a=1&amp;b=2">Out<\/a>[\s\S]*<\/ul><\/details><\/li>\s*<li><a href="\/">Home/,
    );
    assert.doesNotMatch(menu, /javascript|Trick|People|Find/);
  });

  test('shows the logo of the site, which leads to the front page', async () => {
    const site = await aSite(engine);
    const { make, post, picture } = await published(site);
    const nameIn = async (): Promise<string> =>
      /<a class="name" href="\/">.*?<\/a>/s.exec(await textOf(site, post.link))?.[0] ?? '';
    assert.doesNotMatch(await nameIn(), /<img/);
    const { title } = await make('settings', { site_logo: picture.id });
    assert.match(
      await nameIn(),
      new RegExp(
        `<img width="300" height="193" src="${picture.media_details.sizes.medium.source_url}" class="logo" alt="${title}" style="background-color:${picture.dominant_color}" /><span aria-hidden="true">`,
      ),
    );
    await make(`media/${picture.id}`, { alt_text: 'A spade & a rake' });
    assert.match(await nameIn(), /alt="A spade &amp; a rake" style="[^"]*" \/><span>/);
    await make('settings', { site_logo: null });
    assert.doesNotMatch(await nameIn(), /<img/);
  });

  test('leads to the posts before and after, also of the same moment', async () => {
    const site = await aSite(engine);
    const make = makerOf(site);
    const links: string[] = [];
    for (const title of ['One', 'Two', 'Three'])
      links.push((await make('posts', { title, status: 'publish', date: '2026-11-01T00:00:00' })).link);
    const text = await textOf(site, links[1]!);
    assert.match(text, new RegExp(`<a href="${links[0]}" rel="prev">`));
    assert.match(text, new RegExp(`<a href="${links[2]}" rel="next">`));
    assert.doesNotMatch(await textOf(site, links[0]!), /rel="prev"/);
  });

  test('lets no script in, ends what a text leaves open, and is framed by nobody', async () => {
    const site = await aSite(engine);
    const make = makerOf(site);
    const nasty = '<script>alert(1)</script></main></body><div><b onclick="x()">open';
    await make('settings', { title: '</title><script>1</script>', description: '"><script>2</script>' });
    const { link } = await make('posts', { title: nasty, content: nasty, excerpt: nasty, status: 'publish' });
    const { text, headers } = await site.get(pathOf(site, link));
    const policy = headers.get('content-security-policy')!;
    assert.match(policy, /default-src 'none'/);
    assert.match(policy, /frame-ancestors 'none'/);
    assert.doesNotMatch(policy, /script-src|unsafe-eval/);
    assert.equal(headers.get('x-content-type-options'), 'nosniff');
    assert.equal(headers.get('x-frame-options'), 'DENY');
    assert.equal(text.match(/<\/main>/g)?.length, 1);
    assert.ok(text.endsWith('</footer>\n</body>\n</html>\n'));
    assert.doesNotMatch(text, /<script>[12]/);
    const embed = await site.get(`${pathOf(site, link)}embed/`);
    assert.match(
      embed.headers.get('content-security-policy')!,
      /script-src 'sha256-[^']+'; base-uri 'none'; form-action 'self'; frame-ancestors \*/,
    );
    assert.equal(embed.headers.get('x-frame-options'), null);
  });

  test('of what is shown of another page here lets in the script that knows it, and no other', async () => {
    const site = await aSite(engine);
    const { post, make } = await published(site);
    const { link } = await make('posts', {
      title: 'Within',
      content: `${post.link}\n\n<script>other()</script>`,
      status: 'publish',
    });
    const { text, headers } = await site.get(pathOf(site, link));
    assert.match(text, /<iframe [^>]*sandbox="allow-scripts"/);
    assert.match(headers.get('content-security-policy')!, /script-src 'sha256-[\w+/=]+';/);
    assert.doesNotMatch((await site.get('/feed/')).text, /addEventListener/);
  });
});

eachEngine('Maps for search engines', (engine) => {
  test('name what everybody may see, in parts', async () => {
    const site = await aSite(engine);
    const { post, people, bed, tag, picture, make } = await published(site);
    const whole = await site.get('/sitemap.xml');
    const parts = [...whole.text.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, url]) => url!);
    const places: string[] = [];
    for (const part of parts) {
      const { status, text } = await site.get(pathOf(site, part));
      assert.equal(status, 200, part);
      places.push(...[...text.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, url]) => url!));
    }
    for (const url of [post.link, people.link, bed.link, tag.link, 'http://site.test/', 'http://site.test/author/ada/'])
      assert.ok(places.includes(url), url);
    assert.equal(new Set(places).size, places.length);
    for (const url of places) assert.equal((await site.get(pathOf(site, url))).status, 200, url);
    for (const path of [
      '/sitemap-post-2.xml',
      '/sitemap-attachment-1.xml',
      '/sitemap-wp_block-1.xml',
      '/sitemap-x-1.xml',
    ])
      assert.equal((await site.get(path)).status, 404, path);
    assert.match(
      (await site.get('/robots.txt')).text,
      /^User-agent: \*\n[\s\S]*\nSitemap: http:\/\/site\.test\/sitemap\.xml\n$/,
    );
    const icon = await site.get('/favicon.ico');
    assert.deepEqual([icon.status, icon.text], [404, 'This site has no icon.\n']);
    await make('settings', { site_icon: picture.id });
    const found = await site.get('/favicon.ico');
    assert.deepEqual([found.status, found.headers.get('location')], [302, picture.source_url]);
    assert.ok((await site.get('/')).text.includes(`<link rel="icon" href="${picture.source_url}">`));
  });
});

eachEngine('Whatever is asked of the public site', (engine) => {
  test('it answers, and never with a failure', async () => {
    const site = await aSite(engine);
    await published(site);
    const part = fc.oneof(
      nastyText.map((text) => encodeURIComponent(text.toWellFormed())),
      fc.constantFrom(
        'feed',
        'embed',
        'page',
        '2',
        '2026',
        '11',
        '10',
        'category',
        'author',
        'ada',
        'beds',
        'the-garden-is-open',
      ),
    );
    const name = fc.constantFrom(
      'p',
      's',
      'm',
      'cat',
      'author',
      'paged',
      'feed',
      'preview',
      'preview_id',
      'tag',
      'page_id',
      's[]',
      'p[x]',
    );
    const asked = fc.tuple(
      fc.array(part, { maxLength: 6 }),
      fc.array(fc.tuple(name, part), { maxLength: 3 }),
      fc.boolean(),
    );
    const property = fc.asyncProperty(asked, async ([parts, query, slash]) => {
      const path = `/${parts.join('/')}${slash ? '/' : ''}`.replace(/^\/+/, '/');
      const address = `${path}?${query.map(([key, value]) => `${key}=${value}`).join('&')}`;
      const { status, text, headers } = await site.get(address.slice(0, 4000));
      assert.ok(status < 500, `${status} ${address} ${text}`);
      assert.doesNotMatch(text, /node:internal|\bat .*\.ts:\d|SQLITE|select .* from/i);
      const to = headers.get('location');
      assert.ok(to === null || to.startsWith('http://site.test/'), `${to}`);
    });
    await fc.assert(property, { numRuns: 150 });
  });
});
