import assert from 'node:assert/strict';
import { test } from 'node:test';
import { day } from '#lib/spans.ts';
import { eachEngine } from '#test/databases.ts';
import { aLockedSite, type Locked } from '#test/lockouts-alone.ts';

const path = '/api/secsuite/rpc/lockout-stats/top-blocked-ips';

/** Locks out an address, as the firewall does it. */
async function lock(site: Locked, address: string): Promise<void> {
  for (let time = 0; time < 10; time++) await site.alone.lockouts.strike({ type: 'firewall', address });
}

const top = async (site: Locked, query = ''): Promise<[string, number][]> => {
  const { body } = await site.as('administrator').get(`${path}${query}`);
  return body.map(({ ip, count }: { ip: string; count: number }) => [ip, count]);
};

eachEngine('Which addresses were locked out most', (engine) => {
  test('is told of very many as well, which are counted and forgotten a little at a time, and of no more than a year', async () => {
    const site = await aLockedSite(engine);
    const { store } = site.app.services;
    const [start, expire] = ['2026-11-20T10:00:00.000Z', '2026-11-20T10:15:00.000Z'];
    const many = 3_000;
    const rowOf = (at: number) => {
      const host = `10.0.${at >> 8}.${at & 255}`;
      return { type: 'firewall', start, expire, host, subnet: host, active: 1, context: '{}', change: 0 };
    };
    for (let at = 0; at < many; at += 1_000)
      await store.write((tx) =>
        tx
          .insertInto('secsuite_lockouts')
          .values(Array.from({ length: 1_000 }, (_, more) => rowOf(at + more)) as never)
          .execute(),
      );
    await lock(site, '10.0.0.1');
    const writes: number[] = [];
    const deaf = store.changes.watch((topics) => void (topics.has('secsuite_lockouts') && writes.push(1)));
    await site.alone.defence.purge();
    const counted = () =>
      store.db.selectFrom('daily_counts').select('subject').where('name', '=', 'secsuite-lockouts').execute();
    assert.equal((await counted()).length, many);
    assert.deepEqual((await top(site))[0], ['10.0.0.1', 2]);
    site.time.now += 9 * day;
    writes.length = 0;
    assert.equal(await site.alone.defence.purge(), many + 1);
    assert.ok(writes.length > 3, `${writes.length} writes took them away`);
    deaf();
    site.time.now += 400 * day;
    await site.alone.defence.purge();
    assert.deepEqual(await counted(), []);
  });
});
