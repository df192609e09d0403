import { statSync } from 'node:fs';
import { join } from 'node:path';
import { CompiledQuery } from 'kysely';
import { Ambient } from '#lib/ambient.ts';
import { inTime } from '#lib/concurrency.ts';
import { OutOfSpace, Unavailable } from '#lib/failures.ts';
import { ChangeCounters, type Changes } from './changes.ts';
import { type Contents, contentsOf } from './contents.ts';
import type { Engine, EngineName, Log, Run } from './engine.ts';
import { type StoreFigures, Timed } from './figures.ts';
import { type GatheringFacts, Gatherings, type LoadMany } from './gathering.ts';
import { type AnyTables, type Reads, readingHandle } from './handles.ts';
import {
  type Applied,
  allMigrations,
  appliedMigrations,
  migrate,
  migrateOwner,
  pendingMigrations,
  type TableOwner,
} from './migrate.ts';
import { StoreProblem } from './problem.ts';
import { refuseHalf } from './restored.ts';
import { SqliteEngine } from './sqlite/engine.ts';
import { sentence } from './sqlite/open.ts';
import { tablesOf } from './statements.ts';
import { type Trace, type TraceFacts, Traces } from './tracing.ts';
import { type Bounds, type Work, type WriteFacts, type WriteJudge, Writes } from './writing.ts';

type StoreWork = Ambient<TraceFacts & GatheringFacts & WriteFacts>;

const LIMIT = 2000;
const QUESTION = CompiledQuery.raw('select counter from changes limit 1');

/**
 * Asks whether the database answers. Callers share a question that is under way, so that a server that hangs is not asked more and more
 * often. A question that waits because all connections are in use is not needed when the server answered anything else meanwhile.
 */
export function pinging(engine: Pick<Engine, 'read' | 'hasAnsweredSince'>): () => Promise<void> {
  let asked: Promise<unknown> | undefined;
  const ask = () => {
    asked ??= engine.read(QUESTION, LIMIT).finally(() => {
      asked = undefined;
    });
    return asked;
  };
  return async () => {
    const begun = performance.now();
    const late = new Unavailable('The database does not answer.');
    try {
      await inTime(ask(), LIMIT, () => late);
    } catch (error) {
      if (error !== late || !engine.hasAnsweredSince?.(begun)) throw error;
    }
  };
}

/** Where everything that matters is kept. Owners of tables ask for a `Store<TheirTables>`; boot holds an `AnyStore`. */
export interface Store<T> {
  readonly engine: EngineName;
  /** What was opened, for people, without a password. */
  readonly place: string;
  /** Reads what is committed; a write through it is refused. */
  readonly db: Reads<T>;
  /** Reads what is committed now, however long that takes and whatever is written meanwhile. It keeps a connection to itself. */
  still<R>(work: (db: Reads<T>) => Promise<R>): Promise<R>;
  /** Likewise, all of it: every table of every owner. */
  snapshot<R>(work: (snapshot: Contents & { readonly engine: EngineName }) => Promise<R>): Promise<R>;
  /**
   * All of `work` or nothing of it; durable once this resolves. Keep it short: ask the network and hash passwords before. A
   * statement that failed ends the write on PostgreSQL, so do not catch and go on: use `onConflict`.
   */
  write<R>(work: Work<T, R>, bounds?: Bounds): Promise<R>;
  /**
   * Does `work` in the write under way, so that both are kept or neither; without one, in a write of its own. For nouns whose rows
   * stand or fall with those of their caller. What must not happen twice belongs after the caller's write.
   */
  join<R>(work: Work<T, R>): Promise<R>;
  /** Who judges what is written from now on: asked when a write begins, for whom it is done. */
  judge(begin: () => WriteJudge | undefined): void;
  readonly changes: Changes;
  /** Runs `work` and says which tables it read through `db` or had read before, and whether it wrote. */
  tracing<R>(work: () => Promise<R>): Promise<Trace & { answer: R }>;
  /** For whoever remembers: what the work under way was given came from these tables, read before. */
  readBefore(tables: Iterable<string>): void;
  /** Runs `work`, which only reads: what it looks up by a load that is gathered is looked up together, and once. */
  gathering<R>(work: () => Promise<R>): Promise<R>;
  /** This load, for work that gathers; for all others it is as it was. */
  gathered<V>(load: LoadMany<V>): LoadMany<V>;
  /** Throws within two seconds when the database is away. Cheap. */
  ping(): Promise<void>;
  /** What is wrong with the stored data, a sentence each; none when it is sound. Reads everything. */
  check(): Promise<string[]>;
  /** Makes the tables of one more owner, while everybody is at work, and takes care of them from now on. */
  adopt(owner: TableOwner): Promise<void>;
  /** Tables whose writes nobody hears of. */
  readonly quiet: ReadonlySet<string>;
  /** The migrations it lacks: none, unless somebody put an older database in its place. A newer one is refused. */
  pending(): Promise<Applied[]>;
  /** Which program keeps it: `SQLite 3.51.0`. */
  release(): Promise<string>;
  /** How many bytes it takes where it is kept. */
  size(): Promise<number>;
  /** How it is doing, since it was opened. Cheap. */
  figures(): StoreFigures;
  /** Lets running writes finish, then closes. */
  close(): Promise<void>;
}

export type AnyStore = Store<AnyTables>;

export interface StoreOptions {
  /** `postgres://…`; without it, a file in the data folder. */
  readonly database?: string | undefined;
  readonly data: string;
  readonly tables: readonly TableOwner[];
  readonly log: Log;
}

