import type { ClientBase, CustomTypesConfig } from 'pg';
import pg from 'pg';
import { StoreProblem } from '../problem.ts';
import type { ClientOptions } from './client.ts';

const BOOL = 16;
const INT8 = 20;
const NUMERIC = 1700; // what summing whole numbers gives

// The same JavaScript values as SQLite gives: numbers for whole numbers, 0 or 1 for a condition.
const PARSERS: Record<number, (text: string) => unknown> = {
  [BOOL]: (text) => (text === 't' ? 1 : 0),
  [INT8]: whole,
  [NUMERIC]: Number,
};

function whole(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`The number ${text} is too large to be read exactly.`);
  return value;
}

const types = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') => PARSERS[oid] ?? pg.types.getTypeParser(oid, format),
} as CustomTypesConfig;

/** What the server knows all our connections by. What the address says would win over what is beside it. */
const NAME = 'gatehouse';

function named(url: string): string {
  const address = new URL(url);
  if (!address.searchParams.has('application_name')) return url;
  address.searchParams.set('application_name', NAME);
  return address.href;
}

const CONNECTING = 3; // seconds from opening a connection until a server that does not answer is taken for away
// Seconds that a caller waits for a connection while all are in use: as long as signed-in requests wait for their turn. A transaction
// takes 10 seconds at most and a read 30, so a connection becomes free within this time unless the database is overloaded.
const WAITING = 30;
const LONGEST = 600;

/** How many times longer than usual the server may take: its address says so with `connect_timeout`, as for its own programs. */
export const slownessOf = (url: string): number =>
  (numberIn(url, 'connect_timeout', { least: 1, most: LONGEST, unit: 'seconds' }) ?? CONNECTING) / CONNECTING;

/** How many connections there are at most that read, and as many that write: its address says so with `pool_size`. */
export const poolSizeOf = (url: string): number =>
  numberIn(url, 'pool_size', { least: 2, most: 100, unit: 'connections' }) ?? 10;

interface Bounds {
  readonly least: number;
  readonly most: number;
  readonly unit: string;
}

function numberIn(url: string, name: string, { least, most, unit }: Bounds): number | undefined {
  const given = new URL(url).searchParams.get(name);
  if (given === null) return undefined;
  if (/^[1-9]\d{0,2}$/.test(given) && Number(given) >= least && Number(given) <= most) return Number(given);
  throw new StoreProblem(
    `The ${name} in the URL of the database ${placeOf(url)} is ${given}`,
    `give ${unit}, from ${least} to ${most}`,
  );
}

export const openingLimit = (url: string): number => CONNECTING * 1000 * slownessOf(url);
export const turnLimit = (url: string): number => WAITING * 1000 * slownessOf(url);

export const clientConfig = (url: string): ClientOptions => ({
  connectionString: named(url),
  application_name: NAME,
  openingLimit: openingLimit(url),
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
  types,
});

/** The database's address for people: without user and password. */
export function placeOf(url: string): string {
  const { host, pathname } = new URL(url);
  return `postgres://${host}${pathname}`;
}

/** The process of the server that a connection speaks to. */
export interface Backend {
  readonly pid: number;
  readonly started: string | null;
}

/** Read by each statement that counts: it names the slot of its connection without a round trip. */
export const SLOT = 'gatehouse.slot';

/**
 * Before a connection is first used: an acknowledged write must survive a power cut, so commits wait for the disk, and a server that
 * does not really wait is refused. A process that hangs in a transaction must not hold its locks for ever. Nothing is written outside
 * a transaction that says it writes.
 */
export async function settle(client: ClientBase, url: string, slot: number): Promise<Backend> {
  const query = {
    text: `select current_setting('fsync') as fsync, current_setting('server_encoding') as encoding,
      set_config('synchronous_commit', 'on', false), set_config('default_transaction_read_only', 'on', false),
      set_config('idle_in_transaction_session_timeout', '60s', false), set_config('timezone', 'UTC', false), set_config('${SLOT}', $1, false),
      pg_backend_pid() as pid,
      (select extract(epoch from backend_start)::text from pg_stat_activity where pid = pg_backend_pid()) as started`,
    values: [String(slot)],
  };
  const { rows } = await client.query<Backend & { fsync: string; encoding: string }>(query);
  const place = placeOf(url);
  if (rows[0]?.fsync !== 'on') {
    const fault = `The database ${place} runs with fsync off and would lose writes in a power cut`;
    throw new StoreProblem(fault, 'turn fsync on');
  }
  if (rows[0].encoding !== 'UTF8') {
    throw new StoreProblem(`The database ${place} is not encoded in UTF-8`, 'create a database with the encoding UTF8');
  }
  return { pid: rows[0].pid, started: rows[0].started };
}
