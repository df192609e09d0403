// A database filled from a backup: its schema of then, its rows, and then everything this program does differently.

import { setImmediate as turn } from 'node:timers/promises';
import { CompiledQuery, type KyselyPlugin, type Transaction } from 'kysely';
import { Ambient } from '#lib/ambient.ts';
import { ChangeCounters } from './changes.ts';
import type { Counter, Engine, Row, Run } from './engine.ts';
import type { AnyTables } from './handles.ts';
import {
  type Applied,
  allMigrations,
  appliedMigrations,
  applyAll,
  inOrder,
  makeMigrations,
  refuseNewer,
  type TableOwner,
} from './migrate.ts';
import { tablesOfPackage } from './packaged.ts';
import { derivedTables, plannedTables } from './planned.ts';
import { isMark, markHalf, markWhole } from './restored.ts';
import { pausing } from './slices.ts';
import { hasRows } from './snapshot.ts';
import { type StoreOptions, withEngine } from './store.ts';
import { Writes } from './writing.ts';

export interface Filling {
  /** Rows of a table, as many as fit into memory. */
  insert(table: string, rows: readonly Row[]): Promise<void>;
  /** From now on the table numbers its rows above this, and above every row it has. */
  startAbove(table: string, column: string, highest: number): Promise<void>;
}

interface Refill {
  /** What was applied to the database that the rows come from. */
  readonly migrations: readonly Applied[];
  /** Packages whose tables are among what is filled, beside those of the program. */
  readonly packages?: readonly TableOwner[];
  /** Makes what is thrown when the database holds rows of a site by now; without it they are replaced. */
  readonly taken?: (() => Error) | undefined;
  /** Whether the site is half there until `filesPlaced`: nobody opens it before. */
  readonly filesFollow: boolean;
  fill(filling: Filling): Promise<void>;
  /** What is done after the rows are there, and how many of them it has come past. */
  progress?(doing: string, rows: number): void;
}

/** Replaces whatever the database holds, all of it or nothing. Tables of others stay. */
export const refillStore = (options: StoreOptions, refill: Refill): Promise<void> =>
  withEngine(options, async (engine) => {
    const { tables: owners } = options;
    const bounds = { limit: Number.POSITIVE_INFINITY, patience: 300_000 };
    await writesOf(engine, options).run<AnyTables, void>(async (tx, { lock, changed }) => {
      await lock('migrations');
      for (const topic of await remade(engine, tx.withPlugin(letsOthers()), owners, refill)) changed(topic);
    }, bounds);
    await engine.close();
  });

/** Every file that followed has its place. */
export const filesPlaced = (options: StoreOptions): Promise<void> =>
  withEngine(options, async (engine) => {
    await writesOf(engine, options).run<AnyTables, void>(markWhole);
    await engine.close();
  });

const writesOf = (engine: Engine, { tables, log }: StoreOptions): Writes =>
  new Writes(
    engine,
    new ChangeCounters(engine, log),
    tables.flatMap(({ quiet }) => quiet ?? []),
    new Ambient(),
  );

/** What may have changed: everything there was and is. */
async function remade(engine: Engine, tx: Transaction<AnyTables>, own: readonly TableOwner[], refill: Refill) {
  if (refill.taken && (await hasRows(engine, running(tx), own))) throw refill.taken();
  const counters = await cleared(engine, tx, own, refill.packages ?? []);
  const owners = [...own, ...(refill.packages ?? [])];
  await applyAll(engine, owners, tx, inOrder(owners, refill.migrations));
  await engine.loosely(running(tx), async () => {
    await refill.fill(filling(engine, tx));
    refill.progress?.('Checking the references between rows', 0);
    await turn(); // on SQLite that is one long statement
  });
  await applyAll(engine, owners, tx, missing(owners, refill.migrations));
  await goOnCounting(tx, counters);
  if (refill.filesFollow) await markHalf(tx);
  const building = tx.withPlugin(counting((rows) => refill.progress?.('Building indexes', rows)));
  for (const { derived = {}, restored } of owners) {
    for (const rebuild of Object.values(derived)) await rebuild(building);
    await restored?.(tx);
  }
  refill.progress?.('Saving the database', 0);
  await turn();
  const tables = await plannedTables(owners, allMigrations(owners));
  return new Set([...tables.map(({ name }) => name), ...counters.map(({ topic }) => topic)]);
}

