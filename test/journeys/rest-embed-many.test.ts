// `_embed` of a whole page: what many records link to is looked up together, and is what each address says by itself.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { eachEngine, testEngine } from '#test/databases.ts';
import { picture } from '#test/pictures.ts';
import { aSite, type TestSite } from '#test/site.ts';

const root = '/api/core/v2';

interface Written {
  readonly post: number;
  readonly category: number;
  readonly picture: number;
}

/** Posts with a category, a tag and a comment each, and a picture for all of them. */
async function written(site: TestSite, many: number): Promise<Written[]> {
  const { post, request } = site.as('administrator');
  const body = await picture(40, 30);
  const headers = { 'content-type': 'image/jpeg', 'content-disposition': 'attachment; filename="pond.jpg"' };
  const { body: pond } = await request('POST', `${root}/media`, { body, headers });
  const all: Written[] = [];
  for (let at = 0; at < many; at++) {
    const { id: category } = (await post(`${root}/categories`, { name: `Pond ${at}` })).body;
    const { id: tag } = (await post(`${root}/tags`, { name: `water ${at}` })).body;
    const sorted = { categories: [category], tags: [tag], featured_media: pond.id };
    const said = { title: `Reed ${at}`, content: 'Green.', status: 'publish', ...sorted };
    const { id } = (await post(`${root}/posts`, said)).body;
    await post(`${root}/comments`, { post: id, content: `Seen ${at} times.` });
    all.push({ post: id, category, picture: pond.id });
  }
  return all;
}

describe('_embed of a page of posts', () => {
  const engine = testEngine('sqlite');

  test('costs two statements a record at most, and a few for all of them', async () => {
    const site = await aSite(engine);
    await written(site, 60);
    const asked = async (many: number): Promise<number> => {
      const before = site.app.services.store.figures().reads.count;
      const { body } = await site.as('administrator').get(`${root}/posts?_embed=1&per_page=${many}`);
      assert.deepEqual([body.length, Object.keys(body[0]._embedded).length], [many, 4]);
      return site.app.services.store.figures().reads.count - before;
    };
    await asked(1);
    for (const many of [5, 60]) {
      const statements = await asked(many);
      assert.ok(statements <= 20 + 2 * many, `${statements} statements for ${many}`);
    }
  });

  test('of what a search found costs a few statements for all of them, and what may be done there too', async () => {
    const site = await aSite(engine);
    const { post, get } = site.as('administrator');
    for (let at = 0; at < 60; at++) await post(`${root}/posts`, { title: `Reed ${at}`, status: 'publish' });
    const asked = async (query: string): Promise<number> => {
      // What the site does by itself is counted too: it is done before.
      await site.app.services.events.settled();
      await site.app.services.jobs.settled();
      const before = site.app.services.store.figures().reads.count;
      const { body } = await get(`${root}/search?per_page=60${query}`);
      assert.equal(body.length, 60);
      assert.deepEqual(body[0]._links.self[0].targetHints.allow, ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']);
      return site.app.services.store.figures().reads.count - before;
    };
    const [found, embedded] = [await asked(''), await asked('&_embed=1')];
    assert.ok(found <= 6 && embedded <= 30, `${found} statements, ${embedded} with what is embedded`);
  });
});

eachEngine('_embed of many', (engine) => {
  test('brings what each address says by itself, whoever asks', async () => {
    const site = await aSite(engine);
    const [first] = await written(site, 18);
    await site.as('administrator').put(`${root}/posts/${first!.post}`, { password: 'reed' });
    for (const client of [site, site.as('subscriber'), site.as('administrator')]) {
      const { body } = await client.get(`${root}/posts?_embed=1&per_page=100`);
      for (const { _embedded, _links } of body)
        for (const [rel, embedded] of Object.entries(_embedded as Record<string, unknown[]>))
          for (const [at, one] of embedded.entries()) {
            const href = new URL(_links[rel][at].href);
            href.searchParams.set('context', 'embed');
            href.searchParams.set('per_page', '100');
            assert.equal(JSON.stringify(one), (await client.get(`${href.pathname}${href.search}`)).text, href.href);
          }
    }
  });

  test('is told anew when anything of it has changed', async () => {
    const site = await aSite(engine);
    const [, { post, category, picture: pond }] = (await written(site, 2)) as [Written, Written];
    const { put, post: add } = site.as('administrator');
    const seen = async () => (await site.get(`${root}/posts?_embed=1`)).text;
    const changes: [said: string, change: () => Promise<unknown>][] = [
      ['A quiet pond', () => put(`${root}/categories/${category}`, { name: 'A quiet pond' })],
      ['Seen by nobody', () => add(`${root}/comments`, { post, content: 'Seen by nobody' })],
      ['In the rain', () => put(`${root}/media/${pond}`, { alt_text: 'In the rain' })],
      ['Ada of the ponds', () => put(`${root}/users/me`, { name: 'Ada of the ponds' })],
      ['Reed and rush', () => put(`${root}/posts/${post}`, { title: 'Reed and rush' })],
    ];
    for (const [said, change] of changes) {
      assert.equal(await seen(), await seen());
      assert.ok(!(await seen()).includes(said), said);
      await change();
      assert.ok((await seen()).includes(said), said);
    }
  });
});
