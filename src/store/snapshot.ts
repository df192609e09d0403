// All of a database as it is at one moment, for a backup.
import type { Engine, Row, Run, View } from './engine.ts';
import { type Applied, appliedMigrations, inOrder, refuseNewer, type TableOwner } from './migrate.ts';
import { anyRow, plannedTables, tablesWithPackages } from './planned.ts';
import { isHalfRestored } from './restored.ts';
import type { Shape } from './shape.ts';
import { hasDatabase, type StoreOptions, withEngine, withSite } from './store.ts';

export interface Snapshot {
  readonly engine: string;
  /** What was applied, in order. */
  readonly migrations: readonly Applied[];
  /** Owners of tables whom this program does not know; their tables are not here. */
  readonly strangers: readonly string[];
  readonly tables: readonly Shape[];
  /** One after the other: whatever comes next is asked for once the last is read to its end. */
  rows(table: Shape): AsyncIterable<Row>;
  /** The highest number that a numbered table ever gave. */
  highest(table: Shape): Promise<number | undefined>;
}

/** What is committed now, whatever is written while `work` reads it. Nothing is made or changed, not even an older database. */
export const readSnapshot = <R>(
  options: StoreOptions,
  work: (snapshot: Snapshot) => Promise<R>,
  packages: readonly TableOwner[] = [],
): Promise<R> =>
  withSite(options, async (engine) => {
    const read = await engine.snapshot(async (view) => {
      const applied = await appliedMigrations(engine, view.run);
      refuseNewer(applied, options.tables, engine);
      return work({ engine: engine.name, ...(await contentsOf(view, options.tables, packages, applied)) });
    });
    await engine.close();
    return read;
  });

async function contentsOf(
  view: View,
  owners: readonly TableOwner[],
  packages: readonly TableOwner[],
  applied: readonly Applied[],
) {
  const known = packages.filter((one) => knowsAll(one, applied));
  const migrations = inOrder([...owners, ...known], applied);
  const strangers = applied.filter(({ owner }) => !migrations.some((one) => one.owner === owner));
  return {
    migrations,
    strangers: [...new Set(strangers.map(({ owner }) => owner))],
    tables: await tablesWithPackages(owners, known, migrations),
    rows: view.rows,
    highest: async ({ name, numbered }: Shape) => (numbered === undefined ? undefined : view.highest(name, numbered)),
  };
}

/** A package that was put back to an older version does not know what its tables look like by now. */
const knowsAll = ({ owner, migrations }: TableOwner, applied: readonly Applied[]): boolean =>
  applied.every((one) => one.owner !== owner || migrations.some(({ name }) => name === one.name));

/** Whether there is any row that belongs to a site, or half a restored one. Nothing is made where there is no database. */
export async function holdsRows(options: StoreOptions): Promise<boolean> {
  if (!hasDatabase(options)) return false;
  return withEngine(options, async (engine) => {
    const found = await hasRows(engine, engine.read, options.tables);
    await engine.close();
    return found;
  });
}

export async function hasRows(engine: Engine, run: Run, owners: readonly TableOwner[]): Promise<boolean> {
  const applied = await appliedMigrations(engine, run);
  refuseNewer(applied, owners, engine);
  for (const { name } of await plannedTables(owners, inOrder(owners, applied)))
    if (name !== 'changes' && (await run(anyRow(name))).rows.length > 0) return true;
  return isHalfRestored(engine, run);
}
