import {
  type CompiledQuery,
  type DatabaseConnection,
  DefaultQueryExecutor,
  DummyDriver,
  Kysely,
  type QueryResult,
  Transaction,
} from 'kysely';
import type { Engine, Run } from './engine.ts';

/**
 * The one place where row types are left open: boot and the migrations hold a store whose tables they do not know. Each owner of tables
 * takes a `Store<ItsTables>`, which accepts this one.
 */
// biome-ignore lint/suspicious/noExplicitAny: Kysely's own word for "any tables"
export type AnyTables = any;

/** What a reader may do: a handle of a write can be given wherever one of these is asked for. */
export type Reads<T> = Pick<
  Kysely<T>,
  'selectFrom' | 'selectNoFrom' | 'with' | 'withRecursive' | 'fn' | 'case' | 'dynamic' | 'getExecutor'
>;

type Dialected = Pick<Engine, 'dialect'>;

export const readingHandle = <T>(engine: Dialected, run: Run): Reads<T> => new Kysely<T>(parts(engine, run));

/** Kysely's own type for "inside a transaction": it refuses to begin another one. */
export const writingHandle = <T>(engine: Dialected, run: Run): Transaction<T> => new Transaction<T>(parts(engine, run));

// Kysely only builds statements here; connections and transactions are the engine's, so its driver is a dummy.
function parts({ dialect }: Dialected, run: Run) {
  const connection = new Statements(run);
  const executor = new DefaultQueryExecutor(dialect.createQueryCompiler(), dialect.createAdapter(), {
    provideConnection: (consumer) => consumer(connection),
  });
  return { config: { dialect }, driver: new DummyDriver(), dialect, executor };
}

class Statements implements DatabaseConnection {
  readonly #run: Run;

  constructor(run: Run) {
    this.#run = run;
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    return (await this.#run(query)) as QueryResult<R>;
  }

  // A cursor would hold a snapshot open while others wait for newer data.
  // biome-ignore lint/correctness/useYield: it refuses instead.
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('Streaming is not supported: read page by page, by key.');
  }
}
