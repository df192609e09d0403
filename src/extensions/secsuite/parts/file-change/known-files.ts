// What is known of files: kept piece by piece, so that nobody waits for it.
import type { Store } from '#store/store.ts';
import type { FileTables } from './tables.ts';

const atOnce = 200;

export interface Changes {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly changed: readonly string[];
}

export const createKnownFiles = (store: Store<FileTables>) => ({
  async all(): Promise<Map<string, string>> {
    const rows = await store.db.selectFrom('secsuite_files').select(['path', 'hash']).execute();
    return new Map(rows.map(({ path, hash }) => [path, hash]));
  },

  async keep({ added, removed, changed }: Changes, found: ReadonlyMap<string, string>): Promise<void> {
    for (const paths of pieces(removed))
      await store.write(async (tx) => {
        await tx.deleteFrom('secsuite_files').where('path', 'in', paths).execute();
      });
    for (const paths of pieces([...added, ...changed]))
      await store.write(async (tx) => {
        const rows = paths.map((path) => ({ path, hash: found.get(path)! }));
        await tx
          .insertInto('secsuite_files')
          .values(rows)
          .onConflict((on) => on.column('path').doUpdateSet(({ ref }) => ({ hash: ref('excluded.hash') })))
          .execute();
      });
  },
});

const pieces = (paths: readonly string[]): string[][] =>
  Array.from({ length: Math.ceil(paths.length / atOnce) }, (_, at) => paths.slice(at * atOnce, (at + 1) * atOnce));

export function changesOf(before: ReadonlyMap<string, string>, found: ReadonlyMap<string, string>): Changes {
  const paths = [...found.keys()].sort();
  return {
    added: paths.filter((path) => !before.has(path)),
    removed: [...before.keys()].filter((path) => !found.has(path)).sort(),
    changed: paths.filter((path) => before.has(path) && before.get(path) !== found.get(path)),
  };
}
