import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachEngine } from '#test/databases.ts';
import { aSite } from '#test/site.ts';

eachEngine('what may be done with lists', (engine) => {
  test('lists tell whoever may write that they may, however they are asked', async () => {
    const site = await aSite(engine);
    const allowed = async (role: string, path: string) =>
      (await site.as(role).get(`/api/core/v2/${path}`)).headers.get('allow');
    for (const [role, path] of [
      ['author', 'posts'],
      ['author', 'media'],
      ['contributor', 'posts?per_page=1&context=edit'],
      ['contributor', 'posts?author=1&status=draft'],
    ] as const)
      assert.equal(await allowed(role, path), 'GET, POST', `${role}: ${path}`);
    for (const [role, path] of [
      ['subscriber', 'posts'],
      ['author', 'pages'],
      ['contributor', 'media'],
    ] as const)
      assert.equal(await allowed(role, path), 'GET', `${role}: ${path}`);
  });
});
