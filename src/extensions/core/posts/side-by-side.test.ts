// Writes side by side on PostgreSQL, each held where it would do harm until the other has come as far as it can.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { withoutPostgres } from '#test/databases.ts';
import { type HeldWrites, heldWrites } from '#test/held-writes.ts';
import { neutral, type Paper, upload } from '#test/paper.ts';
import type { Client } from '#test/site.ts';

const pages = `${neutral}/pages`;
const posts = `${neutral}/posts`;

describe('Writes side by side (postgres)', { skip: withoutPostgres }, () => {
  const held = heldWrites();
  let paper: Paper | undefined;
  let author: Client | undefined;
  let { holding, holdingName, waiting, versionOf } = {} as HeldWrites;
  before(async () => {
    ({ paper, holding, holdingName, waiting, versionOf } = await held());
    author = paper.as('author');
  });

  test('two changes of one record give two versions, and what was seen in between is not shown again', async () => {
    const { editor, made, get } = paper!;
    const parent = await made(pages, { title: 'Parent', status: 'publish', slug: 'parent' });
    const said = { title: 'Child', content: 'Open until now', status: 'publish', parent: parent.id };
    const child = await made(pages, { ...said, slug: 'child' });
    const release = await holdingName('slug newchild');
    const closing = editor.post(`${pages}/${child.id}`, { password: 'pw', slug: 'newchild' });
    await waiting(1, closing);
    const moving = editor.post(`${pages}/${parent.id}`, { slug: 'parent-other' });
    await waiting(2, moving);
    const list = `${pages}?include=${child.id}`;
    assert.match((await get(list)).body[0].content.rendered, /Open until now/);
    await release();
    assert.deepEqual([(await closing).status, (await moving).status], [200, 200]);
    assert.equal(await versionOf(child.id), 3);
    const [shown] = (await get(list)).body;
    assert.deepEqual([shown.content.protected, shown.content.rendered], [true, '']);
    assert.match(shown.link, /\/parent-other\/newchild\/$/);
  });

  test('a version that another write gave meanwhile is not given again', async () => {
    const { editor, made } = paper!;
    const { id } = await made(posts, { title: 'Counted', status: 'publish' });
    const release = await holding('update posts set version = version + 1 where id = $1', [id]);
    const changing = editor.put(`${posts}/${id}`, { title: 'Counted on' });
    await waiting(1, changing);
    await release('commit');
    assert.equal((await changing).status, 200);
    assert.equal(await versionOf(id), 3);
  });

  test('an autosave leaves alone what is published while it is under way', async () => {
    const { get, made } = paper!;
    const { id } = await made(posts, { title: 'Draft', content: 'Good text' }, author);
    const release = await holdingName(`post ${id}`);
    const publishing = author!.post(`${posts}/${id}`, { status: 'publish' });
    await waiting(1, publishing);
    const saving = author!.post(`${posts}/${id}/autosaves`, { title: 'Half a title', content: 'Half a sen' });
    await waiting(2, saving);
    await release();
    const [published, saved] = [await publishing, await saving];
    assert.deepEqual([published.status, saved.status], [200, 200]);
    assert.deepEqual([saved.body.parent, saved.body.title.raw], [id, 'Half a title']);
    const { title, content } = (await get(`${posts}/${id}`)).body;
    assert.equal(title.rendered ?? title, 'Draft');
    assert.match(content.rendered ?? content, /Good text/);
  });

  test('pages of one branch that change at once all change', async () => {
    const { editor, made, get } = paper!;
    const page = async (title: string, parent: number): Promise<number> =>
      (await made(pages, { title, status: 'publish', parent })).id;
    const [low, top] = [await page('Low', 0), await page('Top', 0)];
    const [other, middle] = [await page('Other', top), await page('Middle', top)];
    const put = async (id: number, said: object) =>
      assert.equal((await editor.put(`${pages}/${id}`, said)).status, 200);
    await put(low, { parent: middle });
    for (const id of [other, middle]) await put(id, { menu_order: 1 });
    // The one from above has what lies lowest, and wants what the other one has, which wants what lies lowest.
    const release = await holding('select 1 from posts where id = $1 for update', [other]);
    const above = editor.put(`${pages}/${top}`, { slug: 'renamed-top' });
    await waiting(1, above);
    const within = editor.put(`${pages}/${middle}`, { slug: 'renamed-middle' });
    await waiting(2, within);
    await release();
    assert.deepEqual([(await above).status, (await within).status], [200, 200]);
    assert.match((await get(`${pages}/${low}`)).body.link, /\/renamed-top\/renamed-middle\/low\/$/);
  });

  test('a page that rises has an address of its own, also when another is just made there', async () => {
    const { editor, made, get } = paper!;
    const above = await made(pages, { title: 'Above', status: 'publish' });
    const kid = await made(pages, { title: 'Kid', status: 'publish', slug: 'kid', parent: above.id });
    // Nothing is counted: so the other is made, and not there yet.
    const release = await holding('select 1 from totals for update', []);
    const making = editor.post(pages, { title: 'Kid', status: 'publish', slug: 'kid' });
    await waiting(1, making);
    const erasing = editor.delete(`${pages}/${above.id}?force=true`);
    await waiting(2, erasing);
    await release();
    const [other, erased] = [await making, await erasing];
    assert.deepEqual([other.status, erased.status], [201, 200]);
    const risen = (await get(`${pages}/${kid.id}`)).body;
    assert.equal(risen.parent, 0);
    assert.notEqual(risen.link, other.body.link);
  });

  test('a file that somebody begins to show is erased after that, and shown no more', async () => {
    const { editor, made, get } = paper!;
    const file = (await upload(editor, `${neutral}/media`, 'w.txt', 'Words')).body;
    const { id } = await made(posts, { title: 'Changed', status: 'publish' });
    const release = await holdingName('slug feat');
    const said = { slug: 'feat', featured_media: file.id };
    const adding = editor.post(posts, { title: 'Feat', status: 'publish', ...said });
    await waiting(1, adding);
    const changing = editor.put(`${posts}/${id}`, said);
    await waiting(2, changing);
    const erasing = editor.delete(`${neutral}/media/${file.id}?force=true`);
    await waiting(3, erasing);
    await release();
    const [added, changed, erased] = [await adding, await changing, await erasing];
    assert.deepEqual([added.status, changed.status, erased.status], [201, 200, 200]);
    for (const one of [added.body.id, id]) assert.equal((await get(`${posts}/${one}`)).body.featured_media, 0);
  });
});
