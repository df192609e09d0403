import type { Socket } from 'node:net';
import pg from 'pg';
import { startDeadline, type Timers } from './deadline.ts';

/** The server did not answer in time, although this process was able to read. */
export class SilentServer extends Error {
  constructor() {
    super('The server did not answer within the time limit.');
    this.name = 'SilentServer';
  }
}

// Each client is one of these; the types of the package know no `connection`.
export const streamOf = (client: pg.ClientBase): Socket => (client as pg.Client).connection.stream as Socket;

/** Ends the connection when the server does not answer within `limit` milliseconds: `work` then fails. */
export async function withDeadline<R>(
  client: pg.ClientBase,
  limit: number,
  work: () => Promise<R>,
  timers?: Timers,
): Promise<R> {
  const cancel = startDeadline(limit, () => streamOf(client).destroy(new SilentServer()), timers);
  try {
    return await work();
  } finally {
    cancel();
  }
}

export interface ClientOptions extends pg.ClientConfig {
  /** Milliseconds from opening the socket until `prepare` has ended. */
  readonly openingLimit: number;
  /** Runs on a new connection before its first use. */
  readonly prepare?: ((client: DatabaseClient) => Promise<void>) | undefined;
  readonly timers?: Timers | undefined;
}

type Opened = (error: Error | null) => void;

/** A connection whose opening has a deadline. */
export class DatabaseClient extends pg.Client {
  readonly #options: ClientOptions;

  constructor(options: ClientOptions) {
    super(options);
    this.#options = options;
    // The next statement fails on a connection that is lost. Without a listener, the event would end the process.
    this.on('error', () => {});
  }

  override connect(): Promise<pg.Client>;
  override connect(callback: Opened): void;
  override connect(callback?: Opened): Promise<pg.Client> | undefined {
    const opened = this.#open();
    if (callback === undefined) return opened;
    opened.then(() => callback(null), callback);
    return undefined;
  }

  async #open(): Promise<pg.Client> {
    const { openingLimit, prepare, timers } = this.#options;
    const open = async () => {
      await super.connect();
      await prepare?.(this);
    };
    try {
      await withDeadline(this, openingLimit, open, timers);
      return this;
    } catch (error) {
      void this.end().catch(() => {});
      throw error;
    }
  }
}
