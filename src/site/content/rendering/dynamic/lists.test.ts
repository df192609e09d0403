// Blocks that list what the site publishes, as anybody reads them: on the page where somebody put them.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { eachEngine } from '#test/databases.ts';
import { picture } from '#test/pictures.ts';
import { aSite, type TestSite } from '#test/site.ts';
import { send } from '#test/uploads.ts';

const core = '/api/core/v2';
const post = (address: string, title: string, more = ''): string =>
  `<li>${more}<a class="wp-block-latest-posts__post-title" href="http://site.test/${address}/">${title}</a>`;
const fete = '2026/11/19/fete-at-noon';

eachEngine('Blocks that list', (engine) => {
  let site: TestSite;
  const ids: Record<string, number> = {};

  const add = async (path: string, said: object): Promise<number> => {
    const { status, body } = await site.as('administrator').post(`${core}/${path}`, said);
    assert.equal(status, 201, JSON.stringify(body));
    return body.id;
  };
  const publish = (path: string, said: object): Promise<number> => add(path, { status: 'publish', ...said });
  const seen = async (page: number): Promise<string> =>
    (await site.get(`${core}/pages/${page}`)).body.content.rendered.trim();

  /** As anybody sees it. */
  const shown = async (name: string, attributes: object = {}): Promise<string> => {
    const content = `<!-- wp:${name} ${JSON.stringify(attributes)} /-->`;
    await site.as('administrator').put(`${core}/pages/${ids.host}`, { content });
    return seen(ids.host!);
  };

  before(async () => {
    site = await aSite(engine);
    ids.news = await add('categories', { name: 'News & views', slug: 'news' });
    ids.local = await add('categories', { name: 'Local', slug: 'local', parent: ids.news });
    ids.choir = await add('tags', { name: 'Choir', slug: 'choir' });
    ids.bells = await add('tags', { name: 'Bells', slug: 'bells' });
    ids.picture = (await send(site, 'administrator', 'tower.jpg', await picture(400, 300))).body.id;
    await site.as('administrator').put(`${core}/media/${ids.picture}`, { alt_text: 'The "tower"' });
    await publish('posts', { title: 'Old', date: '2025-03-02T08:00:00', content: 'Words of old', tags: [ids.choir] });
    ids.fete = await publish('posts', {
      title: 'Fête <b>at noon',
      date: '2026-11-19T08:00:00',
      content: 'One two [x] four',
      tags: [ids.choir, ids.bells],
      featured_media: ids.picture,
      categories: [ids.local],
    });
    await publish('posts', { title: 'Closed', date: '2026-11-19T09:00:00', content: 'Secret', password: 'sesame' });
    await add('posts', { title: 'Kept back', status: 'draft' });
    ids.ours = await add('posts', { title: 'Ours', status: 'private' });
    ids.top = await publish('pages', { title: 'Top', menu_order: 1 });
    ids.below = await publish('pages', { title: 'Below', parent: ids.top });
    await publish('pages', { title: 'Closed page', password: 'sesame' });
    ids.host = await publish('pages', { title: 'Host' });
  });

  test('the newest posts are those that everybody may read', async () =>
    assert.equal(
      await shown('latest-posts'),
      `<ul class="wp-block-latest-posts__list wp-block-latest-posts">${post(fete, 'Fête <b>at noon</b>')}</li>\n${post('2025/03/02/old', 'Old')}</li>\n</ul>`,
    ));

  test('no text has more than twenty lists of posts that differ', async () => {
    const list = (_: unknown, at: number) =>
      `<!-- wp:latest-posts {"className":"a${at}","excerptLength":${at + 1}} /-->`;
    const content = Array.from({ length: 30 }, list).join('');
    await site.as('administrator').put(`${core}/pages/${ids.host}`, { content: content + content });
    const classes = Array.from((await seen(ids.host!)).matchAll(/ a(\d+)"/g), ([, at]) => Number(at));
    const first = Array.from({ length: 20 }, (_, at) => at);
    assert.deepEqual(classes, [...first, ...first]);
  });

  test('a post shows as much of itself as somebody wants', async () => {
    const all = { displayPostDate: true, displayAuthor: true, displayPostContent: true, displayFeaturedImage: true };
    const html = await shown('latest-posts', {
      ...all,
      addLinkToFeaturedImage: true,
      excerptLength: 2,
      postsToShow: 1,
    });
    const img =
      'width="150" height="150" src="http://site.test/wp-content/uploads/2026/11/tower-150x150.jpg" class="attachment-thumbnail size-thumbnail wp-post-image" alt="The &quot;tower&quot;" style="background-color:#3466ab" /></a></div>';
    const [, pictured] = html.split(img);
    assert.equal(
      pictured,
      post(fete, 'Fête <b>at noon</b>').slice('<li>'.length) +
        '<div class="wp-block-latest-posts__post-author">by administrator</div>' +
        '<time datetime="2026-11-19T08:00:00+00:00" class="wp-block-latest-posts__post-date">November 19, 2026</time>' +
        '<div class="wp-block-latest-posts__post-excerpt">One two &#91;&hellip;]</div></li>\n</ul>',
    );
    assert.match(
      html,
      /^<ul class="wp-block-latest-posts__list has-dates has-author wp-block-latest-posts"><li><div class="wp-block-latest-posts__featured-image"><a href="[^"]*\/fete-at-noon\/"><img /,
    );
  });

  test('posts are sorted and chosen as somebody wants', async () => {
    const titles = async (attributes: object) =>
      [...(await shown('latest-posts', attributes)).matchAll(/post-title" [^>]*>(\S+)/g)].map(([, title]) => title);
    assert.deepEqual(await titles({ order: 'asc' }), ['Old</a></li>', 'Fête']);
    assert.deepEqual(await titles({ orderBy: 'title', order: 'asc' }), ['Fête', 'Old</a></li>']);
    assert.deepEqual(await titles({ categories: [{ id: ids.local }] }), ['Fête']);
    assert.deepEqual(await titles({ selectedAuthor: 9_999 }), []);
    assert.deepEqual(await titles({ postsToShow: 1 }), ['Fête']);
  });

  test('a picture of what is not published stays unseen', async () => {
    await site.as('administrator').put(`${core}/media/${ids.picture}`, { post: ids.ours });
    assert.doesNotMatch(await shown('latest-posts', { displayFeaturedImage: true }), /<img/);
    await site.as('administrator').put(`${core}/media/${ids.picture}`, { post: 0 });
    assert.match(await shown('latest-posts', { displayFeaturedImage: true }), /<img/);
  });

  test('comments are shown of what everybody may read', async () => {
    assert.equal(
      await shown('latest-comments'),
      '<div class="no-comments wp-block-latest-comments">No comments to show.</div>',
    );
    const said = (about: number | undefined, content: string) =>
      site.as('administrator').post(`${core}/comments`, {
        post: about,
        content,
        author_name: 'Ann <x>',
        author_email: 'a@b.test',
        author_url: 'http://ann.test',
      });
    assert.equal((await said(ids.fete, `<b>[gallery] one</b> ${'word '.repeat(30)}`)).status, 201);
    assert.equal((await said(ids.ours, 'Of ours')).status, 201);
    const html = await shown('latest-comments', { displayAvatar: false });
    assert.match(
      html,
      /^<ol class="has-dates has-excerpts wp-block-latest-comments"><li class="wp-block-latest-comments__comment"><article>/,
    );
    assert.match(
      html,
      /<a class="wp-block-latest-comments__comment-author" href="http:\/\/ann.test\/?" rel="nofollow ugc">Ann[^<]*<\/a> on <a class="wp-block-latest-comments__comment-link" href="http:\/\/site.test\/2026\/11\/19\/fete-at-noon\/#comment-\d+">Fête/,
    );
    assert.match(html, /comment-excerpt"><p>&#91;gallery\] one (?:word ){17}word…<\/p>/);
    assert.match(
      html,
      /datetime="2026-11-20T12:00:00\+00:00" class="wp-block-latest-comments__comment-date">November 20, 2026</,
    );
    assert.doesNotMatch(html, /Ours|<img/);
    assert.match(
      await shown('latest-comments', {}),
      /<img[^>]* class="avatar avatar-48 photo wp-block-latest-comments__comment-avatar"/,
    );
  });

  test('categories lie below each other, also below one that nothing carries', async () => {
    assert.equal(
      await shown('categories', { showHierarchy: true, showPostCounts: true }),
      '<ul class="wp-block-categories-list wp-block-categories-taxonomy-category wp-block-categories">' +
        `\t<li class="cat-item cat-item-${ids.news}"><a href="http://site.test/category/news/">News &amp; views</a> (0)\n` +
        `<ul class="children">\n\t<li class="cat-item cat-item-${ids.local}"><a href="http://site.test/category/news/local/">Local</a> (1)\n</li>\n</ul>\n</li>\n` +
        '\t<li class="cat-item cat-item-1"><a href="http://site.test/category/uncategorized/">Uncategorized</a> (2)\n</li>\n</ul>',
    );
    assert.doesNotMatch(await shown('categories'), /News/);
    assert.match(await shown('categories', { showEmpty: true, showOnlyTopLevel: true }), /News.*Uncat/s);
  });

  test('terms may be chosen from, and only those of taxonomies that everybody may see', async () => {
    const html = await shown('categories', { displayAsDropdown: true, taxonomy: 'post_tag' });
    assert.match(html, /<select name="tag" id="wp-block-categories-1" class="postform">/);
    assert.match(html, /<option class="level-0" value="choir">Choir<\/option>/);
    assert.equal(await shown('categories', { taxonomy: 'wp_pattern_category' }), '');
    assert.equal(await shown('categories', { taxonomy: 'nonsense' }), '');
  });

  test('months are those in which something was published', async () => {
    assert.equal(
      await shown('archives', { showPostCounts: true }),
      '<ul class="wp-block-archives-list wp-block-archives">' +
        '\t<li><a href="http://site.test/2026/11/">November 2026</a>&nbsp;(2)</li>\n' +
        '\t<li><a href="http://site.test/2025/03/">March 2025</a>&nbsp;(1)</li>\n</ul>',
    );
    assert.match(await shown('archives', { type: 'yearly' }), /\/2026\/">2026<.*\/2025\/">2025</s);
    assert.match(await shown('archives', { type: 'daily' }), /\/2026\/11\/19\/">November 19, 2026</);
  });

  test('months may be chosen from without a script, and the choice leads to their page', async () => {
    assert.match(
      await shown('archives', { displayAsDropdown: true }),
      /<form action="http:\/\/site.test\/" method="get"><label[^>]*>Archives<\/label><select id="wp-block-archives-1" name="m"><option value="">Select Month<\/option><option value="202611">November 2026<.*<\/select><button type="submit">Show<\/button><\/form><\/div>$/,
    );
    for (const [type, time, path] of [
      ['monthly', '202611', '2026/11'],
      ['yearly', '2026', '2026'],
      ['daily', '20261119', '2026/11/19'],
    ] as const) {
      assert.ok(
        (await shown('archives', { displayAsDropdown: true, type })).includes(`<option value="${time}">`),
        type,
      );
      const { status, headers } = await site.get(`/?m=${time}`);
      assert.deepEqual([status, headers.get('location')], [301, `http://site.test/${path}/`]);
    }
  });

  test('tags are the larger the more carry them', async () =>
    assert.equal(
      await shown('tag-cloud', { showTagCounts: true, largestFontSize: '20pt' }),
      '<p class="wp-block-tag-cloud">' +
        `<a href="http://site.test/tag/bells/" class="tag-cloud-link tag-link-${ids.bells} tag-link-position-1" style="font-size: 8pt;" aria-label="Bells (1 item)">Bells<span class="tag-link-count"> (1)</span></a>\n` +
        `<a href="http://site.test/tag/choir/" class="tag-cloud-link tag-link-${ids.choir} tag-link-position-2" style="font-size: 20pt;" aria-label="Choir (2 items)">Choir<span class="tag-link-count"> (2)</span></a></p>`,
    ));

  test('a search field says what somebody wants it to', async () =>
    assert.equal(
      await shown('search', { label: 'Find <b>it</b>', placeholder: '"x', buttonText: 'Go', width: 50 }),
      '<form role="search" method="get" action="http://site.test/" class="wp-block-search__button-outside wp-block-search__text-button wp-block-search">' +
        '<label class="wp-block-search__label" for="wp-block-search__input-1">Find it</label>' +
        '<div class="wp-block-search__inside-wrapper" style="width: 50%"><input class="wp-block-search__input" id="wp-block-search__input-1" placeholder="&quot;x" value="" type="search" name="s" required />' +
        '<button aria-label="Go" class="wp-block-search__button wp-element-button" type="submit">Go</button></div></form>',
    ));

  test('pages lie below each other, in their order', async () => {
    const page = (address: string, title: string, classes = '', here = '') =>
      `<li class="wp-block-pages-list__item${classes}"><a class="wp-block-pages-list__item__link"${here} href="http://site.test/${address}/">${title}</a>`;
    const below = page('top/below', 'Below');
    assert.equal(
      await shown('page-list'),
      `<ul class="wp-block-page-list">${page('host', 'Host', ' current-menu-item', ' aria-current="page"')}</li>` +
        `${page('top', 'Top', ' has-child')}<ul class="wp-block-navigation__submenu-container">${below}</li></ul></li></ul>`,
    );
    assert.equal(
      await shown('page-list', { parentPageID: ids.top }),
      `<ul class="wp-block-page-list">${below}</li></ul>`,
    );
  });

  test('of a navigation only what stands in it is shown, and its own entries are not', async () => {
    const link = '<!-- wp:navigation-link {"label":"About","url":"/about/"} /-->';
    const content = `<!-- wp:navigation -->${link}<!-- wp:page-list /--><!-- /wp:navigation --><!-- wp:home-link {"label":"Home"} /-->`;
    const menu = await publish('navigation', { title: 'Menu', content });
    const { body } = await site.get(`${core}/navigation/${menu}`);
    assert.match(body.content.rendered, /^<ul class="wp-block-page-list">.*<\/ul>\s*$/s);
    assert.doesNotMatch(body.content.rendered, /About|Home/);
    assert.equal(await shown('navigation', { ref: menu }), '');
    const read = await site.as('administrator').get(`${core}/navigation/${menu}?context=edit&_fields=content.raw`);
    assert.deepEqual(read.body, { content: { raw: content } });
  });

  test('what somebody wrote of a block never becomes more than text', async () => {
    const nasty = '"><script>x</script>[gallery]';
    const attributes = {
      className: `good ${nasty} alsogood`,
      align: nasty,
      textAlign: nasty,
      label: nasty,
      placeholder: nasty,
      buttonText: nasty,
      order: nasty,
      orderBy: { $: 1 },
      postsToShow: 1e308,
      commentsToShow: 'x',
      taxonomy: nasty,
      numberOfTags: -1,
      smallestFontSize: nasty,
      categories: { id: nasty },
      selectedAuthor: [nasty],
      columns: 0.5,
      postLayout: 'grid',
      featuredImageSizeSlug: nasty,
      featuredImageAlign: nasty,
      displayFeaturedImage: true,
      displayPostContent: 'yes',
      excerptLength: null,
      type: nasty,
      parentPageID: '1',
      width: nasty,
      widthUnit: nasty,
      displayAsDropdown: true,
      showPostCounts: [],
      isLink: true,
      rel: nasty,
      linkTarget: nasty,
      level: 99,
      format: nasty,
      moreText: nasty,
      sizeSlug: nasty,
    };
    const names = ['latest-posts', 'latest-comments', 'categories', 'archives', 'tag-cloud', 'search', 'page-list'];
    const ofRecord = ['post-title', 'post-date', 'post-excerpt', 'post-featured-image', 'site-title', 'footnotes'];
    for (const name of [...names, ...ofRecord]) {
      const html = await shown(name, attributes);
      assert.doesNotMatch(html, /<script|class=""|\[gallery/, name);
      assert.doesNotMatch(html, /undefined|NaN|null|\[object/, name);
    }
  });
});
