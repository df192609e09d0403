// A page of a log of a million entries, and how many there are, against the two plain statements that ask for it; and what it costs to
// log something.
import { join } from 'node:path';
import { dailyCountTables } from '#site/platform/daily-counts.ts';
import { type AnyStore, openStore } from '#store/store.ts';
import type { Asking, NewEntry } from '../src/extensions/secsuite/logs/entry.ts';
import { createKeep } from '../src/extensions/secsuite/logs/keeping.ts';
import type { Wanted } from '../src/extensions/secsuite/logs/list.ts';
import { createLogs, type LogNeeds, type Logs } from '../src/extensions/secsuite/logs/logs.ts';
import { logMigrations, quietLogTables } from '../src/extensions/secsuite/logs/tables.ts';
import { type BareRows, bareRows } from './bare-rows.ts';
import { onEach, type Place, stated } from './databases.ts';
import { timed } from './here.ts';
import { entries, hash, until } from './log-entries.ts';
import { compare, type Round } from './measure.ts';
import { compared, type Figure, microseconds, number, ratioOf, type Section } from './report.ts';

const many = 1_000_000;
const silent = { info() {}, warn() {}, error() {} };
const tables = [dailyCountTables, { owner: 'secsuite', migrations: logMigrations, quiet: quietLogTables }];

interface Question {
  readonly what: string;
  readonly wanted: Partial<Wanted>;
  /** The same for the plain statements. */
  readonly where: string;
  /** In milliseconds. */
  readonly most: number;
}

const [few, other, search] = [25, 150, 400] as const;
const someDaysAgo = new Date(until - 10 * 24 * 3_600_000).toISOString();
const one = '203.0.113.9';
const wrong = `kind in (select id from secsuite_log_kinds where head = 'invalid-login')`;
const kindWhere = (where: string) => `kind in (select id from secsuite_log_kinds where ${where})`;

/** Those with at most 10,000 matches first. */
const questions: readonly Question[] = [
  {
    what: 'module and type, 5,000 of them',
    wanted: { modules: ['backup'], types: ['error'] },
    most: few,
    where: kindWhere(`module = 'backup' and type = 'error'`),
  },
  {
    what: 'type and user, 1,500 of them',
    wanted: { types: ['debug'], users: [7] },
    most: few,
    where: `${kindWhere(`type = 'debug'`)} and user_id = 7`,
  },
  {
    what: 'type and address, 200 of them',
    wanted: { types: ['fatal'], ips: [one] },
    most: few,
    where: `${kindWhere(`type = 'fatal'`)} and remote_ip = '${one}'`,
  },
  {
    what: 'module and address, 6,500 of them',
    wanted: { modules: ['two_factor', 'scheduler'], ips: [one] },
    most: few,
    where: `${kindWhere(`module in ('two_factor', 'scheduler')`)} and remote_ip = '${one}'`,
  },
  {
    what: 'code and address, none',
    wanted: { codes: ['BLOCK::99'], ips: [one] },
    most: few,
    where: `code = 'BLOCK::99' and remote_ip = '${one}'`,
  },
  { what: 'everything', wanted: {}, most: other, where: '1 = 1' },
  {
    what: 'module and type',
    wanted: { modules: ['brute_force'], types: ['notice'] },
    most: other,
    where: kindWhere(`module = 'brute_force' and type = 'notice'`),
  },
  { what: 'code, by invalid-login%', wanted: { codes: ['invalid-login%'] }, most: other, where: wrong },
  {
    what: 'code and user',
    wanted: { codes: ['invalid-login%'], users: [0] },
    most: other,
    where: `${wrong} and user_id = 0`,
  },
  {
    what: 'type and address',
    wanted: { types: ['notice', 'action'], ips: [one] },
    most: other,
    where: `${kindWhere(`type in ('notice', 'action')`)} and remote_ip = '${one}'`,
  },
  {
    what: 'type and time',
    wanted: { types: ['notice'], after: new Date(someDaysAgo) },
    most: other,
    where: `${kindWhere(`type = 'notice'`)} and created_at > '${someDaysAgo}'`,
  },
  {
    what: 'address and time',
    wanted: { ips: [one], before: new Date(someDaysAgo) },
    most: other,
    where: `remote_ip = '${one}' and created_at < '${someDaysAgo}'`,
  },
  {
    what: 'module, its 100th page',
    wanted: { modules: ['firewall'], offset: 990 },
    most: other,
    where: kindWhere(`module = 'firewall'`),
  },
  {
    what: 'search, a third of them',
    wanted: { search: 'wp-login' },
    most: search,
    where: `(url like '%wp-login%' or remote_ip like 'wp-login%')`,
  },
  {
    what: 'search, none',
    wanted: { search: 'nowhere-at-all' },
    most: search,
    where: `(url like '%nowhere-at-all%' or remote_ip like 'nowhere-at-all%')`,
  },
  {
    what: 'search within a module',
    wanted: { search: 'attack=77', modules: ['firewall'] },
    most: search,
    where: `${kindWhere(`module = 'firewall'`)} and (url like '%attack=77%' or remote_ip like 'attack=77%')`,
  },
];

export async function measureLogs(): Promise<Section> {
  return {
    title: 'The security log',
    about: `A page of ten of ${number(many)} entries, newest first, and how many there are. The reference asks the same tables by the engine's own driver:
one statement counts, one reads the page. Ours knows totals, gathers what is little, and reads each index from its end; the ratio is of
how many are answered in the same time. Then what it takes to log an entry, which no request waits for, and what it takes to store it:
against the same rows by the driver alone, in the same groups.`,
    figures: await onEach(figuresOf),
  };
}

