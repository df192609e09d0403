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
import pg from 'pg';
import { Unavailable } from '#lib/failures.ts';
import type { Committed, Counter, Ended, Engine, Log, Look, Run } from '../engine.ts';
import { stopping } from '../problem.ts';
import { findFaults } from './check.ts';
import { away, passedOver, sentence, translate, translateWrite } from './failures.ts';
import { Notices } from './notices.ts';
import { clientConfig, placeOf, SLOT, settle } from './session.ts';
import { Statements } from './statements.ts';

const READ_LIMIT = 30_000;
const UNDO_LIMIT = 2000;
const SLOTS = 64; // several times the writing connections of a process

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
    throw sentence(error, engine.place);
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
  readonly #readers: pg.Pool;
  readonly #writers: pg.Pool;
  readonly #statements = new Statements();
  #notices: Notices | undefined;
  #nextSlot = randomInt(SLOTS); // another process most likely begins elsewhere
  #closed = false;

  constructor(url: string, log: Log) {
    this.#url = url;
    this.#log = log;
    this.place = placeOf(url);
    this.#readers = this.#pool({});
    this.#writers = this.#pool({ pipeline: true });
  }

  async reach(): Promise<void> {
    const client = await this.#readers.connect();
    client.release();
  }

  read: Run = (query) => this.#ask(query, READ_LIMIT);

  // BEGIN goes out together with the first statement and COMMIT with the last: two waits less. A statement whose BEGIN failed is
  // refused, because it is not said to write; a COMMIT whose last statement failed undoes.
  async transact<R>(work: (run: Run) => Promise<Ended<R>>): Promise<Committed<R>> {
    const client = await this.#connect(this.#writers);
    const run: Run = (query) => told(this.#statements.run(client, query));
    let broken = false;
    try {
      const begun = begin(client);
      begun.catch(() => {}); // heard of below, or from the first statement
      const { value, last } = await work(run);
      await begun;
      const [ended] = await Promise.all([last && run(last), told(commit(client))]);
      return { value, rows: ended?.rows ?? [] };
    } catch (error) {
      broken = !(await undo(client));
      throw error;
    } finally {
      client.release(broken);
    }
  }

  async knows(run: Run, table: string): Promise<boolean> {
    const { rows } = await run(CompiledQuery.raw('select to_regclass($1) is not null as known', [table]));
    return (rows[0] as { known: number }).known === 1;
  }

  async lock(run: Run, name: string): Promise<void> {
    await run(CompiledQuery.raw('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`gatehouse:${name}`]));
  }

  tell(counters: readonly Counter[]): void {
    this.#notices?.tell(counters);
  }

  async follow(look: Look): Promise<() => Promise<void>> {
    const notices = new Notices(this.#url, this.#statements, look, this.#log);
    try {
      await told(notices.start());
    } catch (error) {
      await notices.stop();
      throw error;
    }
    this.#notices = notices;
    return () => notices.stop();
  }

  // A migration is one transaction here, data definition included.
  async copy(): Promise<null> {
    return null;
  }

  async check(): Promise<string[]> {
    return findFaults((query) => this.#ask(query)); // it reads everything, however long that takes
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await Promise.all([this.#readers.end(), this.#writers.end()]);
  }

  async #ask(query: CompiledQuery, within?: number): Promise<QueryResult<unknown>> {
    const client = await this.#connect(this.#readers);
    let broken = false;
    try {
      return await this.#statements.run(client, query, within);
    } catch (error) {
      const failure = translate(error);
      broken = failure instanceof Unavailable;
      throw failure;
    } finally {
      client.release(broken);
    }
  }

  async #connect(pool: pg.Pool): Promise<pg.PoolClient> {
    if (this.#closed) throw stopping();
    try {
      return await pool.connect();
    } catch (error) {
      throw translate(error);
    }
  }

  #pool(more: pg.PoolConfig): pg.Pool {
    const pool = new pg.Pool({
      ...clientConfig(this.#url),
      ...more,
      max: 10,
      idleTimeoutMillis: 60_000,
      onConnect: (client) => settle(client, this.place, this.#nextSlot++ % SLOTS),
    });
    // A lost connection is replaced when one is next needed. Unheard, its error would end the process: the pool hears idle ones only.
    pool.on('connect', (client) => client.on('error', () => {}));
    pool.on('error', (error) => this.#log.warn({ err: error }, 'A connection to the database was lost.'));
    return pool;
  }
}

// Only what the database said is put into our words: what the work itself throws passes as it is.
async function told<R>(answer: Promise<R>): Promise<R> {
  try {
    return await answer;
  } catch (error) {
    throw translateWrite(error);
  }
}

// Nothing the work does can make it fail: then the database takes no writes just now.
async function begin(client: pg.PoolClient): Promise<void> {
  try {
    await client.query('begin read write');
  } catch (error) {
    throw away(error);
  }
}

// PostgreSQL answers COMMIT with ROLLBACK when a statement of the transaction failed and nobody said so.
async function commit(client: pg.PoolClient): Promise<void> {
  const { command } = await client.query('commit');
  if (command === 'ROLLBACK') throw passedOver();
}

/** False: the connection is of no use any more. Closing it makes the server undo. */
async function undo(client: pg.PoolClient): Promise<boolean> {
  try {
    const rollback: pg.QueryConfig & { query_timeout: number } = { text: 'rollback', query_timeout: UNDO_LIMIT };
    await client.query(rollback);
    return true;
  } catch {
    return false;
  }
}
