import { setTimeout as after } from 'node:timers/promises';
import pg from 'pg';
import type { Counter, Log, Look } from '../engine.ts';
import { DatabaseClient, withDeadline } from './client.ts';
import { away } from './failures.ts';
import { clientConfig } from './session.ts';
import type { Statements } from './statements.ts';

const CHANNEL = 'gatehouse_changes';
const LOOKING = 400; // ms between two looks at the counters
const TOO_LATE = 700; // ms after the last look when another process may be a second ahead
const GATHERING = 20; // ms for which what moves waits to be told together
const ANSWERING = 2000; // ms that the server may take for an answer
const FIRST_PAUSE = 250;
const LONGEST_PAUSE = 5000;

/**
 * Tells other processes what moved and hears what they tell, on a connection of its own: inside a write, a notice would make all
 * commits wait for one another. A notice may get lost, so the counters are looked at all the same; while that cannot be done,
 * nobody takes anything for current.
 */
export class Notices {
  readonly #url: string;
  readonly #statements: Statements;
  readonly #look: Look;
  readonly #log: Log;
  readonly #untold = new Map<string, Counter>();
  #telling = false;
  #client: pg.Client | undefined;
  #timer: NodeJS.Timeout | undefined;
  #watchdog: NodeJS.Timeout | undefined;
  #pause = FIRST_PAUSE;
  #stopped = false;
  #answered = Number.NEGATIVE_INFINITY;

  constructor(url: string, statements: Statements, look: Look, log: Log) {
    this.#url = url;
    this.#statements = statements;
    this.#look = look;
    this.#log = log;
  }

  async start(): Promise<void> {
    const client = new DatabaseClient(clientConfig(this.#url));
    client.on('error', () => this.#lost(client));
    client.on('end', () => this.#lost(client));
    client.on('notification', ({ payload }) => this.#look.heard(read(payload)));
    this.#client = client;
    await client.connect();
    await inTime(client, () => client.query(`set synchronous_commit = off; listen ${CHANNEL}`)); // a notice need not wait for the disk
    await this.#lookAgain(client);
    this.#pause = FIRST_PAUSE;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    clearTimeout(this.#watchdog);
    await this.#client?.end().catch(() => {});
  }

  /** Whether the counters were read since then. */
  hasAnsweredSince(time: number): boolean {
    return this.#answered > time;
  }

  /** The first at once; what moves while it is told, and shortly after, goes out as one notice more. */
  tell(counters: readonly Counter[]): void {
    for (const one of counters) this.#untold.set(`${one.slot} ${one.topic}`, one);
    if (this.#telling) return;
    this.#telling = true;
    void this.#tellAll();
  }

  async #tellAll(): Promise<void> {
    while (this.#untold.size > 0) {
      const text = wording([...this.#untold.values()]);
      this.#untold.clear();
      const client = this.#client;
      if (client) await this.#send(client, text);
      await after(GATHERING, undefined, { ref: false });
    }
    this.#telling = false;
  }

  async #send(client: pg.Client, text: string): Promise<void> {
    try {
      await inTime(client, () => client.query('select pg_notify($1, $2)', [CHANNEL, text]));
    } catch (error) {
      // A text that is too long is refused by the server; then the others look. Without an answer, and after the server said that it
      // ends (class 57), the connection takes nothing more.
      if (!(error instanceof pg.DatabaseError) || error.code?.startsWith('57')) this.#lost(client);
    }
  }

  // On this connection, because it also finds out whether the connection is alive, and the others may all be taken.
  async #lookAgain(client: pg.Client): Promise<void> {
    await this.#look.again((query) => inTime(client, () => this.#statements.run(client, query)));
    this.#answered = performance.now();
    if (this.#stopped || this.#client !== client) return;
    this.#watchdog = rearmed(this.#watchdog, TOO_LATE, () => this.#look.deaf());
    this.#timer = rearmed(this.#timer, LOOKING, () => void this.#lookAgain(client).catch(() => this.#lost(client)));
  }

  #lost(client: pg.Client): void {
    if (this.#stopped || this.#client !== client) return;
    this.#client = undefined;
    this.#look.deaf();
    client.end().catch(() => {});
    if (this.#pause === FIRST_PAUSE) this.#tellLoss();
    this.#timer = rearmed(this.#timer, this.#pause, () => void this.#restart());
    this.#pause = Math.min(this.#pause * 2, LONGEST_PAUSE);
  }

  #tellLoss(): void {
    if (this.#log.away) this.#log.away(away(undefined));
    else this.#log.warn({}, 'Lost the connection that listens for changes. Connecting again.');
  }

  async #restart(): Promise<void> {
    try {
      await this.start();
    } catch {
      const client = this.#client;
      if (client) this.#lost(client);
    }
  }
}

const inTime = <R>(client: pg.Client, ask: () => Promise<R>): Promise<R> => withDeadline(client, ANSWERING, ask);

const wording = (counters: readonly Counter[]): string =>
  JSON.stringify(counters.map(({ topic, slot, counter }) => [topic, slot, counter]));

// Anybody who may use the database may send on the channel: what is not ours is no news.
function read(payload = ''): Counter[] {
  try {
    const told = JSON.parse(payload) as [string, number, number][];
    const counters = told.map(([topic, slot, counter]) => ({ topic, slot, counter }));
    const sound = ({ topic, slot, counter }: Counter) =>
      typeof topic === 'string' && Number.isSafeInteger(slot) && Number.isSafeInteger(counter);
    return counters.filter(sound);
  } catch {
    return [];
  }
}

function rearmed(timer: NodeJS.Timeout | undefined, wait: number, what: () => void): NodeJS.Timeout {
  clearTimeout(timer);
  return setTimeout(what, wait).unref();
}