/** Opens the store and brings it up to date. What keeps it from opening is a `StoreProblem`: one sentence. */
export async function openStore(options: StoreOptions): Promise<AnyStore> {
  return withSite(options, async (engine) => {
    const { counters, writes, underWay } = await upToDate(engine, options);
    const unfollow = await engine.follow(counters);
    const owners = [...options.tables];
    const adopt = async (owner: TableOwner): Promise<void> => {
      await migrateOwner(engine, writes, owner, options.log);
      writes.keepQuiet(owner.quiet ?? []);
      // A later version of it knows more migrations.
      const earlier = owners.findIndex((one) => one.owner === owner.owner);
      owners.splice(earlier < 0 ? owners.length : earlier, earlier < 0 ? 0 : 1, owner);
    };
    return assemble(engine, counters, writes, {
      underWay,
      unfollow,
      adopt,
      pending: () => pendingMigrations(engine, owners),
      owners,
    });
  });
}

/** Brings the database up to date and closes it again: what was applied. */
export async function migrateStore(options: StoreOptions): Promise<Applied[]> {
  return withSite(options, async (engine) => {
    const { applied } = await upToDate(engine, options);
    await engine.close();
    return applied;
  });
}

/** What `migrateStore` would do, or why it could not. Nothing is made and nothing changed. */
export async function pendingOf(options: StoreOptions): Promise<Applied[]> {
  if (!hasDatabase(options)) return allMigrations(options.tables);
  return withSite(options, async (engine) => {
    const pending = await pendingMigrations(engine, options.tables);
    if (pending.length > 0) await engine.mayMigrate();
    await engine.close();
    return pending;
  });
}

/** Whether there is one to look into; looking into the embedded one would make it. */
export const hasDatabase = (options: StoreOptions): boolean =>
  options.database !== undefined || isThere(fileOf(options));

// A folder that this user may not look into is refused, and not taken for an empty one.
function isThere(file: string): boolean {
  try {
    return (statSync(file, { throwIfNoEntry: false })?.size ?? 0) > 0; // an empty file becomes a database when it is opened
  } catch (error) {
    throw sentence(error, file);
  }
}

/** The embedded database. */
export const fileOf = ({ data }: Pick<StoreOptions, 'data'>): string => join(data, 'gatehouse.db');

/** As `withEngine`, for everybody but a restore. */
export const withSite = <R>(options: StoreOptions, use: (engine: Engine) => Promise<R>): Promise<R> =>
  withEngine(options, async (engine) => {
    await refuseHalf(engine);
    return use(engine);
  });

/** Whatever keeps it from being opened or used is one sentence. The work closes it. */
export async function withEngine<R>(options: StoreOptions, use: (engine: Engine) => Promise<R>): Promise<R> {
  let engine: Engine | undefined;
  try {
    engine = await openEngine(options);
    return await use(engine);
  } catch (error) {
    await engine?.close().catch(() => {}); // why it cannot be opened says more
    const nobodys = error instanceof Unavailable || error instanceof OutOfSpace;
    const told = engine?.explain(nobodys ? error.cause : error);
    throw told instanceof StoreProblem ? told : error;
  }
}

// Imported only when asked for: the embedded store starts without paying for it.
const openEngine = async (options: StoreOptions): Promise<Engine> =>
  options.database
    ? (await import('./postgres/engine.ts')).openPostgres(options.database, options.log)
    : new SqliteEngine(fileOf(options));

async function upToDate(engine: Engine, { tables, log }: StoreOptions) {
  const counters = new ChangeCounters(engine, log);
  const underWay: StoreWork = new Ambient();
  const quiet = tables.flatMap((one) => one.quiet ?? []);
  const writes = new Writes(engine, counters, quiet, underWay);
  return { counters, writes, underWay, applied: await migrate(engine, writes, tables, log) };
}

interface Ends extends Pick<AnyStore, 'pending' | 'adopt'> {
  readonly underWay: StoreWork;
  unfollow(): Promise<void>;
  /** Of all tables, those of now. */
  readonly owners: readonly TableOwner[];
}

function assemble(
  engine: Engine,
  changes: Changes,
  writes: Writes,
  { underWay, unfollow, adopt, pending, owners }: Ends,
): AnyStore {
  const traces = new Traces(underWay);
  const gatherings = new Gatherings(underWay);
  changes.watch(() => gatherings.forget());
  const [reads, writing] = [new Timed(), new Timed()];
  const read: Run = async (query) => {
    const { tables, written } = tablesOf(query);
    if (written.size > 0) throw new Error('A write used the handle for reading: use store.write.');
    traces.read(tables);
    return reads.around(() => engine.read(query));
  };
  const write: AnyStore['write'] = (work, bounds) => {
    traces.wrote();
    return writing.around(() => gatherings.apart(() => writes.run(work, bounds)));
  };
  return {
    engine: engine.name,
    place: engine.place,
    db: readingHandle(engine, read),
    still: (work) => engine.snapshot(({ run }) => work(readingHandle(engine, run))),
    snapshot: (work) =>
      engine.snapshot(async (view) => {
        const contents = await contentsOf(view, owners, [], await appliedMigrations(engine, view.run));
        return work({ engine: engine.name, ...contents });
      }),
    write,
    join: (work) => writes.join(work) ?? write(work),
    judge: (begin) => {
      writes.judging = begin;
    },
    changes,
    tracing: (work) => traces.around(work),
    readBefore: (tables) => traces.read(tables),
    gathering: (work) => gatherings.around(work),
    gathered: (load) => gatherings.gathered(load),
    ping: pinging(engine),
    check: () => engine.check(),
    adopt,
    quiet: writes.quiet,
    pending,
    release: () => engine.release(),
    size: () => engine.size(),
    figures: () => ({
      ...engine.figures(),
      reads: reads.took,
      writes: writing.took,
      writing: writing.underWay,
      isCurrent: changes.isCurrent,
    }),
    close: async () => {
      await unfollow();
      await engine.close();
    },
  };
}
