import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachEngine } from '#test/databases.ts';
import { aSite } from '#test/site.ts';

const path = '/api/core-abilities/v1/abilities/site/run-health-test/run';

eachEngine('The health of the site, asked by name', async (engine) => {
  const site = await aSite(engine);
  const administrator = site.as('administrator');

  test('tells what the address of the test tells, of this very request', async () => {
    const asked = await administrator.get(`${path}?input[test]=authorization-header`);
    const told = await administrator.get('/api/core-site-health/v1/tests/authorization-header');
    assert.deepEqual([asked.status, asked.body], [200, told.body]);
    assert.equal(asked.body.test, 'authorization_header');
  });

  test('a test that is not there is refused as at its address', async () => {
    const { status, body } = await administrator.get(`${path}?input[test]=weather`);
    assert.deepEqual([status, body.code], [404, 'rest_test_not_found']);
    const unnamed = await administrator.get(path);
    assert.deepEqual([unnamed.status, unnamed.body.code], [400, 'ability_invalid_input']);
  });

  test('is for those who look after the site', async () => {
    for (const role of ['editor', 'author', 'contributor', 'subscriber', 'parish_admin']) {
      const { status, body } = await site.as(role).get(`${path}?input[test]=https-status`);
      assert.deepEqual([role, status, body.code], [role, 403, 'rest_ability_cannot_execute']);
    }
    assert.equal((await site.get(`${path}?input[test]=https-status`)).status, 401);
  });
});
