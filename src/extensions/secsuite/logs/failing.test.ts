// Work in the background, where it fails.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { day } from '#lib/spans.ts';
import { eachEngine } from '#test/databases.ts';
import { aGuardedSite } from '#test/security-suite.ts';
import { noon } from '#test/site.ts';

eachEngine('work that fails', (engine) => {
  test('is written down for managers, and the rest is done all the same', async () => {
    let now = noon.getTime();
    const [site, suite] = await aGuardedSite(engine, { clock: () => new Date(now) });
    const { jobs, store } = site.app.services;
    const admin = site.as('administrator');
    await admin.get('/api/secsuite/v1/logs');
    await jobs.settled(); // the schedules begin now
    suite.logs.write({ module: 'core', code: 'of-old', type: 'notice' });
    await suite.logs.flush();
    await suite.settings.keep('global', { log_type: 'database', log_rotation: 1 });
    now += day; // the first run of retention only notes the time
    await jobs.settled();
    await store.write(async (tx) => void (await sql`drop table secsuite_lockouts_spared`.execute(tx)));
    now += 2 * day;
    await jobs.settled();
    await suite.logs.flush();
    const { body } = await admin.get('/api/secsuite/v1/logs?per_page=100');
    const entries = body.map((one: { code: { raw: { code: string; data: string[] } }; module: { raw: string } }) =>
      [one.module.raw, one.code.raw.code, ...one.code.raw.data].join(' '),
    );
    assert.ok(entries.includes('scheduler unhandled-exception purge-lockouts'), entries.join('\n'));
    assert.ok(!entries.includes('core of-old'));
    const failed = body.find((one: { code: { raw: { data: string[] } } }) =>
      one.code.raw.data.includes('purge-lockouts'),
    );
    assert.deepEqual([failed.type.raw, failed.url], ['fatal', 'wp-cron']);
    const [known] = await jobs.list({ kind: 'security-suite.errands', most: 10 });
    assert.ok(known);
  });

  test('that is only refused is an error, and no more than that', async () => {
    let now = noon.getTime();
    const [site, suite] = await aGuardedSite(engine, { clock: () => new Date(now) });
    const admin = site.as('administrator');
    await admin.get('/api/secsuite/v1/logs');
    await site.app.services.jobs.settled();
    now += 25 * 3_600_000;
    await site.app.services.jobs.settled();
    await suite.logs.flush();
    const { body } = await admin.get('/api/secsuite/v1/logs?module[]=scheduler');
    assert.deepEqual(
      body.map((one: { type: { raw: string }; code: { raw: { code: string; data: string[] } } }) => [
        one.type.raw,
        ...one.code.raw.data,
      ]),
      // A test reaches nobody, by no name.
      [['error', 'identify-server-ips']],
    );
  });
});
