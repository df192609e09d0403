import { randomInt } from 'node:crypto';
import {
  CompiledQuery,
  type Dialect,
  DummyDriver,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
  sql,
} from 'kysely';
import type pg from 'pg';
import { Crossed, Unavailable } from '#lib/failures.ts';
import type { Committed, Counter, Ended, Engine, Log, Look, Run, View } from '../engine.ts';
import type { EngineFigures } from '../figures.ts';
import { stopping } from '../problem.ts';
import { findFaults } from './check.ts';
import { SilentServer } from './client.ts';
import { isOutdated, notGranted, refused, sentence, translate, unopened, withoutParts } from './failures.ts';
import { Notices } from './notices.ts';
import { ConnectionPool } from './pool.ts';
import { isFree } from './restoring.ts';
import { clientConfig, placeOf, poolSizeOf, SLOT, settle, turnLimit } from './session.ts';
import { SilenceWatch } from './silence.ts';
import { inSnapshot, loosely, startAbove } from './snapshot.ts';
import { Statements } from './statements.ts';
import { Transaction } from './transaction.ts';

const READ_LIMIT = 30_000;
const SLOTS = 64; // several times the writing connections of a process

// The extension by which search finds parts of words: there, or this user may add it, as the owner of a database may.
const MAY = `select coalesce(has_schema_privilege(current_schema(), 'create'), false) as tables,
  exists (select 1 from pg_extension where extname = 'pg_trgm')
    or (has_database_privilege(current_database(), 'create')
      and exists (select 1 from pg_available_extension_versions where name = 'pg_trgm' and (trusted or not superuser)))
    or (select rolsuper from pg_roles where rolname = current_user)
      and exists (select 1 from pg_available_extensions where name = 'pg_trgm') as parts`;

const dialect: Dialect = {
  createDriver: () => new DummyDriver(),
  createQueryCompiler: () => new PostgresQueryCompiler(),
  createAdapter: () => new PostgresAdapter(),
  createIntrospector: (db) => new PostgresIntrospector(db),
};

/** Opens the database at this address; what keeps it from opening is a `StoreProblem`. */
export async function openPostgres(url: string, log: Log): Promise<Engine> {
  const engine = new PostgresEngine(url, log);
  try {
    await engine.reach();
    return engine;
  } catch (error) {
    await engine.close();
    throw unopened(error, engine.place);
  }
}

class Frozen extends Unavailable {
  constructor(cause: unknown) {
    super('A database connection stopped answering.', { cause });
  }
}

/**
 * A PostgreSQL server. Readers and writers have a pool each, so that a write that reads through the reading handle never waits for
 * itself. A transaction sees what is committed at each statement (read committed); what must not cross asks for a lock.
 */
class PostgresEngine implements Engine {
  readonly name = 'postgres';
  readonly dialect = dialect;
  readonly slot = sql<number>`current_setting(${sql.lit(SLOT)})::int`;
  readonly place: string;
  readonly #url: string;
  readonly #log: Log;
  readonly #readers: ConnectionPool;
  readonly #writers: ConnectionPool;
  readonly #statements = new Statements();
  readonly #watch: SilenceWatch;
  #notices: Notices | undefined;
  #nextSlot = randomInt(SLOTS); // another process most likely begins elsewhere
  #closed = false;

  constructor(url: string, log: Log) {
    this.#url = url;
    this.#log = log;
    this.place = placeOf(url);
    this.#watch = new SilenceWatch(url, log, () => this.#refuseWaiting());
    this.#readers = this.#pool({ pipeline: false });
    this.#writers = this.#pool({ pipeline: true });
  }

  async reach(): Promise<void> {
    const client = await this.#readers.connect();
    client.release();
  }

  read: Engine['read'] = (query, within = READ_LIMIT) => this.#askTwice(query, within);

