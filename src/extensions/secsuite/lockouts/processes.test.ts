import assert from 'node:assert/strict';
import { test } from 'node:test';
import { minute } from '#lib/spans.ts';
import { onBothStores, type TestEngine } from '#test/databases.ts';
import { aLockedSite, type Locked, stranger } from '#test/lockouts-alone.ts';
import { noon } from '#test/site.ts';
import { soon } from '#test/soon.ts';

const posts = '/api/core/v2/posts';

async function aPair(engine: TestEngine): Promise<[Locked, Locked]> {
  const time = { now: noon.getTime() };
  const one = await aLockedSite(engine, {}, time);
  const { data, database } = one.config;
  return [one, await aLockedSite(engine, { config: { data, ...(database && { database }) } }, time)];
}

const wrong = async (site: Locked, address: string): Promise<number> =>
  (await site.from(address).basic(stranger(), 'x')).status;

onBothStores('Processes of one site', (engine) => {
  test('count together, and lock out together', async () => {
    const [one, other] = await aPair(engine);
    const statuses: number[] = [];
    for (let time = 0; time < 5; time++) statuses.push(await wrong(time % 2 ? one : other, '127.0.0.9'));
    assert.deepEqual(statuses, [401, 401, 401, 401, 403]);
    const at = (site: Locked) => async () => (await site.from('127.0.0.9').ask(posts)).status;
    assert.equal(await at(other)(), 403);
    await soon(at(one), 403);
    await other.alone.lockouts.releaseAddress('127.0.0.9');
    assert.equal(await at(other)(), 200);
    await soon(at(one), 200);
  });

  test('make one lockout of a burst that meets both of them', async () => {
    const [one, other] = await aPair(engine);
    await Promise.all(Array.from({ length: 16 }, (_, at) => wrong(at % 2 ? one : other, '127.0.0.9')));
    assert.deepEqual(await one.alone.lockouts.since(new Date(0)), { hosts: 1, users: 0 });
    assert.equal(one.alone.told.news.length + other.alone.told.news.length, 1);
  });

  test('ban once, and let a manager in who was seen by the other', async () => {
    const [one, other] = await aPair(engine);
    for (let time = 0; time < 3; time++) {
      for (let attempt = 0; attempt < 5; attempt++) await wrong(attempt % 2 ? one : other, '127.0.0.9');
      one.time.now += 20 * minute;
    }
    assert.equal(await one.alone.bans.count(), 1);
    const at = async () => (await other.from('127.0.0.9').ask(posts)).status;
    await soon(at, 403);

    const headers = await one.credentials('administrator');
    assert.equal((await one.from('127.0.0.11').ask('/api/core/v2/users/me', { headers })).status, 200);
    await soon(async () => other.alone.client.authorised.lets('127.0.0.11'), true);
    await other.alone.bans.addMany(['127.0.0.0/28'], { type: 'user', id: '1' }, { self: '' });
    assert.equal(await other.alone.bans.count(), 1, 'it would keep out the manager');
  });

  test('forget whom a backup does not know that was put back', async () => {
    const site = await aLockedSite(engine);
    for (let time = 0; time < 5; time++) await wrong(site, '127.0.0.9');
    const status = async () => (await site.from('127.0.0.9').ask(posts)).status;
    assert.equal(await status(), 403);
    await site.app.services.store.write(async (tx) => {
      await tx.deleteFrom('secsuite_lockouts').execute();
      await tx.deleteFrom('secsuite_lockout_marks').execute();
    });
    await soon(status, 200);
  });
});
