import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachEngine } from '#test/databases.ts';
import { aSite } from '#test/site.ts';

eachEngine('what may be written', (engine) => {
  test('by people who may not write all of HTML has no handler in it, wherever a record shows it', async () => {
    const site = await aSite(engine);
    const attempts = [
      '<!-- wp:paragraph --><p title="[caption]">a[/caption]" onmouseover=b c',
      '<!-- wp:paragraph --><a href="[gallery">a ]" onmouseover=b c<b>',
      '<p title="[caption]">a[/caption]" onmouseover=b c',
      '<a title="<!--more-->" onmouseover=b>c</a>',
    ];
    for (const written of attempts) {
      const said = { title: written, content: written, status: 'publish' };
      const { body } = await site.as('author').post('/api/core/v2/posts', said);
      const shown = (await site.get(`/api/core/v2/posts/${body.id}`)).body;
      for (const { rendered } of [shown.title, shown.content, shown.excerpt])
        assert.doesNotMatch(rendered, /<[a-z]+(?:[^<>"]|"[^"]*")*\sonmouseover/i, written);
    }
  });

  test('is not more than 4 MiB once it is filtered either', async () => {
    const author = (await aSite(engine)).as('author');
    const { body: post } = await author.post('/api/core/v2/posts', { title: 'T', status: 'publish' });
    const content = '&'.repeat(1024 * 1024);
    for (const path of ['', `/${post.id}`, `/${post.id}/autosaves`]) {
      const { status, body } = await author.post(`/api/core/v2/posts${path}`, { content });
      assert.deepEqual([status, body.code], [413, 'rest_content_too_large'], path);
    }
    assert.equal((await author.get('/api/core/v2/posts?status=any')).headers.get('x-wp-total'), '1');
  });
});
