import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { testEngine } from '#test/databases.ts';
import { freezing } from '#test/freezing.ts';
import { inTime } from '#test/in-time.ts';
import { startPostgres } from '#test/postgres.ts';
import { aSite } from '#test/site.ts';
import { soon } from '#test/soon.ts';
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
      for (let n = 0; n < 4_000 && greeters.acknowledged().length <= than; n++) await pause(50);
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
    for (let n = 0; n < 4_000 && !site.complaints.includes('is back'); n++) await pause(50);
    assert.deepEqual(site.complaints.trim().split('\n'), [
      'Created the database.',
      'The database cannot be reached at the moment.',
      'The database and storage work again. Requests are answered and background jobs run.',
    ]);
    await site.kill();
    await server.stop();
  });
});

describe('A way to PostgreSQL that freezes without an error', () => {
  const engine = testEngine('postgres');
  /** What is promised, and what a busy machine is late. */
  const most = 3_000 + 1_000;

  test('costs at most 3 seconds, and the site says whether it can serve', async () => {
    const place = await engine.place();
    const way = await freezing(place.database!);
    engine.atEnd(() => way.close());
    const site = await aSite({ ...engine, place: async () => ({ ...place, database: way.url }) });
    const asked = async (path: string): Promise<number> => {
      const begun = performance.now();
      const { status } = await site.get(path);
      inTime(performance.now() - begun, most, path);
      return status;
    };
    let search = 0;
    const all = () => Promise.all([asked(`/api/core/v2/posts?search=${search++}`), asked('/readyz')]);
    const titled = (title: string) => site.as('editor').post('/api/core/v2/posts', { title });
    assert.equal((await titled('before')).status, 201);
    way.freeze();
    assert.deepEqual(await all(), [200, 200]);
    assert.equal((await titled('after')).status, 201);
    way.freezeAll();
    for (let n = 0; n < 3; n++) assert.deepEqual(await all(), [503, 503]);
    way.thaw();
    // A connection that was begun before is still given its time.
    await soon(async () => String(await all()), '200,200');
    site.log.lines.length = 0;
  });
});
