// What is found in the log, held against what a plain look at every entry finds.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { minute } from '#lib/spans.ts';
import { dailyCountTables } from '#site/platform/daily-counts.ts';
import { onBothStores, type TestEngine } from '#test/databases.ts';
import { hash } from '../../../../bench/log-entries.ts';
import { type Entry, type LogType, type NewEntry, toTheSecond } from './entry.ts';
import { createKeep } from './keeping.ts';
import { listed, type OrderBy, orders, type Wanted } from './list.ts';
import { everyEntry } from './logs.ts';
import { logMigrations, quietLogTables } from './tables.ts';

const owner = { owner: 'secsuite-logs', migrations: logMigrations, quiet: quietLogTables };
const start = Date.parse('2026-11-18T22:30:00Z');

/** The same numbers each time. */
function dice(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (state >>> 8) % sides;
  };
}

const kinds: readonly (readonly [module: string, code: string, type: LogType])[] = [
  ['brute_force', 'invalid-login', 'notice'],
  ['brute_force', 'invalid-login::username-ada', 'notice'],
  ['brute_force', 'invalid-login::user-1', 'notice'],
  ['brute_force', 'auto-ban-admin-username', 'notice'],
  ['firewall', 'BLOCK::1', 'action'],
  ['firewall', 'BLOCK::12', 'action'],
  ['firewall', 'LOG::3', 'notice'],
  ['lockout', 'host-lockout::10.0.0.1', 'action'],
  ['backup', 'email_failed', 'error'],
  ['backup', 'emailXfailed', 'error'],
];
const ips = ['10.0.0.1', '10.0.0.12', '198.51.100.7', '2001:db8::1', ''];
const paths = ['/wp-login.php', '/api/core/v2/posts?x=100%25', '/WP-LOGIN.php', '/a_b', '/10.0.0.1/x'];

function drawn(roll: (sides: number) => number, n: number): NewEntry {
  const [module, code, type] = kinds[roll(kinds.length)]!;
  const at = toTheSecond(start + Math.floor(n / 3) * 2 * minute);
  return {
    parent_id: 0,
    module,
    code,
    type,
    data: 'false',
    created_at: at,
    site: 1,
    started_at: toTheSecond(start + roll(100) * minute),
    memory_current: 1,
    memory_peak: 2,
    user_id: roll(4),
    remote_ip: ips[roll(ips.length)]!,
    url: `https://site.example${paths[roll(paths.length)]}`,
  };
}

const fits = (text: string, pattern: string): boolean =>
  new RegExp(
    `^${pattern
      .split('%')
      .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
      .join('.*')}$`,
    's',
  ).test(text);

const isWanted = (entry: Entry, wanted: Wanted): boolean =>
  (wanted.modules?.includes(entry.module) ?? true) &&
  (wanted.codes?.some((code) => fits(entry.code, code)) ?? true) &&
  (wanted.types?.includes(entry.type) ?? true) &&
  (wanted.users?.includes(entry.user_id) ?? true) &&
  (wanted.ips?.includes(entry.remote_ip) ?? true) &&
  (wanted.before === undefined || Date.parse(entry.created_at) < wanted.before.getTime()) &&
  (wanted.after === undefined || Date.parse(entry.created_at) > wanted.after.getTime()) &&
  (wanted.search === undefined ||
    entry.url.includes(wanted.search) ||
    entry.remote_ip.startsWith(wanted.search.toLowerCase()));

const by: Readonly<Record<OrderBy, keyof Entry>> = {
  created_at: 'created_at',
  id: 'id',
  module: 'module',
  code: 'code',
  type: 'type',
  request_started_at: 'started_at',
  user: 'user_id',
  site: 'site',
};

function plainly(entries: readonly Entry[], wanted: Wanted): { ids: number[]; total: number } {
  const name = by[wanted.orderBy];
  const sign = wanted.order === 'asc' ? 1 : -1;
  const found = entries
    .filter((entry) => isWanted(entry, wanted))
    .sort((one, other) => sign * (one[name]! < other[name]! ? -1 : one[name]! > other[name]! ? 1 : one.id - other.id));
  const page = found.slice(wanted.offset, wanted.offset + wanted.limit);
  return { ids: page.map(({ id }) => id), total: found.length };
}

function asked(roll: (sides: number) => number): Wanted {
  const some = <T>(values: readonly T[]): T[] => values.filter(() => roll(3) === 0);
  const moment = () => new Date(start + roll(4_000) * minute + (roll(2) ? 500 : 0));
  const patterns = [
    'invalid-login',
    'invalid-login%',
    'BLOCK%',
    'BLOCK::1',
    'BLOCK::1%',
    '%-lockout::%',
    'email_%',
    '%',
    'x%',
  ];
  const searches = ['login', 'LOGIN', '10.0.0.1', '100%25', 'a_b', 'nowhere', '2001:', '2001:DB8', '10.0.0.12'];
  return {
    ...(roll(4) === 0 && { modules: [...some(kinds.map(([module]) => module)), 'nobody'] }),
    ...(roll(4) === 0 && { codes: [patterns[roll(patterns.length)]!, patterns[roll(patterns.length)]!] }),
    ...(roll(4) === 0 && { types: [...some(['notice', 'action', 'error'] as const), 'debug' as const] }),
    ...(roll(4) === 0 && { users: some([0, 1, 2, 3, 99]) }),
    ...(roll(4) === 0 && { ips: [ips[roll(ips.length)]!, '192.0.2.1'] }),
    ...(roll(4) === 0 && { before: moment() }),
    ...(roll(4) === 0 && { after: moment() }),
    ...(roll(5) === 0 && { search: searches[roll(searches.length)]! }),
    limit: 1 + roll(20),
    offset: roll(3) === 0 ? roll(300) : 0,
    order: roll(2) ? 'asc' : 'desc',
    orderBy: roll(2) ? 'created_at' : orders[roll(orders.length)]!,
  };
}

async function aLog(engine: TestEngine, many: number) {
  const store = await engine.store([dailyCountTables, owner]);
  const keep = createKeep(store, hash);
  const roll = dice(7);
  for (let at = 0; at < many; at += 500)
    await keep(Array.from({ length: Math.min(500, many - at) }, (_, n) => drawn(roll, at + n)));
  const entries: Entry[] = [];
  for await (const entry of everyEntry(store.db, {})) entries.push(entry);
  return { store, entries, roll };
}

onBothStores('A list of entries', (engine) => {
  test('is what a look at every entry finds, in every order, however it is read', async () => {
    const { store, entries, roll } = await aLog(engine, 1_500);
    assert.equal(entries.length, 1_500);
    for (let n = 0; n < 400; n++) {
      const wanted = asked(roll);
      // As if there were many, or few.
      const { items, total } = await listed(store.db, wanted, n % 2 ? 20 : 10_000);
      const found = { ids: items.map(({ id }) => id), total };
      const expected = plainly(entries, wanted);
      if (!isDeepStrictEqual(found, expected)) assert.deepEqual(found, expected, JSON.stringify(wanted));
    }
  });

  test('of a log in which nothing is yet is empty', async () => {
    const { store } = await aLog(engine, 0);
    const wanted = { limit: 10, offset: 0, order: 'desc', orderBy: 'created_at' } as const;
    assert.deepEqual(await listed(store.db, wanted), { items: [], total: 0 });
    assert.deepEqual(await listed(store.db, { ...wanted, modules: ['core'] }), { items: [], total: 0 });
  });
});
