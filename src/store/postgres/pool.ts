import { performance } from 'node:perf_hooks';
import pg from 'pg';
import { Busy } from '#lib/failures.ts';
import { type ClientOptions, DatabaseClient, SilentServer } from './client.ts';
import { ConnectionQueue } from './queue.ts';

export interface PoolOptions extends ClientOptions {
  readonly size: number;
  /** Milliseconds that a caller waits for a connection while all are in use. */
  readonly turnLimit: number;
  readonly pipeline?: boolean | undefined;
  /** Asked before an idle connection is used again. One that is not usable is closed. */
  readonly isUsable?: ((client: pg.PoolClient) => boolean) | undefined;
  /** A connection could not be opened, because the server said nothing since `begun`. */
  readonly onSilence?: ((begun: number) => void) | undefined;
}

/**
 * A pool in which waiting for a connection and opening one have a limit each. The pool of the package has one timer for both, so a
 * caller that waited for its turn would have less time to connect, and an error that does not tell which of the two it was.
 */
export class ConnectionPool {
  readonly #options: PoolOptions;
  readonly #pool: pg.Pool;
  readonly #queue: ConnectionQueue;

  constructor(options: PoolOptions) {
    this.#options = options;
    const { size, turnLimit, timers } = options;
    const late = () => new Busy(`All ${size} connections of a pool were in use for ${turnLimit / 1000} seconds.`);
    this.#queue = new ConnectionQueue({ size, limit: turnLimit, late, timers });
    this.#pool = new pg.Pool({
      ...options,
      Client: DatabaseClient as unknown as new () => pg.ClientBase,
      max: size,
      idleTimeoutMillis: 60_000,
    });
    // An idle connection that is lost is replaced when one is next needed.
    this.#pool.on('error', () => {});
  }

  /** The caller releases the connection once. */
  async connect(): Promise<pg.PoolClient> {
    await this.#queue.enter();
    try {
      const client = await this.#usable();
      const release = client.release.bind(client);
      client.release = (error) => {
        release(error);
        this.#queue.leave();
      };
      return client;
    } catch (error) {
      this.#queue.leave();
      throw error;
    }
  }

  /** Refuses everyone who waits for a connection. */
  refuseWaiting(error: unknown): void {
    this.#queue.refuse(error);
  }

  counts(): { readonly busy: number; readonly idle: number; readonly wanted: number } {
    const { totalCount, idleCount } = this.#pool;
    return { busy: totalCount - idleCount, idle: idleCount, wanted: this.#queue.waiting };
  }

  end(): Promise<void> {
    return this.#pool.end();
  }

  async #usable(): Promise<pg.PoolClient> {
    for (;;) {
      const client = await this.#open();
      if (this.#options.isUsable?.(client) ?? true) return client;
      client.release(true);
    }
  }

  async #open(): Promise<pg.PoolClient> {
    const begun = performance.now();
    try {
      return await this.#pool.connect();
    } catch (error) {
      if (error instanceof SilentServer) this.#options.onSilence?.(begun);
      throw error;
    }
  }
}
