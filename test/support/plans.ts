// How the engines do what is asked of them: told by the engines themselves, about the very statements.
import { CompiledQuery, type Kysely, type KyselyPlugin, type QueryId, type RootOperationNode } from 'kysely';
import { siteTables } from '#site/tables.ts';
import type { AnyTables } from '#store/handles.ts';
import type { AnyStore } from '#store/store.ts';
import { asked, type TestEngine } from './databases.ts';

export interface Plan {
  readonly statement: string;
  readonly steps: readonly string[];
}

export interface WatchedStore {
  /** To fill. */
  readonly store: AnyStore;
  /** The same; what is read by this one is kept. */
  readonly watched: AnyStore;
  readonly place: Awaited<ReturnType<TestEngine['place']>>;
  /** Once it is filled: the server does so by itself, in a minute. */
  settle(): Promise<void>;
  /** Of every statement that this work reads with. */
  of(work: () => Promise<unknown>): Promise<Plan[]>;
}

export async function watchedStore(engine: TestEngine): Promise<WatchedStore> {
  const place = await engine.place(siteTables);
  const { database } = place;
  if (database !== undefined) await refuseScans(database);
  const store = await engine.store(siteTables, place);
  const statements: CompiledQuery[] = [];
  return {
    store,
    watched: { ...store, db: (store.db as Kysely<AnyTables>).withPlugin(keeping(store, statements)) },
    place,
    async settle() {
      if (database !== undefined) await asked(database, 'vacuum analyze');
    },
    async of(work) {
      statements.length = 0;
      await work();
      const all = [...statements];
      return Promise.all(all.map((query) => planOf(store, query)));
    },
  };
}

/** Small tables are read whole, and rightly; the question is what else there is for a large one. */
async function refuseScans(database: string): Promise<void> {
  const name = new URL(database).pathname.slice(1);
  await asked(database, `alter database ${name} set enable_seqscan = off`);
}

/** Keeps what is read, as the engine is sent it. */
function keeping({ db }: AnyStore, statements: CompiledQuery[]): KyselyPlugin {
  return {
    transformQuery: ({ node, queryId }: { node: RootOperationNode; queryId: QueryId }) => {
      statements.push(db.getExecutor().compileQuery(node, queryId));
      return node;
    },
    transformResult: async ({ result }) => result,
  };
}

async function planOf({ db, engine }: AnyStore, { sql, parameters }: CompiledQuery): Promise<Plan> {
  const question = `${engine === 'sqlite' ? 'explain query plan' : 'explain'} ${sql}`;
  const { rows } = await db
    .getExecutor()
    .executeQuery<Record<string, string>>(CompiledQuery.raw(question, [...parameters]));
  return { statement: sql, steps: rows.map((row) => row.detail ?? row['QUERY PLAN'] ?? '') };
}