/** On SQLite no statement waits for anything: without a pause the program would hear and say nothing until all of them are done. */
function letsOthers(): KyselyPlugin {
  const pause = pausing();
  return {
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      await pause();
      return result;
    },
  };
}

/** Tells how many rows were read, so far. */
function counting(tell: (rows: number) => void): KyselyPlugin {
  let read = 0;
  return {
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      read += result.rows.length;
      tell(read);
      return result;
    },
  };
}

const running =
  (tx: Pick<Transaction<AnyTables>, 'executeQuery'>): Run =>
  (query) =>
    tx.executeQuery(query);

function missing(owners: readonly TableOwner[], applied: readonly Applied[]): Applied[] {
  const done = inOrder(owners, applied);
  return allMigrations(owners).filter(
    ({ owner, name }) => !done.some((one) => one.owner === owner && one.name === name),
  );
}

/** Takes away what is there. Its counters are kept: whoever has the database open notices by them. */
async function cleared(
  engine: Engine,
  tx: Transaction<AnyTables>,
  owners: readonly TableOwner[],
  packages: readonly TableOwner[],
): Promise<Counter[]> {
  const run = running(tx);
  const applied = await appliedMigrations(engine, run);
  refuseNewer(applied, owners, engine);
  if (!(await engine.knows(run, 'migrations'))) {
    await makeMigrations(engine, tx);
    return [];
  }
  const known = inOrder(owners, applied);
  const counters = (await countersOf(engine, tx)).filter((one) => !isMark(one)); // of another restore, which this one replaces
  const there = (await plannedTables(owners, known)).map(({ name }) => name).reverse();
  for (const name of [...derivedTables(owners), ...there])
    await run(CompiledQuery.raw(`drop table if exists "${name}"`));
  for (const { owner } of known) await tx.deleteFrom('migrations').where('owner', '=', owner).execute();
  for (const { owner } of packages) await clearPackage(engine, tx, owner, applied);
  return counters;
}

/** By their names: of which version these tables are does not matter, and the tables of the program are gone by now. */
async function clearPackage(engine: Engine, tx: Transaction<AnyTables>, owner: string, applied: readonly Applied[]) {
  const owners = applied.map((one) => one.owner);
  if (!owners.includes(owner)) return;
  const run = running(tx);
  await engine.drop(run, tablesOfPackage(await engine.tables(run), owner, owners));
  await tx.deleteFrom('migrations').where('owner', '=', owner).execute();
}

const countersOf = async (engine: Engine, tx: Transaction<{ changes: Counter }>): Promise<Counter[]> =>
  (await engine.knows(running(tx), 'changes'))
    ? tx.selectFrom('changes').select(['topic', 'slot', 'counter']).execute()
    : [];

async function goOnCounting(tx: Transaction<AnyTables>, counters: readonly Counter[]): Promise<void> {
  for (const { topic, slot, counter } of counters)
    await tx.insertInto('changes').values({ topic, slot, counter }).execute();
}

/** Values to one statement: both engines take far more. */
const AT_ONCE = 2000;

const filling = (engine: Engine, tx: Transaction<AnyTables>): Filling => ({
  insert: async (table, rows) => {
    const many = Math.max(1, Math.floor(AT_ONCE / Math.max(1, Object.keys(rows[0] ?? {}).length)));
    for (let from = 0; from < rows.length; from += many)
      await tx
        .insertInto(table)
        .values(rows.slice(from, from + many))
        .execute();
  },
  startAbove: async (table, column, highest) => {
    const { top } = await tx
      .selectFrom(table)
      .select((of) => of.fn.max<number | null>(column).as('top'))
      .executeTakeFirstOrThrow();
    await engine.startAbove(running(tx), table, column, Math.max(highest, top ?? 0));
  },
});
