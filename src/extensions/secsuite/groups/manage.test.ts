// Who manages when those who did are gone.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachEngine } from '#test/databases.ts';
import { aSite } from '#test/site.ts';
import { soon } from '#test/soon.ts';

const base = '/api/secsuite/v1';

eachEngine('Who manages', (engine) => {
  test('is whoever runs the site once all users are gone that a group which manages was made of', async () => {
    const site = await aSite(engine, { deployment: 'a' });
    const admin = site.as('administrator');
    const owner = await site.user({ login: 'owner', roles: ['administrator'] });
    const other = await site.user({ login: 'other', roles: ['editor'] });
    const group = await admin.post(`${base}/user-groups`, { label: 'Owners', users: [owner.id, other.id] });
    const manages = { global: { manage_group: true } };
    const saved = await site.asUser(owner).put(`${base}/user-matchable-settings/${group.body.id}`, manages);
    assert.equal(saved.status, 200, saved.text);
    const read = async () => (await admin.get(`${base}/modules`)).status;
    const leave = (id: number) => admin.delete(`/api/core/v2/users/${id}?force=true&reassign=0`);
    assert.equal(await read(), 403);
    assert.equal((await leave(owner.id)).status, 200);
    assert.equal(await read(), 403, 'one is left');
    assert.equal((await leave(other.id)).status, 200);
    await soon(read, 200);
  });
});
