// What a text shows of its own record, and of others whose text stands in it.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { eachEngine } from '#test/databases.ts';
import { picture } from '#test/pictures.ts';
import { aSite, type TestSite } from '#test/site.ts';
import { send } from '#test/uploads.ts';

const core = '/api/core/v2';

eachEngine('Blocks of a record', (engine) => {
  let site: TestSite;
  before(async () => {
    site = await aSite(engine);
  });

  const add = async (path: string, said: object): Promise<{ id: number; content: { rendered: string } }> => {
    const { status, body } = await site.as('administrator').post(`${core}/${path}`, { status: 'publish', ...said });
    assert.equal(status, 201, JSON.stringify(body));
    return body;
  };
  const shown = async (content: string, said: object = {}): Promise<string> => {
    const { id } = await add('posts', { title: 'Said & done', slug: 'said', content, ...said });
    const { body } = await site.get(`${core}/posts/${id}`);
    await site.as('administrator').delete(`${core}/posts/${id}?force=true`);
    return body.content.rendered.trim();
  };
  const address = 'http://site.test/2026/11/20/said/';

  test('its title', async () => {
    assert.equal(await shown('<!-- wp:post-title /-->'), '<h2 class="wp-block-post-title">Said &#038; done</h2>');
    assert.equal(
      await shown('<!-- wp:post-title {"level":0,"isLink":true,"textAlign":"center","rel":"author"} /-->'),
      `<p class="has-text-align-center wp-block-post-title"><a href="${address}" target="_self" rel="author">Said &#038; done</a></p>`,
    );
    assert.equal(await shown('<!-- wp:post-title /-->', { title: '' }), '');
  });

  test('its date, in the form of the site or in another', async () => {
    const time = '<time datetime="2026-11-20T12:00:00+00:00">';
    assert.equal(
      await shown('<!-- wp:post-date /-->'),
      `<div class="wp-block-post-date">${time}November 20, 2026</time></div>`,
    );
    assert.equal(
      await shown('<!-- wp:post-date {"format":"d.m.y","displayType":"modified","isLink":true} /-->'),
      `<div class="wp-block-post-date__modified-date wp-block-post-date">${time}<a href="${address}" target="_self">20.11.26</a></time></div>`,
    );
  });

  test('its excerpt', async () => {
    const excerpt = (text: string) =>
      `<div class="wp-block-post-excerpt"><p class="wp-block-post-excerpt__excerpt">${text}`;
    assert.equal(
      await shown(
        '<!-- wp:post-excerpt {"excerptLength":2} /--><!-- wp:paragraph --><p>a b c</p><!-- /wp:paragraph -->',
      ),
      `${excerpt('a b &#91;&hellip;]')}</p></div><p>a b c</p>`,
    );
    assert.equal(
      await shown('<!-- wp:post-excerpt {"moreText":"On"} /-->', { excerpt: 'Own' }),
      `${excerpt('Own')}</p><p class="wp-block-post-excerpt__more-text"><a class="wp-block-post-excerpt__more-link" href="${address}">On</a></p></div>`,
    );
  });

  test('its picture', async () => {
    const featured_media = (await send(site, 'administrator', 'tower.jpg', await picture(400, 300))).body.id;
    const html = await shown('<!-- wp:post-featured-image {"sizeSlug":"medium","isLink":true} /-->', {
      featured_media,
    });
    assert.match(
      html,
      /^<figure class="wp-block-post-featured-image"><a href="[^"]*\/said\/" target="_self"><img [^>]*width="300" height="225" src="[^"]*tower-300x225.jpg" class="attachment-medium size-medium wp-post-image"[^>]* srcset="[^"]*tower-300x225.jpg 300w, [^"]*tower.jpg 400w"[^>]*\/><\/a><\/figure>$/,
    );
    assert.equal(await shown('<!-- wp:post-featured-image /-->'), '');
  });

  test('what the site is called', async () => {
    await site.as('administrator').put(`${core}/settings`, { title: 'Parish "of" <St>' });
    const name = 'Parish &quot;of&quot; &lt;St&gt;';
    assert.equal(
      await shown('<!-- wp:site-title /-->'),
      `<h1 class="wp-block-site-title"><a href="http://site.test" target="_self" rel="home">${name}</a></h1>`,
    );
    assert.equal(
      await shown('<!-- wp:site-title {"level":0,"isLink":false} /-->'),
      `<p class="wp-block-site-title">${name}</p>`,
    );
  });

  test('its notes', async () => {
    const footnotes = JSON.stringify([{ id: 'a"b', content: 'One <em>note' }, { id: 'c', content: 'Two' }, 5]);
    const back = (id: string, number: number) =>
      `<a href="#${id}-link" aria-label="Jump to footnote reference ${number}">↩︎</a></li>`;
    assert.equal(
      await shown('<!-- wp:footnotes /-->', { meta: { footnotes } }),
      `<ol class="wp-block-footnotes"><li id="ab">One <em>note</em> ${back('ab', 1)}<li id="c">Two ${back('c', 2)}</ol>`,
    );
    assert.equal(await shown('<!-- wp:footnotes /-->', { meta: { footnotes: '{' } }), '');
  });

  test('a block that is kept once says of the record what it is shown in', async () => {
    const { id } = await add('blocks', {
      title: 'Kept',
      content: '<!-- wp:post-title /--> and <!-- wp:post-content /-->',
    });
    assert.equal(
      await shown(`<!-- wp:block {"ref":${id}} /-->`),
      '<h2 class="wp-block-post-title">Said &#038; done</h2> and',
    );
  });

  test('texts that show each other are shown once', async () => {
    const one = await add('blocks', { title: 'One', content: 'one' });
    const other = await add('blocks', { title: 'Other', content: `other <!-- wp:block {"ref":${one.id}} /-->` });
    await site
      .as('administrator')
      .put(`${core}/blocks/${one.id}`, { content: `one <!-- wp:block {"ref":${other.id}} /-->` });
    assert.equal(await shown(`<!-- wp:block {"ref":${one.id}} /--> end`), 'one other  end');
  });
});
