import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { testEngine } from '#test/databases.ts';
import { startPostgres } from '#test/postgres.ts';
import { Greeters, SiteProcess } from './site-process.ts';

describe('PostgreSQL stopped and started under load', () => {
  const folders = testEngine('sqlite');

  test('is 503 with Retry-After while it is away, the log tells it once, and the site recovers by itself', async () => {
    const server = await startPostgres();
    const { data } = await folders.place();
    const site = await SiteProcess.start({ data, database: server.url });
    const greeters = new Greeters(join(data, 'acknowledged.txt'));
    const greeting = greeters.greet(site, 'under load');
    const more = async (than: number) => {
      for (let n = 0; n < 200 && greeters.acknowledged().length <= than; n++) await pause(50);
      assert.ok(greeters.acknowledged().length > than, 'greetings are taken');
    };
    await more(0);
    await server.halt();
    await pause(500);
    const ready = await fetch(`${site.origin}/readyz`);
    assert.equal(ready.status, 503);
    assert.ok(Number(ready.headers.get('retry-after')) > 0);
    const read = await fetch(`${site.origin}/api/hello/v1/greetings`);
    assert.equal(read.status, 503);
    assert.ok(Number(read.headers.get('retry-after')) > 0);
    await server.start();
    await more(greeters.acknowledged().length);
    greeters.stop();
    await greeting;
    assert.ok(greeters.refused.length > 0);
    for (const { status, retryAfter, body } of greeters.refused) {
      assert.equal(status, 503, body);
      assert.ok(Number(retryAfter) > 0);
    }
    assert.equal((await fetch(`${site.origin}/readyz`)).status, 200);
    for (let n = 0; n < 400 && !site.complaints.includes('is back'); n++) await pause(50);
    assert.deepEqual(site.complaints.trim().split('\n'), [
      'The database is made.',
      'The database cannot be reached at the moment.',
      'What was missing is back: requests are answered and jobs are done again.',
    ]);
    await site.kill();
    await server.stop();
  });
});
