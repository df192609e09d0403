import { CompiledQuery, type Transaction } from 'kysely';
import type { Ambient } from '#lib/ambient.ts';
import { inTime } from '#lib/concurrency.ts';
import { Crossed, OutOfSpace, Unavailable } from '#lib/failures.ts';
import { valuesIn } from './affected.ts';
import type { ChangeCounters } from './changes.ts';
import type { Counter, Ended, Engine, Run } from './engine.ts';
import { type AnyTables, writingHandle } from './handles.ts';
import { type Change, tablesOf } from './statements.ts';

/** What a write may ask for besides its statements. */
export interface During {
  /** Says that a topic changed where no statement shows it. */
  changed(topic: string): void;

  /**
   * Lets one write at a time past this point, for a decision that reads first and writes by what it read. SQLite has one writer
   * anyway; on PostgreSQL two writes otherwise run side by side, each seeing what is committed.
   */
  lock(name: string): Promise<void>;
  /** Past this point with any number of writes that share the name, and with none that has the lock of it. */
  share(name: string): Promise<void>;

  /**
   * All of `work` or nothing of it, within the write: what it throws is thrown on, and the write can go on. What crossed with others,
   * and a database that is away or full, end the write as ever.
   */
  apart<R>(work: () => Promise<R>): Promise<R>;

  /** Says what a job will write that is put into the queue here: it is judged as if this write did it. */
  willWrite(changes: readonly Announced[]): void;

  /** From now on new rows of the table get higher numbers than this, also where nothing of the write is kept. */
  numberAbove(table: string, highest: number): Promise<void>;
}

/** It is begun anew where it crossed with others: so it reads and writes through what it is given, answers, and does nothing else. */
export type Work<T, R> = (tx: Transaction<T>, during: During) => Promise<R>;

/** Asked before each change of a write. If it throws, the write ends and nothing of it is kept. */
export interface WriteJudge {
  change(change: Change, rows: AffectedRows): Promise<void>;
  announced(change: Announced): void;
}

/** The rows that a change is about. */
export interface AffectedRows {
  /** The different values of a column there; nothing where the statement does not tell. */
  values(column: string): Promise<readonly unknown[] | undefined>;
  /** To look up more, within the write. */
  readonly tx: Transaction<AnyTables>;
}

/** A change of a kind of record that somebody else will make. */
export interface Announced {
  readonly record: string;
  readonly action: Change['action'];
}

export interface Bounds {
  /** How long a write may take, in ms, until it is undone. */
  readonly limit?: number;
  /** How long it may wait for another process that writes, in ms. */
  readonly patience?: number;
}

/** What the work under way does in a store. */
export interface WriteFacts {
  readonly write: Pick<Write, 'open' | 'tx' | 'during'> | undefined;
  /** Of the write, which is all or nothing by itself. */
  readonly part: { readonly isOver: boolean } | undefined;
}

const LIMIT = 10_000;
const OWN_TABLES = ['changes', 'migrations'];

/** Runs writes: all or nothing each, its change counters moved in the same transaction and announced once it is durable. */
export class Writes {
  readonly #engine: Engine;
  readonly #counters: ChangeCounters;
  readonly #quiet: Set<string>;
  /** Asked when a write begins; nothing, where nobody judges what it does. */
  judging: () => WriteJudge | undefined = () => undefined;
  readonly #underWay: Ambient<WriteFacts>;

  constructor(engine: Engine, counters: ChangeCounters, quiet: Iterable<string>, underWay: Ambient<WriteFacts>) {
    this.#engine = engine;
    this.#counters = counters;
    this.#underWay = underWay;
    this.#quiet = new Set([...OWN_TABLES, ...quiet]);
  }

  /** Tables whose writes nobody hears of. */
  get quiet(): ReadonlySet<string> {
    return this.#quiet;
  }

  keepQuiet(tables: Iterable<string>): void {
    for (const table of tables) this.#quiet.add(table);
  }

