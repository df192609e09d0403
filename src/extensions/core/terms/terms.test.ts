// Terms as they are asked for from outside: who may, and what an answer says.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachEngine } from '#test/databases.ts';
import { aPostRow } from '#test/post-rows.ts';
import { checkRows } from '#test/rows.ts';
import { type Answer, aSite, type TestSite } from '#test/site.ts';

const categories = '/api/core/v2/categories';
const tags = '/api/core/v2/tags';

const outcome = ({ status, body }: Answer): unknown[] => [status, body.code];

async function made(site: TestSite, path: string, term: object): Promise<number> {
  const { status, body, text } = await site.as('administrator').post(path, term);
  assert.equal(status, 201, text);
  return body.id;
}

/** By role: who may make a category, make a tag, change and delete either. */
const matrix: Readonly<Record<string, readonly [category: boolean, tag: boolean, change: boolean]>> = {
  administrator: [true, true, true],
  editor: [true, true, true],
  parish_admin: [true, true, true],
  author: [false, true, false],
  organizer: [false, true, false],
  contributor: [false, true, false],
  subscriber: [false, false, false],
  parishioner: [false, false, false],
};

eachEngine('terms, from outside', async (engine) => {
  const site = await aSite(engine);

  const known = Object.entries(matrix).filter(([role]) => role in site.config.deployment.roles);
  test('are created, changed and deleted by the roles that the table names', () =>
    checkRows(known, async ([role, [category, tag, change]]) => {
      const client = site.as(role);
      const added = (may: boolean) => (may ? [201, undefined] : [403, 'rest_cannot_create']);
      assert.deepEqual(outcome(await client.post(categories, { name: `of ${role}` })), added(category));
      assert.deepEqual(outcome(await client.post(tags, { name: `of ${role}` })), added(tag));
      for (const path of [categories, tags]) {
        const one = `${path}/${await made(site, path, { name: `for ${role}` })}`;
        const options = (await client.options(one)).headers.get('allow');
        assert.equal(options, change ? 'GET, POST, PUT, PATCH, DELETE' : 'GET');
        const allowed = change ? [200, undefined] : undefined;
        assert.deepEqual(outcome(await client.get(`${one}?context=edit`)), allowed ?? [403, 'rest_forbidden_context']);
        assert.deepEqual(
          outcome(await client.put(one, { description: 'new' })),
          allowed ?? [403, 'rest_cannot_update'],
        );
        assert.deepEqual(outcome(await client.delete(`${one}?force=true`)), allowed ?? [403, 'rest_cannot_delete']);
      }
    }));

  test('nobody is told to sign in for what needs somebody', async () => {
    assert.deepEqual(outcome(await site.post(tags, { name: 'x' })), [401, 'rest_cannot_create']);
    assert.deepEqual(outcome(await site.put(`${categories}/1`, { name: 'x' })), [401, 'rest_cannot_update']);
    assert.deepEqual(outcome(await site.delete(`${categories}/1?force=true`)), [401, 'rest_cannot_delete']);
    assert.deepEqual(outcome(await site.get(`${categories}?context=edit`)), [401, 'rest_forbidden_context']);
  });

  test('the category of posts without one is not offered to be deleted, in lists neither', async () => {
    const { body } = await site.as('editor').get(`${categories}?include=1`);
    assert.deepEqual(body[0]._links.self[0].targetHints.allow, ['GET', 'POST', 'PUT', 'PATCH']);
    assert.deepEqual(outcome(await site.as('editor').delete(`${categories}/1?force=true`)), [
      403,
      'rest_cannot_delete',
    ]);
    assert.deepEqual(outcome(await site.as('editor').delete(`${categories}/1`)), [403, 'rest_cannot_delete']);
  });

  test('a term of one kind is not found among those of another', async () => {
    assert.deepEqual(outcome(await site.get(`${tags}/1`)), [404, 'rest_term_invalid']);
    assert.deepEqual(outcome(await site.as('editor').put(`${tags}/1`, { name: 'x' })), [404, 'rest_term_invalid']);
    assert.deepEqual(outcome(await site.get(`${categories}/99999999999999999999`)), [404, 'rest_term_invalid']);
  });

  test('what sorts a post is for those who may read it', async () => {
    const draft = await aPostRow(site.app.services.store, { status: 'draft' });
    assert.deepEqual(outcome(await site.get(`${tags}?post=${draft.id}`)), [401, 'rest_forbidden_context']);
    assert.deepEqual(outcome(await site.as('author').get(`${tags}?post=${draft.id}`)), [403, 'rest_forbidden_context']);
    assert.deepEqual((await site.as('editor').get(`${tags}?post=${draft.id}`)).body, []);
    assert.deepEqual(outcome(await site.get(`${tags}?post=99999`)), [400, 'rest_post_invalid_id']);
    assert.equal((await site.get(`${tags}?post=0`)).status, 200);
  });

  test('a name that is too long is refused by what is wrong with it', async () => {
    const { status, body } = await site.as('editor').post(tags, { name: 'x'.repeat(201) });
    assert.deepEqual([status, body.data.details.name.code], [400, 'rest_too_long']);
    const described = await site.as('editor').post(tags, { name: 'x', description: 'x'.repeat(100_001) });
    assert.deepEqual([described.status, described.body.data.details.description.code], [400, 'rest_too_long']);
  });

  test('addresses name what is above, and a list is cut out anywhere where nothing is', async () => {
    const top = await made(site, categories, { name: 'Over' });
    const low = await made(site, categories, { name: 'Under', parent: top });
    const { body } = await site.get(`${categories}/${low}?_embed`);
    assert.equal(body.link, 'http://site.test/category/over/under/');
    assert.equal(body._embedded.up[0].slug, 'over');
    const { headers } = await site.get(`${tags}?offset=1&per_page=1`);
    assert.match(headers.get('link')!, /page=1>; rel="prev"/);
    assert.match(headers.get('link')!, /page=3>; rel="next"/);
  });

  test('terms are made in a batch, each seen by the next', async () => {
    const requests = ['Batched', 'Batched'].map((name) => ({ path: '/core/v2/tags', body: { name } }));
    const { status, body } = await site.as('author').post('/api/batch/v1', { requests });
    const [first, second] = body.responses;
    assert.deepEqual([status, first.status, second.body.code], [207, 201, 'term_exists']);
    assert.equal(second.body.data.term_id, first.body.id);
  });
});
