import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachEngine } from '#test/databases.ts';
import { picture } from '#test/pictures.ts';
import { aSite } from '#test/site.ts';
import { send } from '#test/uploads.ts';

const path = '/api/core-abilities/v1/abilities/media/find-unused/run';

eachEngine('Finding files that nothing shows', async (engine) => {
  const site = await aSite(engine);
  const author = site.as('author');
  const editor = site.as('editor');
  const image = await picture(8, 8, 'png');
  const file = async (name: string): Promise<number> =>
    (await send(site, 'author', name, name.endsWith('.png') ? image : 'hello')).body.id;
  const unused = async (query = ''): Promise<string[]> =>
    (await author.get(`${path}${query}`)).body.map(({ filename }: { filename: string }) => filename);
  const post = (said: object) => editor.post('/api/core/v2/posts', { title: 'A river', ...said });

  test('names those that no text, no record and no setting names, the oldest first', async () => {
    const names = [
      'alone.png',
      'in-a-draft.txt',
      'spaced out.txt',
      'pictured.png',
      'attached.txt',
      'in-a-list.txt',
      'later.txt',
    ];
    const ids: number[] = [];
    assert.deepEqual(await unused(), []);
    for (const name of names) ids.push(await file(name));
    assert.deepEqual(
      await unused(),
      names.map((name) => name.replace(' ', '-')),
    );
    const { body: own } = await post({
      featured_media: ids[3],
      content: '<a href="/media/2026/11/in-a-draft.txt">x</a>',
    });
    await post({ content: `[gallery ids="7000, ${ids[5]}"]`, status: 'private' });
    await editor.post(`/api/core/v2/media/${ids[4]}`, { post: own.id });
    const { body: page } = await editor.post('/api/core/v2/pages', {
      title: 'A page',
      status: 'publish',
      content: '<!-- wp:file {"href":"http://site.test/media/2026/11/spaced-out.txt"} /-->',
    });
    assert.deepEqual(await unused(), ['alone.png', 'later.txt']);
    assert.deepEqual((await author.get(path)).body[0], { id: ids[0], filename: 'alone.png' });
    assert.deepEqual(await unused('?input[limit]=1'), ['alone.png']);
    await editor.delete(`/api/core/v2/pages/${page.id}`);
    assert.deepEqual(await unused(), ['alone.png', 'later.txt'], 'what lies in the trash can come back');
    await editor.delete(`/api/core/v2/pages/${page.id}?force=true`);
    assert.deepEqual(await unused(), ['alone.png', 'spaced-out.txt', 'later.txt']);
    await site.as('administrator').post('/api/core/v2/settings', { site_icon: ids[0] });
    assert.deepEqual(await unused(), ['spaced-out.txt', 'later.txt']);
  });

  test('lets others in while it reads, however much there is to read', async () => {
    await file('not-named.txt');
    const content = 'a.b '.repeat(250_000);
    for (let at = 0; at < 3; at += 1) assert.equal((await post({ content })).status, 201);
    let [over, turns] = [false, 0];
    const turn = (): void => {
      turns += 1;
      if (!over) setImmediate(turn);
    };
    turn();
    const names = await unused();
    over = true;
    assert.ok(names.includes('not-named.txt'));
    assert.ok(turns > 3 * 10, `${turns}`);
  });

  test('is for those who bring files', async () => {
    for (const role of ['subscriber', 'contributor']) {
      const { status, body } = await site.as(role).get(path);
      assert.deepEqual([role, status, body.code], [role, 403, 'rest_ability_cannot_execute']);
    }
    assert.equal((await site.get(path)).status, 401);
    assert.equal((await author.get(`${path}?input[limit]=101`)).body.code, 'ability_invalid_input');
  });
});
