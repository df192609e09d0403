import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachEngine } from '#test/databases.ts';
import { aSite } from '#test/site.ts';
import { processorTime } from '#test/turns.ts';

eachEngine('A search for users', (engine) => {
  test('refuses long names without spending time on them', async () => {
    const site = await aSite(engine);
    const begun = processorTime();
    const slug = [`a${'\u0300\u0316'.repeat(100_000)}`];
    const { status } = await site.post('/api/core/v2/users?_method=GET', { slug });
    assert.equal(status, 400);
    assert.ok(processorTime() - begun < 2_000);
  });
});
