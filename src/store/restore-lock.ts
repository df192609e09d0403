// What a restore holds from its first change to its last.
import type { RestoreLock } from './engine.ts';
import { fileOf, hasDatabase, type StoreOptions, withEngine } from './store.ts';

/** Nothing when another restore is at work there. */
export async function restoreLock(options: StoreOptions): Promise<RestoreLock | undefined> {
  if (options.database) return (await import('./postgres/restoring.ts')).lockDatabase(options.database);
  return (await import('./sqlite/restoring.ts')).lockFile(fileOf(options));
}

export async function isBeingRestored(options: StoreOptions): Promise<boolean> {
  if (!hasDatabase(options)) return false;
  return withEngine(options, async (engine) => {
    const found = await engine.isBeingRestored();
    await engine.close();
    return found;
  });
}

// Whether somebody else has a database open: what replaces it asks first.

/** Whether another process works with it now. Ask while this one does not. */
export async function isInUse(options: StoreOptions): Promise<boolean> {
  if (!hasDatabase(options)) return false;
  const { database } = options;
  if (database === undefined) return (await import('./sqlite/in-use.ts')).isHeld(fileOf(options));
  return (await import('./postgres/in-use.ts')).hasOthers(database);
}
