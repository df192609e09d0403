// What was said about a record is on its pages, and whatever leads to it leads to the page that has it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commentRows } from '#test/comment-rows.ts';
import { eachEngine } from '#test/databases.ts';
import { pathOf, published } from '#test/published.ts';
import { aSite } from '#test/site.ts';

eachEngine('A comment that everybody may see', (engine) => {
  test('is where links on pages and in feeds lead, and its link in the interface stays as it was', async () => {
    const site = await aSite(engine);
    const { post } = await published(site);
    const said = await commentRows(site.app.services.store, 70, () => ({ post_id: post.id }));
    const path = pathOf(site, post.link);
    for (const [page, number] of [
      [`${path}comment-page-2/`, said[60]!.id],
      [path, said[3]!.id],
    ] as const) {
      const { text } = await site.get(page);
      assert.match(
        text,
        new RegExp(`<article id="comment-${number}">[^§]*?href="http://site.test${page}#comment-${number}"`),
      );
    }
    for (const feed of ['/comments/feed/', `${path}feed/`]) {
      const { text } = await site.get(feed);
      const links = [...text.matchAll(/<link>([^<]*)#(comment-\d+)<\/link>/g)];
      assert.equal(links.length, 10);
      for (const [, url, id] of links)
        assert.ok((await site.get(pathOf(site, url!))).text.includes(`id="${id}"`), `${id} at ${url}`);
    }
    const { body } = await site.get(`/api/core/v2/comments/${said[60]!.id}`);
    assert.equal(body.link, `${post.link}#comment-${said[60]!.id}`);
  });

  test('is shown though what it answers is not, and says that it answers something', async () => {
    const site = await aSite(engine);
    const { post, make } = await published(site);
    const first = await make('comments', { post: post.id, content: 'The first.' });
    const answer = await make('comments', { post: post.id, parent: first.id, content: 'An answer.' });
    await make(`comments/${first.id}`, { status: 'hold' });
    const { text } = await site.get(pathOf(site, post.link));
    assert.match(text, /One comment/);
    assert.match(text, new RegExp(`id="comment-${answer.id}">[^§]*Reply to a comment that is not on this page`));
    assert.doesNotMatch(text, /The first\./);
  });

  test('is no mention of a page elsewhere: those stand apart, and are no comments', async () => {
    const site = await aSite(engine);
    const { post } = await published(site);
    const path = pathOf(site, post.link);
    assert.doesNotMatch((await site.get(path)).text, /Mentioned elsewhere/);
    const told = [
      { type: 'pingback', author_name: 'Ping &laquo; <b>Blog</b>', author_url: 'https://ping.example/a?b=1&c="' },
      { type: 'trackback', author_name: 'Track', author_url: 'javascript:alert(1)' },
      { type: 'pingback', author_name: 'Waiting', status: 'hold' },
      { type: 'comment', content: 'A word.' },
    ];
    const rows = await commentRows(site.app.services.store, told.length, (at) => ({ post_id: post.id, ...told[at] }));
    const { text } = await site.get(path);
    const [talk = '', apart = ''] = text.split('Mentioned elsewhere');
    assert.match(talk, /One comment/);
    assert.match(
      apart,
      new RegExp(
        `<li id="comment-${rows[1]!.id}"><bdi>Track</bdi> · <time [^§]*<li id="comment-${rows[0]!.id}">` +
          '<a href="https://ping.example/a\\?b=1&amp;c=&quot;" rel="nofollow ugc external"><bdi>Ping « Blog</bdi></a>',
      ),
    );
    assert.doesNotMatch(text, /Waiting|javascript:/);
  });

  test('of pages elsewhere only the newest are listed', async () => {
    const site = await aSite(engine);
    const { post } = await published(site);
    await commentRows(site.app.services.store, 60, (at) => ({
      post_id: post.id,
      type: 'pingback',
      author_name: `Blog ${at}.`,
    }));
    const { text } = await site.get(pathOf(site, post.link));
    assert.match(text, /Blog 59\.[^§]*Blog 10\.[^§]*This list shows only the newest mentions/);
    assert.doesNotMatch(text, /Blog 9\.|comments<\/h2>/);
  });
});