async function figuresOf(engine: string, place: Place): Promise<Figure[]> {
  const store = await openStore({ ...place, tables, log: silent });
  const beside = await bareRows(place.database ?? { file: join(place.data, 'gatehouse.db') });
  try {
    await filled(store);
    if (place.database !== undefined) await stated(place.database, 'vacuum analyze'); // as the server does by itself, in a minute
    const logs = logsOn(store);
    const figures: Figure[] = [];
    for (const question of questions) figures.push(await figureOf(engine, question, logs, beside));
    return [...figures, await keeping(engine, store, beside), await writing(engine, logs)];
  } finally {
    await beside.close();
    await store.close();
  }
}

const asking: Asking = { url: '/wp-login.php', address: '198.51.100.7', user: 0, startedAt: until };

const logsOn = (store: AnyStore): Logs =>
  createLogs({
    store: store as LogNeeds['store'],
    clock: () => new Date(until),
    asking: () => asking,
    background: 'unknown',
    url: 'https://site.example',
    settings: () => ({
      log_type: 'database',
      log_rotation: 60,
      file_log_rotation: 180,
      log_location: '',
      log_info: '',
    }),
    isRunning: () => true,
    hash,
    log: silent,
  });

const times = 3;

async function figureOf(engine: string, question: Question, logs: Logs, beside: BareRows): Promise<Figure> {
  const { what, wanted, where, most } = question;
  const whole: Wanted = { limit: 10, offset: 0, order: 'desc', orderBy: 'created_at', ...wanted };
  const page = `order by created_at desc, id desc limit ${whole.limit} offset ${whole.offset}`;
  const ours = async () => JSON.stringify(await logs.list(whole));
  const reference = async () => {
    const count = await beside.run(`select count(*) as total from secsuite_logs where ${where}`, []);
    const joined = 'secsuite_logs join secsuite_logs_data using (id)';
    return JSON.stringify([count, await beside.run(`select * from ${joined} where ${where} ${page}`, [])]);
  };
  const [found, expected] = [await logs.list(whole), JSON.parse(await reference())];
  if (found.total !== Number(expected[0][0].total) || found.items[0]?.id !== idOf(expected[1][0]))
    throw new Error(`${what}: ours found ${found.total}, the plain statement ${expected[0][0].total}.`);
  const several = (work: () => Promise<unknown>) => (): Promise<Round> =>
    timed(times, async () => {
      for (let n = 0; n < times; n++) await work();
    });
  const comparison = await compare(several(ours), several(reference));
  const [mine, theirs] = [comparison.ours, comparison.reference].map(({ rate }) => 1_000 / rate) as [number, number];
  return {
    what: `${engine}, ${what}`,
    ours: `${number(mine, 1)} ms`,
    reference: `${number(theirs, 1)} ms`,
    ratio: ratioOf(comparison.ratio),
    cpu: `${microseconds(comparison.ours.cpu)} / ${microseconds(comparison.reference.cpu)} = ${number(comparison.cpuRatio.median, 2)}`,
    wanted: `≤ ${most} ms`,
    holds: mine <= most,
  };
}

const idOf = (row: { id: number | string } | undefined): number | undefined => (row ? Number(row.id) : undefined);

const group = 500;

function* groups(): Iterable<NewEntry[]> {
  let some: NewEntry[] = [];
  for (const entry of entries(many)) {
    some.push(entry);
    if (some.length < group) continue;
    yield some;
    some = [];
  }
  if (some.length > 0) yield some;
}

async function filled(store: AnyStore): Promise<void> {
  const keep = createKeep(store as LogNeeds['store'], hash);
  for (const some of groups()) await keep(some);
}

/** Into the same tables, large as they are. */
async function keeping(engine: string, store: AnyStore, beside: BareRows): Promise<Figure> {
  const keep = createKeep(store as LogNeeds['store'], hash);
  const some = [...entries(group)];
  const comparison = await compare(
    () => timed(group, () => keep(some)),
    () => timed(group, () => putAll(beside, some)),
  );
  return compared(`${engine}, keeping ${group} at once`, comparison);
}

const putAll = (rows: BareRows, some: readonly NewEntry[]): Promise<void> =>
  rows.commit(async () => {
    for (const { parent_id, memory_current, memory_peak, data, ...entry } of some) {
      const [{ id } = { id: 0 }] = await rows.put('secsuite_logs', { ...entry, kind: 1 }, 'returning id');
      await rows.put('secsuite_logs_data', { id: Number(id), parent_id, memory_current, memory_peak, data });
    }
  });

const writes = 2_000;
const mostToWrite = 30;

/** The groups are kept between the rounds: what is measured is what a request waits for. */
async function writing(engine: string, logs: Logs): Promise<Figure> {
  const data = JSON.parse([...entries(1)][0]!.data);
  const copies: string[] = [];
  const ours = async () => {
    const round = await timed(writes, async () => {
      for (let n = 0; n < writes; n++)
        logs.write({ module: 'brute_force', code: 'invalid-login::user-3', type: 'notice', data });
    });
    await logs.flush();
    return round;
  };
  const reference = () =>
    timed(writes, async () => {
      for (let n = 0; n < writes; n++) copies.push(JSON.stringify(data));
      copies.length = 0;
    });
  const comparison = await compare(ours, reference);
  const each = 1e6 / comparison.ours.rate;
  return {
    what: `${engine}, logging (reference: JSON alone)`,
    ours: microseconds(each),
    reference: microseconds(1e6 / comparison.reference.rate),
    ratio: ratioOf(comparison.ratio),
    cpu: `${microseconds(comparison.ours.cpu)} / ${microseconds(comparison.reference.cpu)} = ${number(comparison.cpuRatio.median, 2)}`,
    wanted: `≤ ${mostToWrite} µs of the processor`,
    holds: comparison.ours.cpu <= mostToWrite,
  };
}
