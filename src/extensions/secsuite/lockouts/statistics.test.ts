import assert from 'node:assert/strict';
import { test } from 'node:test';
import { day, hour, minute } from '#lib/spans.ts';
import { onBothStores } from '#test/databases.ts';
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

onBothStores('Which addresses were locked out most', (engine) => {
  test('is told with and without the daily count, once each, also when lockouts are forgotten', async () => {
    const site = await aLockedSite(engine);
    await site.alone.settings.keep('global', { blacklist: false });
    for (const address of ['203.0.113.1', '203.0.113.2', '203.0.113.2']) {
      await lock(site, address);
      site.time.now += hour;
    }
    const expected = [
      ['203.0.113.2', 2],
      ['203.0.113.1', 1],
    ];
    assert.deepEqual(await top(site), expected);
    assert.equal(await site.alone.defence.purge(), 0);
    assert.equal(site.alone.settings.of('core').last_seen_lockout, 3);
    assert.deepEqual(await top(site), expected);
    await lock(site, '203.0.113.1');
    assert.deepEqual(await top(site), [
      ['203.0.113.1', 2],
      ['203.0.113.2', 2],
    ]);
    await site.alone.defence.purge();
    await site.alone.defence.purge();
    assert.deepEqual(await top(site), [
      ['203.0.113.1', 2],
      ['203.0.113.2', 2],
    ]);
    site.time.now += 9 * day;
    assert.equal(await site.alone.defence.purge(), 4);
    assert.equal(await site.alone.lockouts.find(1), undefined);
    assert.deepEqual(await top(site), [
      ['203.0.113.1', 2],
      ['203.0.113.2', 2],
    ]);
    assert.deepEqual(await top(site, '?period=week'), []);
    assert.deepEqual(await top(site, '?number=1'), [['203.0.113.1', 2]]);
    assert.deepEqual(await top(site, '?number=0'), []);
  });

  test('is summed up for a day, without who is always let in', async () => {
    const site = await aLockedSite(engine);
    const { ofDay } = site.alone.defence.statistics;
    await site.alone.settings.keep('global', { lockout_white_list: ['203.0.113.3'] });
    await lock(site, '203.0.113.1');
    site.time.now += day - hour;
    for (const address of ['203.0.113.2', '203.0.113.3']) await lock(site, address);
    assert.equal(await ofDay(), 2);
    site.time.now += 2 * hour;
    assert.equal(await ofDay(), 1);
  });

  test('leaves out who was let in again, or is always let in', async () => {
    const site = await aLockedSite(engine);
    await site.alone.settings.keep('global', { lockout_white_list: ['203.0.113.3'] });
    for (const address of ['203.0.113.1', '203.0.113.2', '203.0.113.3']) await lock(site, address);
    await site.alone.lockouts.releaseAddress('203.0.113.1');
    assert.deepEqual(await top(site), [['203.0.113.2', 1]]);
    await site.alone.defence.purge();
    assert.deepEqual(await top(site), [['203.0.113.2', 1]]);
  });

  test('counts the day in which the time begins from then on, after it was counted as well', async () => {
    const site = await aLockedSite(engine);
    await lock(site, '203.0.113.1');
    site.time.now += 2 * hour;
    await lock(site, '203.0.113.2');
    const expected = [['203.0.113.2', 1]];
    site.time.now += 23 * hour;
    assert.deepEqual(await top(site, '?period=24-hours'), expected);
    await site.alone.defence.purge();
    assert.deepEqual(await top(site, '?period=24-hours'), expected);
    const day = '?period[start]=2026-11-20T00:00:00Z&period[end]=2026-11-21T00:00:00Z';
    assert.deepEqual(await top(site, day), [['203.0.113.1', 1], ...expected]);
  });

  test('is told of the time that is asked for, its ends left out', async () => {
    const site = await aLockedSite(engine);
    await lock(site, '203.0.113.1');
    site.time.now += 10 * hour;
    await lock(site, '203.0.113.2');
    const between = (start: string, end: string) =>
      top(site, `?period[start]=${encodeURIComponent(start)}&period[end]=${encodeURIComponent(end)}`);
    assert.deepEqual(await between('2026-11-20T12:00:00Z', '2026-11-20T23:00:00Z'), [['203.0.113.2', 1]]);
    assert.deepEqual(await between('2026-11-20T11:59:59', '2026-11-20T23:00:00+01:00'), [['203.0.113.1', 1]]);
    site.time.now += 14 * hour + 30 * minute;
    assert.deepEqual(await top(site, '?period=24-hours'), [['203.0.113.2', 1]]);
    const admin = site.as('administrator');
    const refused: [string, string][] = [
      ['?period=fortnight', 'rest_invalid_param'],
      ['?period[start]=2026-11-20T12:00:00Z', 'rest_invalid_param'],
      ['?number=11', 'rest_invalid_param'],
      ['?period[start]=0000-01-01T00:00:00Z&period[end]=2026-11-20T12:00:00Z', 'secsuite.rest.invalid-period'],
    ];
    for (const [query, code] of refused) {
      const { status, body } = await admin.get(`${path}${query}`);
      assert.deepEqual([status, body.code], [400, code], query);
    }
    assert.deepEqual([(await site.get(path)).status, (await site.as('editor').get(path)).status], [401, 403]);
  });

  test('comes with where they are, while that is looked up', async () => {
    const site = await aLockedSite(engine);
    for (const address of ['203.0.113.1', '203.0.113.2']) await lock(site, address);
    assert.deepEqual(Object.keys((await site.as('administrator').get(path)).body[0]), ['ip', 'count']);
    site.alone.places.set('203.0.113.2', { label: 'Lyon' });
    const { body } = await site.as('administrator').get(path);
    assert.deepEqual(
      body.map(({ location }: { location: unknown }) => location),
      [null, { label: 'Lyon' }],
    );
  });

  test('what was counted is forgotten after a day', async () => {
    const site = await aLockedSite(engine);
    const events = async () =>
      (await site.app.services.store.db.selectFrom('secsuite_lockout_events').selectAll().execute()).length;
    await site.alone.lockouts.strike({ type: 'firewall', address: '203.0.113.1' });
    await site.alone.defence.purge();
    assert.equal(await events(), 1);
    site.time.now += day + 1;
    await site.alone.defence.purge();
    assert.equal(await events(), 0);
  });
});
