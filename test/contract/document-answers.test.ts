// What a whole site answers is what its OpenAPI document says: read with every route that needs no more than an address, and written.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { testEngine } from '#test/databases.ts';
import { type Answered, type Described, heldAgainst } from '#test/documented.ts';
import { aFullSite } from '#test/full-site.ts';
import type { Answer } from '#test/site.ts';

/** Files, and what asks other sites. */
const isLeftOut = (path: string): boolean => /export$|url-details|proxy$|geolocate|introspect/.test(path);

describe('Answers fit the OpenAPI document', () => {
  const engine = testEngine('sqlite');

  test('of whatever can be read, whole and edited, lists and their first records', async () => {
    const site = await aFullSite(engine);
    const administrator = site.as('administrator');
    const document: Described = (await site.get('/api/openapi.json')).body;
    const held = heldAgainst(document);
    const wrong: string[] = [];
    let read = 0;
    const hold = async (path: string, query = ''): Promise<unknown> => {
      const { status, body } = await administrator.get(`/api${path}${query}`);
      if (status !== 200) return undefined;
      read += 1;
      const why = held({ method: 'GET', path, status, body });
      if (why !== undefined) wrong.push(`${why} at ${path}${query}`);
      return body;
    };
    for (const [path, { get }] of Object.entries(document.paths)) {
      if (get === undefined || path.includes('{') || isLeftOut(path)) continue;
      const body = await hold(path);
      await hold(path, '?context=edit&_embed');
      const ids = Array.isArray(body) ? body.slice(0, 3).flatMap(({ id }) => (typeof id === 'number' ? [id] : [])) : [];
      for (const id of ids) await hold(`${path}/${id}`, '?context=edit');
      for (const id of ids.slice(0, 1))
        for (const more of ['revisions', 'autosaves']) await hold(`${path}/${id}/${more}`);
    }
    assert.deepEqual(wrong, []);
    assert.ok(read > 100, `${read} answers were held against the document`);
  });

  test('of what is written, changed, thrown away and removed', async () => {
    const site = await aFullSite(engine);
    const editor = site.as('editor');
    const held = heldAgainst((await site.get('/api/openapi.json')).body);
    const fits = (method: string, path: string, { status, body }: Answer): void => {
      if (path.endsWith('/revisions')) assert.ok(body.length > 0, path);
      const answered: Answered = { method, path, status, body: body ?? null };
      assert.equal(held(answered), undefined);
    };
    for (const [base, sent] of Object.entries({
      posts: { title: 'One', content: 'Words', status: 'publish' },
      pages: { title: { raw: 'Two' } },
      blocks: { title: 'Pattern', content: 'Words', status: 'publish', meta: { wp_pattern_sync_status: 'unsynced' } },
      categories: { name: 'Three' },
    })) {
      const made = await editor.post(`/api/core/v2/${base}`, sent);
      assert.equal(made.status, 201);
      fits('POST', `/core/v2/${base}`, made);
      const path = `/core/v2/${base}/${made.body.id}`;
      fits('PUT', path, await editor.put(`/api${path}`, { slug: 'other', title: 'Changed' }));
      if (base !== 'categories') {
        fits('GET', `${path}/revisions`, await editor.get(`/api${path}/revisions?context=edit`));
        fits('DELETE', path, await editor.delete(`/api${path}`));
      }
      fits('DELETE', path, await editor.delete(`/api${path}?force=true`));
    }
  });
});
