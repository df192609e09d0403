// What dashboards count, held against a plain look at every entry, before and after entries are deleted.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { day, hour } from '#lib/spans.ts';
import { dailyCountTables } from '#site/platform/daily-counts.ts';
import type { Store } from '#store/store.ts';
import { onBothStores } from '#test/databases.ts';
import { hash } from '../../../../bench/log-entries.ts';
import { type NewEntry, toTheSecond } from './entry.ts';
import { createEvents, type Period } from './events.ts';
import { createKeep, createRetention, type KeptSettings } from './keeping.ts';
import { type LogTables, logMigrations, quietLogTables } from './tables.ts';

const start = Date.parse('2026-10-01T00:00:00Z');
const addresses = ['192.0.2.1', '192.0.2.2', '198.51.100.7', '2001:db8::1', ''];

/** The same entries each time; some are of a day that is over. */
function entriesOf(many: number): NewEntry[] {
  let state = 7;
  const roll = (sides: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (state >>> 8) % sides;
  };
  return Array.from({ length: many }, (_, n) => ({
    parent_id: 0,
    module: 'lockout',
    code: ['host-lockout::192.0.2.1', 'user-lockout::3', 'released'][roll(3)]!,
    type: 'action' as const,
    data: 'false',
    created_at: toTheSecond(start + n * 5 * hour - (roll(9) === 0 ? 3 * day : 0)),
    started_at: toTheSecond(start),
    memory_current: 1,
    memory_peak: 1,
    url: '/',
    site: 1,
    user_id: 0,
    remote_ip: addresses[roll(addresses.length)]!,
  }));
}

onBothStores('Events for dashboards', (engine) => {
  test('are counted as entries come, and stay when these are deleted', async () => {
    const tables = [dailyCountTables, { owner: 'secsuite-logs', migrations: logMigrations, quiet: quietLogTables }];
    const store = (await engine.store(tables)) as unknown as Store<LogTables>;
    const [keep, events] = [createKeep(store, hash), createEvents(store, hash)];
    const entries = entriesOf(200);
    for (let at = 0; at < entries.length; at += 9) await keep(entries.slice(at, at + 9));
    const period = (from: number, days: number, bucket: Period['bucket'] = 'day'): Period => ({
      bucket,
      start: new Date(start + from * day),
      end: new Date(start + (from + days) * day - 1),
    });
    const wrongIn = async (): Promise<unknown[]> => {
      const wrong: unknown[] = [];
      for (const from of [-4, 0, 3, 17])
        for (const days of [1, 2, 9, 60]) {
          const asked = period(from, days);
          const inside = entries.filter(
            ({ created_at: at }) => at >= asked.start.toISOString() && at <= asked.end.toISOString(),
          );
          const locked = inside.filter(({ code }) => code.startsWith('host-lockout')).length;
          const ips = new Set(inside.flatMap(({ remote_ip: ip }) => (ip === '' ? [] : ip))).size;
          const counted = (await events.count(asked, ['lockout-host'])).reduce((sum, { count }) => sum + count, 0);
          const there = await events.addresses(asked);
          if (counted !== locked || there !== ips) wrong.push({ from, days, counted, locked, there, ips });
        }
      return wrong;
    };
    assert.deepEqual(await wrongIn(), []);
    const hours = await events.count(period(5, 1, 'hour'));
    assert.ok(hours.every(({ at }) => at.getUTCMinutes() === 0) && hours.some(({ at }) => at.getUTCHours() > 0));

    const now = new Date(start + 50 * day);
    const settings = () => ({ log_type: 'database', log_rotation: 1 }) as KeptSettings;
    const { purge } = createRetention({ store, clock: () => now, settings, hash, onFaults: () => assert.fail() });
    assert.equal((await purge()).entries, entries.length);
    await events.purge(now);
    assert.deepEqual(await wrongIn(), []);
    assert.deepEqual(await events.count(period(5, 1, 'hour')), []);
    await events.purge(new Date(start + 900 * day));
    assert.deepEqual(await store.db.selectFrom('secsuite_log_addresses').selectAll().execute(), []);
  });
});
