// What people write ends where it stands: whatever they leave open, the rest of a public page stays as it is.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachEngine } from '#test/databases.ts';
import { makerOf, pathOf, published, upload } from '#test/published.ts';
import { aSite } from '#test/site.ts';

const breakingOut = 'So </p></figure></div></article></section></main></footer><h1>Not of this site</h1><div hidden>';

eachEngine('What a text leaves open', (engine) => {
  test('as the caption of a file, ends within the caption', async () => {
    const site = await aSite(engine);
    const file = await upload(site, 'garden');
    const { link } = await makerOf(site)(`media/${file.id}`, { caption: breakingOut });
    const { text } = await site.get(pathOf(site, link));
    assert.equal(text.match(/<\/main>/g)?.length, 1);
    const caption = /<figcaption>(.*?)<\/figcaption>/s.exec(text)![1]!;
    assert.match(caption, /<h1>Not of this site<\/h1>\s*<div hidden>\s*<\/div>/);
    assert.doesNotMatch(caption, /<\/(?:figure|article|main)>/);
  });

  test('takes in nothing of what comes after it, on its own page or another', async () => {
    const site = await aSite(engine);
    const { make, post } = await published(site);
    for (const open of ['<!-- open', '<b title="open', '<plaintext>open']) {
      const said = `Here ${open}`;
      const { id, link } = await make('posts', { title: said, content: said, excerpt: said, status: 'publish' });
      for (const path of ['/', pathOf(site, link), pathOf(site, post.link), `${pathOf(site, link)}embed/`]) {
        const { text } = await site.get(path);
        assert.doesNotMatch(text, /<!--|<b title="|<plaintext/, `${open} at ${path}`);
        assert.match(text, /Here/, path);
      }
      await site.as('administrator').delete(`/api/core/v2/posts/${id}?force=true`);
    }
  });

  test('a link in a title leads nowhere from where the title itself is a link', async () => {
    const site = await aSite(engine);
    const { make, post } = await published(site);
    const title = '<a href="https://evil.test/">Go</a> <button>there</button><select><option>now</select>';
    const { link } = await make('posts', { title, content: 'Here.', status: 'publish' });
    await make('posts', { title: 'List', content: '<!-- wp:latest-posts /-->', status: 'publish', slug: 'list' });
    const list = pathOf(site, (await site.get('/api/core/v2/posts?slug=list')).body[0].link);
    for (const path of ['/', pathOf(site, post.link), `${pathOf(site, link)}embed/`, list]) {
      const { text } = await site.get(path);
      assert.doesNotMatch(text, /evil\.test|<select/, path);
      assert.match(text, new RegExp(`<a [^>]*href="${link}"[^>]*>Go therenow</a>`), path);
    }
  });
});
