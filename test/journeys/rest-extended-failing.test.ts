// A field of an extension that cannot be looked up is missing, and nothing else is: no record, no list, no write fails with it.
import assert from 'node:assert/strict';
import { before, beforeEach, test } from 'node:test';
import type { AnyEntry } from '#site/extension.ts';
import { eachEngine } from '#test/databases.ts';
import { picture } from '#test/pictures.ts';
import { testRows } from '#test/rows.ts';
import { aSite, type TestSite } from '#test/site.ts';
import { core } from '../../src/extensions/core/extension.ts';

const posts = '/api/core/v2/posts';

type Found = (ids: readonly number[]) => unknown;
const well: Found = (ids) => new Map(ids.map((id) => [id, 5]));

eachEngine('A field that an extension fails to fill', (engine) => {
  let site: TestSite;
  let found: Found = well;
  const fields: AnyEntry = ({ t }) => {
    const stars = { schema: t.integer({ default: 1 }), of: async (ids: readonly number[]) => found(ids) as never };
    const shine = {
      schema: t.fixed(t.string()),
      of: async (ids: readonly number[]) => new Map(ids.map((id) => [id, 'y'])),
    };
    return {
      name: 'starry',
      nouns: () => ({}),
      extends: { post: { fields: { stars, shine } }, attachment: { fields: { stars } } },
    };
  };
  before(async () => {
    site = await aSite(engine, { extensions: [core, fields] });
  });
  beforeEach(() => {
    found = well;
  });

  const add = async (title: string): Promise<{ id: number; stars?: number }> => {
    const { status, body } = await site.as('editor').post(posts, { title, status: 'publish' });
    assert.equal(status, 201, JSON.stringify(body));
    return body;
  };

  const knot: { self?: unknown } = {};
  knot.self = knot;
  const failing: [about: string, found: Found][] = [
    [
      'it throws',
      () => {
        throw new TypeError('Nothing but trouble');
      },
    ],
    ['it answers nothing', () => undefined],
    ['it answers something else', () => ({ stars: 5 })],
    ['it answers what no answer can hold', (ids) => new Map(ids.map((id) => [id, knot]))],
    ['it answers what its schema does not allow', (ids) => new Map(ids.map((id) => [id, 'many']))],
    ['it answers null where the schema knows of none', (ids) => new Map(ids.map((id) => [id, null]))],
  ];
  testRows('is left out until it is well, with all else there', failing, async ([, fails]) => {
    found = fails;
    const { id, ...made } = await add('Good');
    assert.equal('stars' in made, false);
    const one = `${posts}/${id}`;
    const shown = async () => {
      const [single, list] = [await site.get(one), await site.get(`${posts}?include=${id}`)];
      assert.deepEqual([single.status, list.status, list.headers.get('x-wp-total')], [200, 200, '1']);
      assert.deepEqual([single.body.shine, list.body[0].shine, list.body[0].title.rendered], ['y', 'y', 'Good']);
      return [single.body.stars, list.body[0].stars];
    };
    for (let time = 0; time < 2; time++) assert.deepEqual(await shown(), [undefined, undefined]);
    found = well;
    assert.deepEqual(await shown(), [5, 5]);
    found = fails;
    assert.equal((await site.as('editor').put(one, { title: 'Better' })).body.title.raw, 'Better');
    assert.equal((await site.as('editor').delete(`${one}?force=true`)).status, 200);
    assert.equal((await site.get(one)).status, 404);
  });

  test('is left out of the one record for which it is wrong', async () => {
    const [first, second] = [await add('One'), await add('Other')];
    found = (ids) => new Map(ids.map((id) => [id, id === first.id ? 'many' : 4]));
    const { body } = await site.get(`${posts}?include=${first.id},${second.id}&orderby=include&_fields=id,stars`);
    assert.deepEqual(body, [{ id: first.id }, { id: second.id, stars: 4 }]);
  });

  test('takes nothing down with it in a batch, in what is embedded, in the feed and on the page', async () => {
    const { id } = await add('Here');
    found = failing[0]![1];
    const editor = site.as('editor');
    const requests = ['One', 'Other'].map((title) => ({ method: 'POST', path: '/core/v2/posts', body: { title } }));
    const { body } = await editor.post('/api/batch/v1', { requests });
    assert.deepEqual(
      body.responses.map((one: { status: number }) => one.status),
      [201, 201],
    );
    const files = await editor.request('POST', '/api/core/v2/media', {
      headers: { 'content-disposition': 'attachment; filename="a.png"', 'content-type': 'image/png' },
      body: await picture(10, 10, 'png'),
    });
    assert.deepEqual([files.status, 'stars' in files.body], [201, false]);
    await editor.put(`${posts}/${id}`, { featured_media: files.body.id });
    const embedding = await site.get(`${posts}/${id}?_embed`);
    assert.equal(embedding.body._embedded['wp:featuredmedia'][0].id, files.body.id);
    assert.deepEqual([(await site.get('/feed/')).status, (await site.get('/')).status], [200, 200]);
  });

  test('is told to the log once for each thing that is wrong, by the names of the extension and of the field', () => {
    const told = site.log.lines.filter(({ level }) => level === 'error');
    assert.deepEqual(
      told.map(({ message }) => message),
      Array(4).fill('The field stars of the extension starry could not be read, and is left out.'),
    );
  });
});
