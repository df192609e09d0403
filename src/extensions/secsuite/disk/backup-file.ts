// A backup of the database as a file: what the command for backups writes, without the files of the site.
import type { Clock } from '#site/platform/clock.ts';
import { backUp } from '#site/transfer/backup/backup.ts';
import { unhurried } from '#store/slices.ts';
import type { AnyStore } from '#store/store.ts';
import { type BackupKind, keep, nameOf } from './folders.ts';

/** What it takes to write one. */
export interface BackupDeps {
  readonly store: Pick<AnyStore, 'snapshot'>;
  readonly clock: Clock;
  readonly version: string;
  /** Tables by the names that the setting `exclude` has for them. Some of these names have no table here, others have several. */
  readonly leftOut: Readonly<Record<string, readonly string[]>>;
  unique(): string;
}

/** As the module of backups is set. */
interface BackupSettings {
  readonly location: string;
  readonly exclude: readonly string[];
}

/** A backup in the folder of backups, whole or not at all. */
export async function storeBackup(
  deps: BackupDeps,
  set: BackupSettings,
  signal: AbortSignal,
  kind: BackupKind = 'backup',
): Promise<{ readonly name: string; readonly size: number }> {
  const name = nameOf(deps.clock(), deps.unique(), kind);
  return { name, size: await keep(set.location, name, written(deps, set, signal)) };
}

/** What is left out is an empty table: so the archive fits wherever one does. */
const written = (
  { store, version, clock, leftOut: tables }: BackupDeps,
  { exclude }: BackupSettings,
  signal: AbortSignal,
) => {
  const leftOut = tablesLeftOut(exclude, tables);
  return (sink: (bytes: Uint8Array) => Promise<void>) =>
    backUp({
      snapshot: (work) =>
        store.snapshot((all) =>
          work({ ...all, rows: (table) => (leftOut.has(table.name) ? nothing() : unhurried(all.rows(table))) }),
        ),
      version,
      now: clock(),
      sink: async (bytes) => {
        signal.throwIfAborted();
        await sink(bytes);
      },
      note: () => {},
    });
};

async function* nothing(): AsyncGenerator<never> {}

export const tablesLeftOut = (names: readonly string[], tables: BackupDeps['leftOut']): ReadonlySet<string> =>
  new Set(names.flatMap((name) => tables[name] ?? []));
