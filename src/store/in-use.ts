// Whether somebody else has a database open: what replaces it asks first.
import { fileOf, hasDatabase, type StoreOptions } from './store.ts';

/** Whether another process works with it now. Ask while this one does not. */
export async function isInUse(options: StoreOptions): Promise<boolean> {
  if (!hasDatabase(options)) return false;
  const { database } = options;
  if (database === undefined) return (await import('./sqlite/in-use.ts')).isHeld(fileOf(options));
  return (await import('./postgres/in-use.ts')).hasOthers(database);
}
