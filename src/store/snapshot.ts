// All of a database as it is at one moment, for a backup.
import { type Contents, contentsOf } from './contents.ts';
import type { Engine, Run } from './engine.ts';
import { appliedMigrations, inOrder, refuseNewer, type TableOwner } from './migrate.ts';
import { anyRow, plannedTables } from './planned.ts';
import { isHalfRestored } from './restored.ts';
import { hasDatabase, type StoreOptions, withEngine, withSite } from './store.ts';

export interface Snapshot extends Contents {
  readonly engine: string;
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