  async transact<R>(work: (run: Run) => Promise<Ended<R>>): Promise<Committed<R>> {
    const client = await this.#connect(this.#writers);
    const transaction = new Transaction(client, this.#statements);
    let broken = false;
    try {
      const { value, last } = await work(transaction.run);
      return { value, rows: await transaction.commit(last) };
    } catch (error) {
      broken = !(await transaction.undo());
      // Nothing of it can stand, so all of it may be begun again.
      throw this.#watch.isReplaceable(client) && !transaction.isEnding ? new Crossed({ cause: error }) : error;
    } finally {
      client.release(broken);
    }
  }

  async snapshot<R>(work: (view: View) => Promise<R>): Promise<R> {
    const client = await this.#connect(this.#readers);
    let broken = true; // until it is known to have ended well
    try {
      const result = await inSnapshot(client, work);
      broken = false;
      return result;
    } finally {
      client.release(broken);
    }
  }

  isBeingRestored = async () => !(await isFree(this.read));
  loosely = loosely;
  startAbove = startAbove;

  async knows(run: Run, table: string): Promise<boolean> {
    const { rows } = await run(CompiledQuery.raw('select to_regclass($1) is not null as known', [table]));
    return (rows[0] as { known: number }).known === 1;
  }

  async tables(run: Run): Promise<string[]> {
    const text = `select relname::text as name from pg_class
      where relnamespace = to_regnamespace(current_schema()) and relkind in ('r', 'p') order by oid desc`;
    return (await run(CompiledQuery.raw(text))).rows.map((row) => (row as { name: string }).name);
  }

  async drop(run: Run, tables: readonly string[]): Promise<void> {
    if (tables.length > 0) await run(CompiledQuery.raw(`drop table ${tables.map((name) => `"${name}"`).join(', ')}`));
  }

  async lock(run: Run, name: string): Promise<void> {
    await run(CompiledQuery.raw('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`gatehouse:${name}`]));
  }

  async share(run: Run, name: string): Promise<void> {
    await run(CompiledQuery.raw('select pg_advisory_xact_lock_shared(hashtextextended($1, 0))', [`gatehouse:${name}`]));
  }

  tell(counters: readonly Counter[]): void {
    this.#notices?.tell(counters);
  }

  async follow(look: Look): Promise<() => Promise<void>> {
    const notices = new Notices(this.#url, this.#statements, look, this.#log);
    try {
      await notices.start();
    } catch (error) {
      await notices.stop();
      throw refused(error);
    }
    this.#notices = notices;
    return () => notices.stop();
  }

  async mayMigrate(): Promise<void> {
    const { rows } = await this.read(CompiledQuery.raw(MAY));
    const { tables, parts } = rows[0] as { tables: number; parts: number };
    if (tables !== 1) throw notGranted(this.place);
    if (parts !== 1) throw withoutParts(this.place);
  }

  explain(error: unknown): unknown {
    return sentence(error, this.place);
  }

  // A migration is one transaction here, data definition included.
  async copy(): Promise<null> {
    return null;
  }

  async check(): Promise<string[]> {
    return findFaults((query) => this.#askTwice(query)); // it reads everything, however long that takes
  }

  async release(): Promise<string> {
    const { rows } = await this.read(CompiledQuery.raw("select current_setting('server_version') as number"));
    return `PostgreSQL ${(rows[0] as { number: string }).number}`;
  }

  async size(): Promise<number> {
    const { rows } = await this.read(CompiledQuery.raw('select pg_database_size(current_database()) as bytes'));
    return Number((rows[0] as { bytes: unknown }).bytes);
  }

  figures(): EngineFigures {
    return {
      connections: [
        { pool: 'reading', ...this.#readers.counts() },
        { pool: 'writing', ...this.#writers.counts() },
      ],
    };
  }

  hasAnsweredSince(time: number): boolean {
    return this.#watch.hasAnsweredSince(time) || this.#notices?.hasAnsweredSince(time) === true;
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#watch.stop();
    await Promise.all([this.#readers.end(), this.#writers.end()]);
  }

  /** A question whose connection froze is asked again: it changes nothing. */
  async #askTwice(query: CompiledQuery, within?: number): Promise<QueryResult<unknown>> {
    try {
      return await this.#ask(query, within);
    } catch (error) {
      if (!(error instanceof Frozen)) throw error;
      return this.#ask(query, within);
    }
  }

  async #ask(query: CompiledQuery, within?: number): Promise<QueryResult<unknown>> {
    const client = await this.#connect(this.#readers);
    let broken = false;
    const ask = () => this.#statements.run(client, query, within);
    try {
      return await ask().catch((error) => {
        if (isOutdated(error)) return ask();
        throw error;
      });
    } catch (error) {
      const failure = this.#watch.isReplaceable(client) ? new Frozen(error) : translate(error);
      broken = failure instanceof Unavailable;
      throw failure;
    } finally {
      client.release(broken);
    }
  }

  async #connect(pool: ConnectionPool): Promise<pg.PoolClient> {
    if (this.#closed) throw stopping();
    try {
      return await pool.connect();
    } catch (error) {
      throw refused(error);
    }
  }

  #pool({ pipeline }: { readonly pipeline: boolean }): ConnectionPool {
    return new ConnectionPool({
      ...clientConfig(this.#url),
      pipeline,
      size: poolSizeOf(this.#url),
      turnLimit: turnLimit(this.#url),
      prepare: async (client) => {
        const backend = await settle(client, this.#url, this.#nextSlot++ % SLOTS);
        this.#watch.over(client as pg.Client as pg.PoolClient, backend);
      },
      isUsable: (client) => !this.#watch.isSuspect(client),
      onSilence: (begun) => {
        if (!this.hasAnsweredSince(begun)) this.#refuseWaiting();
      },
    });
  }

  /** The server is silent: those who wait for a connection would wait for it in vain, one opening after the other. */
  #refuseWaiting(): void {
    for (const pool of [this.#readers, this.#writers]) pool.refuseWaiting(new SilentServer());
  }
}
