// Records that are remembered as anybody gets them show every change at once, whoever made it and whatever it is.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachEngine } from '#test/databases.ts';
import { asAnybody, asSomebody, core, furnished, steps } from '#test/record-changes.ts';
import { checkRows } from '#test/rows.ts';
import { aSite } from '#test/site.ts';
import { soon } from '#test/soon.ts';

eachEngine('What anybody gets', (engine) => {
  test('shows every change at once', async () => {
    const site = await aSite(engine);
    const ids = await furnished(site);
    await checkRows(steps, async ({ work }) => {
      const earlier = await asAnybody(site);
      const { status, text } = await work(site.as('administrator'), ids);
      assert.equal(status, 200, text);
      const now = await asAnybody(site);
      assert.ok(now !== earlier, 'it shows');
      assert.ok(now === (await asSomebody(site)), 'it is shown as it is');
    });
  });

  test('is made once for each version, and is the same bytes and the same tag ever after', async () => {
    const site = await aSite(engine);
    await furnished(site);
    const path = `${core}/posts?per_page=10`;
    const first = await site.get(path);
    const written = await site.as('administrator').post(`${core}/tags`, { name: 'Of nothing' });
    assert.equal(written.status, 201);
    const again = await site.get(path);
    assert.equal(again.text, first.text);
    assert.equal(again.headers.get('etag'), first.headers.get('etag'));
    const pretty = await site.get(`${path}&_pretty`);
    assert.deepEqual(pretty.body, first.body);
    assert.notEqual(pretty.text, first.text);
    const enclosed = await site.get(`${path}&_envelope`);
    assert.deepEqual(enclosed.body.body, first.body);
  });

  test('is ready before anybody asks where it has changed and is read, and is not made where nobody reads', async () => {
    const site = await aSite(engine);
    const admin = site.as('administrator');
    const { content } = site.app.services;
    const ready = async (id: number) =>
      content.told.known({ face: 'neutral', added: '' }, [await content.posts.get(id)])[0] !== undefined;
    const isReady = (id: number) => soon(() => ready(id), true);
    const add = async (title: string): Promise<number> =>
      (await admin.post(`${core}/posts`, { title, status: 'publish' })).body.id;
    const first = await add('First');
    assert.equal(await ready(first), false);
    await site.get(`${core}/posts`);
    await admin.post(`${core}/posts/${first}`, { title: 'Otherwise' });
    await isReady(first);
    await isReady(await add('Second'));
    await admin.post(`${core}/posts/${first}`, { status: 'draft' });
    assert.equal(await ready(first), false);
  });
});
