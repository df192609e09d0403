import type { CompiledQuery, Dialect, QueryResult } from 'kysely';

export type EngineName = 'sqlite' | 'postgres';

/** One statement on one connection. */
export type Run = (query: CompiledQuery) => Promise<QueryResult<unknown>>;

/** What the store says to whoever runs it; a pino logger fits. */
export interface Log {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

/** What differs between SQLite and PostgreSQL, and nothing else. Everything above it is written once. */
export interface Engine {
  readonly name: EngineName;
  readonly dialect: Dialect;
  /** What was opened, for people, without a password. */
  readonly place: string;

  /** One reading statement. It sees committed data only, and a write is refused. */
  read: Run;

  /** All of `work` or nothing of it, durable once this resolves. Patience: how long to wait for another writer, in ms. */
  transact<R>(work: (run: Run) => Promise<R>, patience?: number): Promise<R>;

  /** Is there a table of this name? */
  knows(run: Run, table: string): Promise<boolean>;

  /** Holds others that ask for the same name until this transaction ends. SQLite has one writer at a time anyway. */
  lock(run: Run, name: string): Promise<void>;

  /** Tells the other processes, once the transaction commits, which counters it moved. */
  tell(run: Run, counters: ReadonlyMap<string, number>): Promise<void>;

  /** Calls `look` whenever another process may have moved a counter, and soon after one did. Returns how to stop. */
  follow(look: Look): Promise<() => Promise<void>>;

  /** A copy of the database as it is committed now, before something changes it for good. Null: this engine makes none. */
  copy(): Promise<string | null>;

  /** What is wrong with the stored data, a sentence each. */
  check(): Promise<string[]>;

  close(): Promise<void>;
}

export interface Look {
  /** The counters are known (a notice carried them). */
  heard(counters: ReadonlyMap<string, number>): void;
  /** Nobody listens just now: notices may be missed until the next `again`. */
  deaf(): void;
  /** Something moved, or may have while nobody listened: the counters must be read again. */
  again(): Promise<void>;
}
