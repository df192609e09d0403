import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachEngine } from '#test/databases.ts';
import { aSite } from '#test/site.ts';

eachEngine('footnotes', (engine) => {
  const notes = JSON.stringify([{ id: 'a-1"', content: '<em>See</em> <img src=x onerror=y><script>z</script>' }]);
  const safe = JSON.stringify([{ id: 'a-1', content: '<em>See</em> <img src="x">z' }]);

  test('are filtered for people who may not write all of HTML, in records, histories and what is not saved yet', async () => {
    const site = await aSite(engine);
    const author = site.as('author');
    const posts = '/api/core/v2/posts';
    const { body: post } = await author.post(posts, { title: 'T', status: 'publish', meta: { footnotes: notes } });
    assert.equal(post.meta.footnotes, safe);
    const unsaved = await author.post(`${posts}/${post.id}/autosaves`, { title: 'U', meta: { footnotes: notes } });
    assert.equal(unsaved.body.meta.footnotes, safe);
    for (const [sent, kept] of [
      [notes, safe],
      ['<script>', ''],
      ['{"a":"<script>"}', ''],
      ['["<script>",{"id":1},null]', ''],
    ] as const) {
      const { body } = await author.post(`${posts}/${post.id}`, { meta: { footnotes: sent } });
      assert.equal(body.meta.footnotes, kept);
    }
    const { body: history } = await author.get(`${posts}/${post.id}/revisions`);
    assert.ok(history.length > 0);
    assert.doesNotMatch(JSON.stringify(history), /script|onerror/);
  });

  test('are kept as they are for people who may', async () => {
    const editor = (await aSite(engine)).as('editor');
    const { body } = await editor.post('/api/core/v2/pages', { title: 'T', meta: { footnotes: notes } });
    assert.equal(body.meta.footnotes, notes);
  });
});
