// Roles of a deployment that may do one thing and not another which, in the roles that ship, go together.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachEngine } from '#test/databases.ts';
import { type Answer, aSite } from '#test/site.ts';
import type { Deployment } from '../../../config.ts';

const path = '/api/core/v2/posts';
const shape = ({ status, body }: Answer) => [status, body.code];

/** Writes with others, publishes nothing, and sees and deletes nothing that is private. */
const reviser = {
  label: 'Reviser',
  capabilities: ['read', 'edit_posts', 'edit_others_posts', 'edit_published_posts', 'delete_posts'].concat(
    'delete_others_posts',
    'read_private_posts',
  ),
};
const deploys = ({ roles }: Deployment) => ({ roles: { ...roles, reviser } });

eachEngine('somebody who writes with others and does not publish', (engine) => {
  test('neither changes nor deletes what is private to others', async () => {
    const site = await aSite(engine, { deploys });
    const { id } = (await site.as('editor').post(path, { title: 'Private', status: 'private' })).body;
    const client = site.as('reviser');
    assert.equal((await client.get(`${path}/${id}`)).status, 200);
    assert.deepEqual(shape(await client.post(`${path}/${id}`, { title: 'x' })), [403, 'rest_cannot_edit']);
    assert.deepEqual(shape(await client.delete(`${path}/${id}`)), [403, 'rest_cannot_delete']);
    const { id: draft } = (await site.as('editor').post(path, { title: 'Draft' })).body;
    assert.equal((await client.post(`${path}/${draft}`, { title: 'x' })).status, 200);
    assert.equal((await client.delete(`${path}/${draft}`)).status, 200);
  });

  test('keeps posts on top', async () => {
    const site = await aSite(engine, { deploys });
    const { id } = (await site.as('editor').post(path, { title: 'Published', status: 'publish' })).body;
    assert.equal((await site.as('reviser').post(`${path}/${id}`, { sticky: true })).body.sticky, true);
    const { id: own } = (await site.as('contributor').post(path, { title: 'Own' })).body;
    assert.deepEqual(shape(await site.as('contributor').post(`${path}/${own}`, { sticky: true })), [
      403,
      'rest_cannot_assign_sticky',
    ]);
  });
});
