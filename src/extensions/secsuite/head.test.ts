import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachEngine } from '#test/databases.ts';
import { aSite } from '#test/site.ts';

const index = '/api/secsuite/v1';
const always = ['_links', 'namespace', 'routes', 'supports'];
const ofRoles = ['roles'];
const ofManagers = ['has_virtual_patching', 'install_type', 'requirements_info', 'server_type'];

eachEngine('The index of the suite', (engine) => {
  test('says of the site what the caller may know', async () => {
    const site = await aSite(engine, { env: { GATEHOUSE_FRONT_SERVER: 'apache' } });
    const members = async (client: typeof site | ReturnType<typeof site.as>) =>
      Object.keys((await client.get(index)).body).sort();
    assert.deepEqual(await members(site), always);
    assert.deepEqual(await members(site.as('editor')), always);
    assert.deepEqual(await members(site.as('administrator')), [...always, ...ofRoles, ...ofManagers].sort());
    const { body } = await site.as('administrator').get(index);
    assert.deepEqual(body.roles.editor, { label: 'Editor', canonical: 'editor' });
    assert.deepEqual(
      [body.server_type, body.install_type, body.has_virtual_patching, body.requirements_info.load],
      ['apache', 'pro', false, 'normal'],
    );
    assert.deepEqual(await members(site), always);
    assert.equal((await site.get('/api/')).body.multisite, false);
  });
});
