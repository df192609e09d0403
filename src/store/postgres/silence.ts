// A connection can freeze: something on the way takes what is sent, passes nothing on, and no error ever comes. A statement that is
// merely long looks the same from here, so the server is asked over another connection what it is doing for the silent one.
import { performance } from 'node:perf_hooks';
import { setTimeout as after, setImmediate as afterReading } from 'node:timers/promises';
import pg from 'pg';
import type { Log } from '../engine.ts';
import { DatabaseClient, streamOf, withDeadline } from './client.ts';
import { type Backend, clientConfig, slownessOf } from './session.ts';

const LOOKING = 250; // ms between two looks at the statements under way
const SILENT = 1000; // ms without a byte of an answer until the server is asked
const LONGEST = 10_000; // ms at most between two questions about a statement that is merely long
const REACHING = 1500; // ms that the other connection may take
const LATE = 250; // ms that an answer may still be on its way

const STARTED = 'extract(epoch from backend_start)::text';
const DOING = `select pid, ${STARTED} as started, state, wait_event_type as waits from pg_stat_activity where pid = any($1)`;
/** Its locks would otherwise be held until the server notices by itself, minutes later. */
const END = `select pg_terminate_backend(pid) from pg_stat_activity
  where pid = $1 and ${STARTED} = $2 and usename = current_user`;

interface Doing {
  readonly pid: number;
  readonly started: string | null;
  readonly state: string | null;
  readonly waits: string | null;
}

/** A connection with statements under way. */
interface Busy {
  readonly client: pg.PoolClient;
  statements: number;
  /** When it last said anything, or was asked. */
  heard: number;
  bytes: number;
  /** Milliseconds until the server is asked, and what they are at first. */
  patience: number;
  readonly usual: number;
}

type Asking = (...given: unknown[]) => unknown;

/** Ends connections that froze: what was asked on them fails, and can be asked again on another. */
export class SilenceWatch {
  readonly #url: string;
  readonly #log: Log;
  readonly #backends = new WeakMap<pg.PoolClient, Backend & { readonly made: number }>();
  readonly #busy = new Map<pg.PoolClient, Busy>();
  readonly #replaceable = new WeakSet<pg.PoolClient>();
  readonly #timer: NodeJS.Timeout;
  /** All times are so many times longer. */
  readonly #slowness: number;
  readonly #onSilence: () => void;
  #froze = Number.NEGATIVE_INFINITY;
  #answered = Number.NEGATIVE_INFINITY;
  #judging = false;

  /** `onSilence` is called when the server answers on no connection at all. */
  constructor(url: string, log: Log, onSilence: () => void) {
    this.#url = url;
    this.#log = log;
    this.#slowness = slownessOf(url);
    this.#onSilence = onSilence;
    this.#timer = setInterval(() => void this.#look(), LOOKING).unref();
  }

  /** From now on its statements are watched. */
  over(client: pg.PoolClient, backend: Backend): void {
    const made = performance.now();
    this.#backends.set(client, { ...backend, made });
    this.#answered = made;
    const ask = (client.query as Asking).bind(client);
    const watched: Asking = (...given) => {
      const answer = ask(...given);
      if (answer instanceof Promise) this.#follow(client, answer);
      return answer;
    };
    Object.assign(client, { query: watched });
  }

