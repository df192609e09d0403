// Texts that would be kept longer than they were sent: a little is fine, more is not, and nobody waits for them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachEngine } from '#test/databases.ts';
import { aSite } from '#test/site.ts';

const core = '/api/core/v2';
const posts = `${core}/posts`;
const mebi = 1024 * 1024;

/** Marks of blocks in what marks say; what is inside is to be taken out. */
function nested(depth: number): string {
  let text = '<b onclick=x>x</b>';
  for (let level = 0; level < depth; level++) {
    const said = text.replace(/[\\"<>&-]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
    text = `<!-- wp:x {"a":"${said}"} -->`;
  }
  return text;
}

const notes = (content: string): string => JSON.stringify([{ id: 'a', content }]);

eachEngine('texts that grow', (engine) => {
  test('marks in marks are kept no longer than they were sent, wherever they stand', async () => {
    const site = await aSite(engine);
    const contributor = site.as('contributor');
    const [text, footnotes] = [nested(32), notes(nested(32))];
    const { status, body } = await contributor.post(posts, { title: 'T', content: text, excerpt: text });
    assert.equal(status, 201);
    const unsaved = await contributor.post(`${posts}/${body.id}/autosaves`, { content: text, meta: { footnotes } });
    const noted = await contributor.post(`${posts}/${body.id}`, { meta: { footnotes } });
    const category = await site.as('editor').post(`${core}/categories`, { name: 'C', description: text });
    assert.doesNotMatch(category.body.description, /<b/);
    const kept = {
      content: body.content.raw,
      excerpt: body.excerpt.raw,
      autosave: unsaved.body.content.raw,
      unsaved: unsaved.body.meta.footnotes,
      notes: noted.body.meta.footnotes,
    };
    for (const [where, one] of Object.entries(kept)) {
      assert.ok(one.length > 0 && one.length < 2 * text.length, where);
      assert.doesNotMatch(one, /<b/, where);
    }
  });

  test('footnotes of more than a mebibyte are refused, also where they become so', async () => {
    const site = await aSite(engine);
    const [contributor, editor] = [site.as('contributor'), site.as('editor')];
    const { body: post } = await contributor.post(posts, { title: 'T' });
    const grown = notes('<'.repeat(mebi / 3));
    for (const [client, footnotes] of [
      [contributor, 'x'.repeat(mebi + 1)],
      [editor, 'x'.repeat(mebi + 1)],
      [contributor, grown],
    ] as const)
      for (const path of [posts, `${posts}/${post.id}`, `${posts}/${post.id}/autosaves`]) {
        const { status, body } = await client.post(path, { title: 'U', meta: { footnotes } });
        assert.deepEqual([status, body.code], [400, 'rest_too_long'], path);
      }
    const { body: after } = await editor.get(`${posts}/${post.id}?context=edit`);
    assert.deepEqual([after.title.raw, after.meta.footnotes], ['T', '']);
    assert.equal((await editor.get(`${posts}?status=any`)).body.length, 1);
    for (const [client, footnotes] of [
      [editor, grown],
      [editor, 'x'.repeat(mebi)],
      [contributor, notes('x'.repeat(mebi - 100))],
    ] as const) {
      const { status, body } = await client.post(posts, { title: 'V', meta: { footnotes } });
      assert.deepEqual([status, body.meta.footnotes.length], [201, footnotes.length]);
    }
  });

  test('a description that becomes too long is refused, and changes nothing', async () => {
    const editor = (await aSite(engine)).as('editor');
    const categories = `${core}/categories`;
    const { body: made } = await editor.post(categories, { name: 'C', description: '&'.repeat(20_000) });
    assert.equal(made.description, '&amp;'.repeat(20_000));
    for (const [path, said] of [
      [categories, { name: 'D' }],
      [`${categories}/${made.id}`, {}],
    ] as const) {
      const { status, body } = await editor.post(path, { ...said, description: '&'.repeat(20_001) });
      assert.deepEqual([status, body.code], [400, 'rest_invalid_param']);
      assert.equal(body.data.details.description.code, 'rest_too_long');
    }
    const again = await editor.put(`${categories}/${made.id}`, { description: made.description });
    assert.deepEqual([again.status, again.body.description], [200, made.description]);
    const { body: all } = await editor.get(`${categories}?slug=d`);
    assert.deepEqual(all, []);
  });
});
