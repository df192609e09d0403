import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachEngine } from '#test/databases.ts';
import { aSite } from '#test/site.ts';

const api = '/api/core/v2';

eachEngine('addresses', (engine) => {
  test('of posts, terms, authors and formats begin as the site says, and lead back', async () => {
    const site = await aSite(engine, {
      env: {
        GATEHOUSE_PERMALINK: '/news/%post_id%-%postname%.html',
        GATEHOUSE_CATEGORY_BASE: 'themes',
        GATEHOUSE_TAG_BASE: 'words',
        GATEHOUSE_AUTHOR_BASE: 'people',
        GATEHOUSE_TYPE_BASE: 'kinds',
      },
    });
    const editor = site.as('editor');
    const { body: tag } = await editor.post(`${api}/tags`, { name: 'River' });
    const { body: post } = await editor.post(`${api}/posts`, { title: 'Bank', status: 'publish', tags: [tag.id] });
    const link = `http://site.test/news/${post.id}-bank.html`;
    assert.deepEqual([post.link, post.guid.raw], [link, link]);
    assert.equal(post.permalink_template, `http://site.test/news/${post.id}-%postname%.html`);
    assert.equal(tag.link, 'http://site.test/words/river/');
    assert.equal((await site.get(`${api}/categories/1`)).body.link, 'http://site.test/themes/uncategorized/');
    const { body: author } = await site.get(`${api}/users/${post.author}`);
    assert.equal(author.link, 'http://site.test/people/editor/');
    const { body: formats } = await site.get(`${api}/search?type=post-format&search=aside`);
    assert.equal(formats[0].url, 'http://site.test/kinds/aside/');
    const embedded = await site.get(`/api/oembed/1.0/embed?url=${encodeURIComponent(link)}`);
    assert.deepEqual([embedded.status, embedded.body.author_url], [200, author.link]);
    for (const [path, status] of [
      [`news/${post.id}-renamed.html`, 200],
      [`news/${post.id + 1}-bank.html`, 404],
      [`news/${post.id}-bank`, 404],
    ] as const) {
      const url = encodeURIComponent(`http://site.test/${path}`);
      assert.equal((await site.get(`/api/oembed/1.0/embed?url=${url}`)).status, status, path);
    }
  });

  test('of posts may look like those of pages, which come first', async () => {
    const site = await aSite(engine, { env: { GATEHOUSE_PERMALINK: '/%postname%/' } });
    const editor = site.as('editor');
    const embedded = async (url: string) =>
      (await site.get(`/api/oembed/1.0/embed?url=${encodeURIComponent(url)}`)).body.title;
    const { body: post } = await editor.post(`${api}/posts`, { title: 'River', status: 'publish' });
    assert.equal(post.link, 'http://site.test/river/');
    assert.equal(await embedded(post.link), 'River');
    const said = { title: 'A page', slug: 'river', status: 'publish' };
    assert.equal((await editor.post(`${api}/pages`, said)).body.link, post.link);
    assert.equal(await embedded(post.link), 'A page');
  });
});
