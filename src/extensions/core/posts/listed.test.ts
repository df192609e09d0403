import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onBothStores } from '#test/databases.ts';
import { type Answer, aSite } from '#test/site.ts';

const path = '/api/core/v2/posts';
const titles = ({ body }: Answer): string[] => body.map(({ title }: { title: { rendered: string } }) => title.rendered);

onBothStores('lists of posts', (engine) => {
  test('a status that only other sites have finds nothing, and one that none has is refused', async () => {
    const site = await aSite(engine);
    const editor = site.as('editor');
    await editor.post(path, { title: 'A draft' });
    for (const status of ['acf-disabled', 'request-pending', 'auto-draft', 'inherit'])
      assert.deepEqual((await editor.get(`${path}?status=${status}`)).body, [], status);
    assert.deepEqual(titles(await editor.get(`${path}?status=acf-disabled,draft`)), ['A draft']);
    const { status, body } = await editor.get(`${path}?status=nonsense`);
    assert.deepEqual([status, body.data.details.status.code], [400, 'rest_not_in_enum']);
  });

  test('times that no clock shows bound a list all the same', async () => {
    const site = await aSite(engine);
    await site.as('editor').post(path, { title: 'Now', status: 'publish' });
    for (const [query, found] of [
      ['after=9999-12-31T23:59:59', []],
      ['before=9999-12-31T23:59:59', ['Now']],
      ['modified_after=0000-00-00T00:00:00', ['Now']],
      ['modified_before=0000-01-01T00:00:00', []],
    ] as const)
      assert.deepEqual(titles(await site.get(`${path}?${query}`)), found, query);
  });

  test('a post whose date is changed moves in the list of its category, and in its bounds there', async () => {
    const site = await aSite(engine);
    const editor = site.as('editor');
    const { id: river } = (await editor.post('/api/core/v2/categories', { name: 'River' })).body;
    const add = async (title: string, date: string): Promise<number> =>
      (await editor.post(path, { title, date, status: 'publish', categories: [river] })).body.id;
    const first = await add('First', '2026-01-01T00:00:00');
    await add('Second', '2026-02-01T00:00:00');
    const listed = async (query = '') => titles(await site.get(`${path}?categories=${river}${query}`));
    assert.deepEqual(await listed(), ['Second', 'First']);
    assert.equal((await editor.post(`${path}/${first}`, { date: '2026-03-01T00:00:00' })).status, 200);
    assert.deepEqual(await listed(), ['First', 'Second']);
    assert.deepEqual(await listed('&order=asc'), ['Second', 'First']);
    assert.deepEqual(await listed('&before=2026-02-15T00:00:00'), ['Second']);
    assert.deepEqual(await listed('&after=2026-02-15T00:00:00'), ['First']);
  });

  test('a date of noughts is none', async () => {
    const editor = (await aSite(engine)).as('editor');
    for (const date of ['date', 'date_gmt']) {
      const { status, body } = await editor.post(path, { title: 'Never', [date]: '0000-00-00T00:00:00' });
      assert.deepEqual([status, body.code, body.data], [400, 'invalid_date', { status: 400 }], date);
    }
    assert.deepEqual((await editor.get(`${path}?status=any`)).body, []);
  });
});