  /** Whether others that were made as early as this one froze since: most likely it did too. */
  isSuspect(client: pg.PoolClient): boolean {
    return (this.#backends.get(client)?.made ?? 0) < this.#froze;
  }

  /** Whether it froze and was ended while the server was there: another connection can do what it could not. */
  isReplaceable(client: pg.PoolClient): boolean {
    return this.#replaceable.has(client);
  }

  /** Whether the server answered on any connection that is watched. */
  hasAnsweredSince(time: number): boolean {
    return this.#answered > time;
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #follow(client: pg.PoolClient, answer: Promise<unknown>): void {
    const patience = SILENT * this.#slowness;
    const fresh: Busy = {
      client,
      statements: 0,
      heard: performance.now(),
      bytes: bytesOf(client),
      patience,
      usual: patience,
    };
    const busy = this.#busy.get(client) ?? fresh;
    busy.statements += 1;
    this.#busy.set(client, busy);
    const ended = () => {
      busy.statements -= 1;
      hear(busy);
      if (busy.statements === 0) this.#busy.delete(client);
    };
    const answered = () => {
      this.#answered = performance.now();
      ended();
    };
    answer.then(answered, ended);
  }

  async #look(): Promise<void> {
    if (this.#judging) return;
    const silent = [...this.#busy.values()].filter(isSilent);
    if (silent.length === 0) return;
    this.#judging = true;
    await this.#judge(silent).finally(() => {
      this.#judging = false;
    });
  }

  async #judge(silent: readonly Busy[]): Promise<void> {
    const asked = performance.now();
    const other = new DatabaseClient({ ...clientConfig(this.#url), openingLimit: REACHING * this.#slowness });
    try {
      await other.connect();
      const frozen = await this.#frozenAmong(silent, other);
      for (const { client } of frozen) this.#replaceable.add(client);
      this.#end(frozen);
      for (const { client } of frozen) {
        const { pid, started } = this.#backends.get(client)!;
        await this.#ask(other, END, [pid, started]);
      }
    } catch (error) {
      // A server that refuses another connection, or meanwhile answered on one, is there: it may merely be slow.
      if (error instanceof pg.DatabaseError || this.#answered > asked) for (const one of silent) hear(one);
      else this.#giveUp(silent.filter(isSilent));
    } finally {
      void other.end().catch(() => {});
    }
  }

  #ask<R extends pg.QueryResultRow>(other: pg.Client, text: string, values: unknown[]): Promise<pg.QueryResult<R>> {
    return withDeadline(other, REACHING * this.#slowness, () => other.query<R>(text, values));
  }

  async #frozenAmong(silent: readonly Busy[], other: pg.Client): Promise<Busy[]> {
    const backendOf = ({ client }: Busy) => this.#backends.get(client)!;
    const { rows } = await this.#ask<Doing>(other, DOING, [silent.map((one) => backendOf(one).pid)]);
    const isWorking = (one: Busy): boolean => {
      const { pid, started } = backendOf(one);
      const doing = rows.find((row) => row.pid === pid && (row.started === started || row.started === null));
      if (doing === undefined) return false;
      const isKnown = doing.state !== null && doing.state !== 'disabled';
      return !isKnown || (doing.state === 'active' && doing.waits !== 'Client');
    };
    const working = silent.filter(isWorking);
    for (const one of working) {
      one.heard = performance.now();
      one.patience = Math.max(one.usual, Math.min(2 * one.patience, LONGEST));
    }
    await after(LATE);
    await afterReading();
    return silent.filter((one) => !working.includes(one) && isSilent(one));
  }

  #giveUp(silent: readonly Busy[]): void {
    this.#end(silent);
    if (silent.length > 0) this.#onSilence();
  }

  #end(frozen: readonly Busy[]): void {
    if (frozen.length === 0) return;
    this.#froze = performance.now();
    this.#log.warn({ connections: frozen.length }, 'Replaced database connections that had stopped answering.');
    for (const { client } of frozen) streamOf(client).destroy();
  }
}

const bytesOf = (client: pg.PoolClient): number => streamOf(client).bytesRead;

function hear(busy: Busy): void {
  busy.heard = performance.now();
  busy.patience = busy.usual;
}

/** Notes what it said meanwhile. */
function isSilent(busy: Busy): boolean {
  if (busy.statements === 0) return false;
  const bytes = bytesOf(busy.client);
  if (bytes !== busy.bytes) hear(busy);
  busy.bytes = bytes;
  return performance.now() - busy.heard >= busy.patience;
}
