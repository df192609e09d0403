import type { CompiledQuery, Dialect, Expression, QueryResult } from 'kysely';
import type { OutOfSpace, Unavailable } from '#lib/failures.ts';
import type { EngineFigures } from './figures.ts';

export type EngineName = 'sqlite' | 'postgres';

/** One statement on one connection. */
export type Run = (query: CompiledQuery) => Promise<QueryResult<unknown>>;

/** How often a topic was written in one slot. Two writes side by side count in different slots, so neither waits for the other. */
export interface Counter {
  readonly topic: string;
  readonly slot: number;
  readonly counter: number;
}

/** What a write comes to: its value, and the statement it ends with, which goes out together with the commit. */
export interface Ended<R> {
  readonly value: R;
  readonly last: CompiledQuery | undefined;
}

/** A write that is durable. */
export interface Committed<R> {
  readonly value: R;
  /** What its last statement returned. */
  readonly rows: readonly unknown[];
}

export type Row = Readonly<Record<string, unknown>>;

/** What is committed at one moment, however long it is looked at and whatever is written meanwhile. */
export interface View {
  readonly run: Run;
  /** Every row of a table, however many there are. One table at a time. */
  rows(table: Shape): AsyncIterable<Row>;
  /** The highest number that the column ever gave. */
  highest(table: string, column: string): Promise<number>;
}

/** What the store says to whoever runs it; a pino logger fits. */
export interface Log {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
  /** What the store works with is away, or full: told once, whoever finds it. Where nobody sees to that it is a warning each time. */
  away?(error: Unavailable | OutOfSpace): void;
}

/** What a restore has from its first change to its last. While it is held nobody else gets it, and the site opens for nobody. When the process dies it is free. */
export interface RestoreLock {
  /** Whether it was not lost meanwhile, as it is with the connection to a server. */
  isHeld(): Promise<boolean>;
  release(): Promise<void>;
}

/** What differs between SQLite and PostgreSQL, and nothing else. Everything above it is written once. */
export interface Engine {
  readonly name: EngineName;
  readonly dialect: Dialect;
  /** The slot of the connection that runs the statement. */
  readonly slot: Expression<number>;
  /** What was opened, for people, without a password. */
  readonly place: string;

  /** One reading statement. It sees committed data only, and a write is refused. Within: how long it may take, in ms. */
  read: (query: CompiledQuery, within?: number) => Promise<QueryResult<unknown>>;

  /** All of `work` or nothing of it, durable once this resolves. Patience: how long to wait for another writer, in ms. */
  transact<R>(work: (run: Run) => Promise<Ended<R>>, patience?: number): Promise<Committed<R>>;

  /** Reads for as long as it likes without holding up anybody. */
  snapshot<R>(work: (view: View) => Promise<R>): Promise<R>;

  /** Whether somebody holds the `RestoreLock`. */
  isBeingRestored(): Promise<boolean>;

  /** Lets rows of new tables point at what is not there yet, until `work` is done; then whatever points at nothing fails. */
  loosely(run: Run, work: () => Promise<void>): Promise<void>;

  /** From now on the column gives higher numbers than this. */
  startAbove(run: Run, table: string, column: string, highest: number): Promise<void>;

  /** Is there a table of this name? */
  knows(run: Run, table: string): Promise<boolean>;

  /** All tables there are, those that were made last first. */
  tables(run: Run): Promise<string[]>;

  /** Takes these tables away, whichever of them point at one another; none else points at them. */
  drop(run: Run, tables: readonly string[]): Promise<void>;

  /** Holds others that ask for the same name until this transaction ends. SQLite has one writer at a time anyway. */
  lock(run: Run, name: string): Promise<void>;

  /** Holds, and is held by, those that lock the name, but not others that share it. */
  share(run: Run, name: string): Promise<void>;

  /** Tells the other processes which counters a commit moved, later and as well as it can: they look by themselves too. */
  tell(counters: readonly Counter[]): void;

  /** Has `look` told within a second of what another process moved, or that it cannot be. Returns how to stop. */
  follow(look: Look): Promise<() => Promise<void>>;

  /** Throws what a migration would fail of: this user may not make tables. Nothing is written. */
  mayMigrate(): Promise<void>;

  /** One plain sentence, a `StoreProblem`, for a known reason why the database cannot be opened or brought up to date; else the error itself. */
  explain(error: unknown): unknown;

  /** A copy of the database as it is committed now, before something changes it for good. Null: this engine makes none. */
  copy(): Promise<string | null>;

  /** What is wrong with the stored data, a sentence each. */
  check(): Promise<string[]>;

  /** Which program keeps the database: `SQLite 3.51.0`. */
  release(): Promise<string>;

  /** How many bytes it takes where it is kept. */
  size(): Promise<number>;

  /** Cheap: whoever watches asks every few seconds. */
  figures(): EngineFigures;

  /** Whether a server answered anything since then, by `performance.now()`. */
  hasAnsweredSince?(time: number): boolean;

  close(): Promise<void>;
}

export interface Look {
  /** The counters are known (a notice carried them). */
  heard(counters: readonly Counter[]): void;
  /** No word arrives just now: nothing is current until the next `again`. */
  deaf(): void;
  /** Reads what moved, through `run` if it is given. Rejects when the counters cannot be read. */
  again(run?: Run): Promise<void>;
}

// What a table looks like, whichever engine keeps it.

export type Kind = 'integer' | 'real' | 'text' | 'bytes';

export interface Column {
  readonly name: string;
  readonly kind: Kind;
}

export interface Shape {
  readonly name: string;
  readonly columns: readonly Column[];
  /** The column that the database numbers. */
  readonly numbered?: string | undefined;
  /** Which package it came with; nothing when with the program. */
  readonly owner?: string | undefined;
}
