import pg from 'pg';
import type { Log, Look } from '../engine.ts';
import { clientConfig } from './session.ts';

export const CHANNEL = 'gatehouse_changes';
const HEARTBEAT = 1000;
const FIRST_PAUSE = 250;
const LONGEST_PAUSE = 5000;
const LONGEST_NOTICE = 7000; // PostgreSQL takes just under 8000 bytes

/** Counters as a notice carries them; too many for one and it says only that something moved. */
export function wording(counters: ReadonlyMap<string, number>): string {
  const text = JSON.stringify([...counters]);
  return text.length > LONGEST_NOTICE ? '' : text;
}

/** Listens on a connection of its own; when it is lost, listens again and has the counters read, since notices were missed. */
export class Notices {
  readonly #url: string;
  readonly #look: Look;
  readonly #log: Log;
  #client: pg.Client | undefined;
  #timer: NodeJS.Timeout | undefined;
  #pause = FIRST_PAUSE;
  #stopped = false;

  constructor(url: string, look: Look, log: Log) {
    this.#url = url;
    this.#look = look;
    this.#log = log;
  }

  async start(): Promise<void> {
    const client = new pg.Client({ ...clientConfig(this.#url), query_timeout: 2000 });
    client.on('error', () => this.#lost(client));
    client.on('end', () => this.#lost(client));
    client.on('notification', ({ payload }) => this.#hear(payload));
    this.#client = client;
    await client.connect();
    await client.query(`listen ${CHANNEL}`);
    this.#pause = FIRST_PAUSE;
    this.#later(HEARTBEAT, () => this.#beat(client));
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#client?.end().catch(() => {});
  }

  #hear(payload: string | undefined): void {
    if (!payload) return void this.#look.again();
    this.#look.heard(new Map(JSON.parse(payload) as [string, number][]));
  }

  // A connection can die without a word; asking something finds out.
  async #beat(client: pg.Client): Promise<void> {
    try {
      await client.query('select 1');
      this.#later(HEARTBEAT, () => this.#beat(client));
    } catch {
      this.#lost(client);
    }
  }

  #lost(client: pg.Client): void {
    if (this.#stopped || this.#client !== client) return;
    this.#client = undefined;
    this.#look.deaf();
    client.end().catch(() => {});
    if (this.#pause === FIRST_PAUSE)
      this.#log.warn({}, 'The connection that listens for changes was lost; connecting again.');
    this.#later(this.#pause, () => this.#again());
    this.#pause = Math.min(this.#pause * 2, LONGEST_PAUSE);
  }

  async #again(): Promise<void> {
    try {
      await this.start();
      await this.#look.again();
    } catch {
      const client = this.#client;
      if (client) this.#lost(client);
    }
  }

  #later(pause: number, what: () => Promise<void>): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void what(), pause);
    this.#timer.unref();
  }
}
