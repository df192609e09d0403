import assert from 'node:assert/strict';
import { test } from 'node:test';
import { day } from '#lib/spans.ts';
import { eachEngine } from '#test/databases.ts';
import { aGuardedSite } from '#test/security-suite.ts';
import { noon } from '#test/site.ts';

eachEngine('Retention of the log', (engine) => {
  test('deletes nothing at a time to which the clock jumped, until the clock has gone on from there for a day', async () => {
    let now = noon.getTime();
    const [site, suite] = await aGuardedSite(engine, { clock: () => new Date(now) });
    const set = { log_rotation: 5 };
    await site.as('administrator').patch('/api/secsuite/v1/settings/global', set);
    const run = async (time: number) => {
      now = time;
      await suite.tasks.start('purge-log-entries');
      await site.app.services.jobs.settled();
      await suite.logs.flush();
      const { items } = await suite.logs.list({ limit: 100, offset: 0, order: 'asc', orderBy: 'id' });
      return items.map(({ code }) => code).filter((code) => ['first', 'retention-waits'].includes(code));
    };
    suite.logs.write({ module: 'test', code: 'first', type: 'notice' });
    await suite.logs.flush();
    const start = noon.getTime();
    assert.deepEqual(await run(start + day), ['first']);
    assert.deepEqual(await run(start + 400 * day), ['first', 'retention-waits']);
    assert.deepEqual(await run(start + 2 * day), ['first', 'retention-waits', 'retention-waits']);
    for (const days of [3, 4]) assert.ok((await run(start + days * day)).includes('first'));
    assert.ok(!(await run(start + 6 * day)).includes('first'));
  });
});