  async run<T, R>(work: Work<T, R>, { limit = LIMIT, patience }: Bounds = {}): Promise<R> {
    // On SQLite it would wait for itself, on PostgreSQL it would be a second transaction.
    if (this.#underWay.now.write?.open)
      throw new Error('A write started inside a write: pass on the handle of the outer write, or join it.');
    const judge = this.judging();
    const { value, rows } = await untilUncrossed(() =>
      this.#engine.transact((run) => this.#once(work, run, limit, judge), patience),
    );
    this.#counters.moved(rows as readonly Counter[]);
    return value;
  }

  /** The work in the write under way; nothing, if there is none. */
  join<T, R>(work: Work<T, R>): Promise<R> | undefined {
    const { write } = this.#underWay.now;
    return write?.open ? work(write.tx, write.during) : undefined;
  }

  async #once<T, R>(work: Work<T, R>, run: Run, limit: number, judge: WriteJudge | undefined): Promise<Ended<R>> {
    const write = new Write(run, judge, this.#engine, this.#underWay);
    try {
      const begun = () => inTime(work(write.tx, write.during), limit, tooLate(limit));
      const value = await this.#underWay.with({ write, part: undefined }, begun);
      const topics = [...write.topics].filter((topic) => !this.#quiet.has(topic));
      return { value, last: this.#counters.bump(topics) };
    } finally {
      write.open = false;
    }
  }
}

/** So often a write is begun that crosses with others, each time from the start and by what is there then. */
const attempts = 4;

async function untilUncrossed<R>(write: () => Promise<R>): Promise<R> {
  for (let left = attempts - 1; left > 0; left--)
    try {
      return await write();
    } catch (error) {
      if (!(error instanceof Crossed)) throw error;
    }
  return write();
}

const [begins, holds, undoes] = ['savepoint part', 'release savepoint part', 'rollback to savepoint part'].map((text) =>
  CompiledQuery.raw(text),
) as [CompiledQuery, CompiledQuery, CompiledQuery];

/** With these, nothing of the write can stand. */
const endsAll = (error: unknown): boolean =>
  error instanceof Crossed || error instanceof Unavailable || error instanceof OutOfSpace;

/** One write under way. */
class Write {
  open = true;
  readonly topics = new Set<string>();
  readonly #run: Run;
  readonly #judge: WriteJudge | undefined;
  readonly tx: Transaction<AnyTables>;
  readonly during: During;
  readonly #underWay: Ambient<WriteFacts>;

  constructor(run: Run, judge: WriteJudge | undefined, engine: Engine, underWay: Ambient<WriteFacts>) {
    this.#underWay = underWay;
    this.#run = run;
    this.#judge = judge;
    this.tx = writingHandle(engine, this.run);
    this.during = {
      changed: (topic) => void this.topics.add(topic),
      lock: (name) => engine.lock(this.run, name),
      share: (name) => engine.share(this.run, name),
      apart: this.#apart,
      willWrite: (changes) => {
        for (const change of changes) judge?.announced(change);
      },
      numberAbove: (table, highest) => engine.startAbove(this.run, table, 'id', highest),
    };
  }

  run: Run = async (query) => {
    this.#refuseEnded();
    const { written, changes } = tablesOf(query);
    for (const table of written) this.topics.add(table);
    if (this.#judge !== undefined && changes.length > 0) {
      const rows = { tx: this.tx, values: (column: string) => valuesIn(query, column, this.tx) };
      for (const change of changes) await this.#judge.change(change, rows);
      this.#refuseEnded();
    }
    return this.#run(query);
  };

  #refuseEnded(): void {
    if (!this.open || this.#underWay.now.part?.isOver)
      throw new Error('This write has ended, so its handle no longer works.');
  }

  #apart = async <R>(work: () => Promise<R>): Promise<R> => {
    await this.run(begins);
    const part = { isOver: false };
    try {
      // What goes on after another branch of the work has failed must not write any more.
      const value = await this.#underWay.with({ part }, work).finally(() => {
        part.isOver = true;
      });
      await this.run(holds);
      return value;
    } catch (error) {
      if (endsAll(error)) throw error;
      await this.run(undoes);
      await this.run(holds);
      throw error;
    }
  };
}

/** A write that never settles would hold up all others. */
const tooLate = (limit: number) => () =>
  new Unavailable(`A write took longer than ${limit / 1000} seconds and was undone.`);
