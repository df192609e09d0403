// What becomes of a record between the question whether it is somebody's draft, and the write of what they had not saved.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachEngine } from '#test/databases.ts';
import { aSite } from '#test/site.ts';
import { createShownRevisions } from './shown-revisions.ts';

eachEngine('An autosave of a draft', (engine) => {
  test('is kept aside where the draft was published or given away meanwhile', async () => {
    const site = await aSite(engine);
    const { content, identity } = site.app.services;
    const { posts } = content;
    const shown = createShownRevisions({ ...content, identity, url: 'http://site.test' });
    const [author, editor] = [await site.caller('author'), await site.caller('editor')];
    const itself = { by: author.id, writer: author.id, unfiltered: true };
    const said = { title: 'Half a title', content: 'Half a sen' };
    for (const [meanwhile, by] of [
      [{}, author],
      [{ status: 'publish' }, author],
      [{ author: author.id }, editor],
    ] as const) {
      const { id } = await posts.add('post', { title: 'Draft', author: by.id }, itself);
      const found = await shown.edited(id, 'post');
      await posts.change(found.post, meanwhile, itself);
      const saved = await shown.autosave(found, said, by);
      const isKeptAside = Object.keys(meanwhile).length > 0;
      assert.equal(saved.parent, isKeptAside ? id : 0);
      assert.equal((await posts.get(id)).title, isKeptAside ? 'Draft' : said.title);
    }
  });
});
