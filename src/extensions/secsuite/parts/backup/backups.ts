// Backups of the database, every few days: what the command for backups writes, without the files of the site.
import { day } from '#lib/spans.ts';
import type { Clock } from '#site/platform/clock.ts';
import { backUp } from '#site/transfer/backup/backup.ts';
import { unhurried } from '#store/slices.ts';
import type { AnyStore } from '#store/store.ts';
import { keep, nameOf, prune } from '../../disk/folders.ts';
import type { Event } from '../../logs/entry.ts';
import type { Send } from '../../notifications/sending.ts';
import type { ModuleSettings, Settings } from '../../settings/types.ts';

/** What it takes to write one. */
export interface BackupDeps {
  readonly store: Pick<AnyStore, 'snapshot'>;
  readonly clock: Clock;
  readonly version: string;
  /** Tables by the names that the setting `exclude` has for them. Some of these names have no table here, others have several. */
  readonly leftOut: Readonly<Record<string, readonly string[]>>;
  unique(): string;
}

interface Needs extends BackupDeps {
  readonly settings: Pick<Settings, 'of' | 'keep'>;
  isRunning(): boolean;
  send: Send;
  log(event: Event): void;
}

export interface Backups {
  isDue(): boolean;
  /** If it is due. */
  make(signal: AbortSignal): Promise<void>;
}

const id = 'backup';
type BackupSettings = ModuleSettings[typeof id];
const noRecipient = 'There is no email address to send it to: none is in the list, and the site has none.';

export function createBackups(needs: Needs): Backups {
  const { clock, settings, isRunning, send, log } = needs;
  const isDue = (): boolean => {
    const { enabled, interval, last_run } = settings.of(id);
    return isRunning() && enabled && interval >= 1 && clock().getTime() >= last_run * 1000 + interval * day;
  };
  const write = (code: string, type: Event['type'], data: object): void => log({ module: id, code, type, data });
  return {
    isDue,
    async make(signal) {
      if (!isDue()) return;
      const set = settings.of(id);
      const { name, size } = await storeBackup(needs, set, signal);
      await settings.keep(id, { last_run: Math.floor(clock().getTime() / 1000) });
      if (set.retain > 0) await prune(set.location, set.retain);
      const kept = { file: name, size };
      if (set.method === 'local') return write('file-stored', 'notice', kept);
      // Letters carry no files: they say where it is.
      const recipients = await send(id, { text: letter(name, set.location, size) }).catch(() => undefined);
      if (recipients) return write('email-succeeded-file-stored', 'notice', { ...kept, recipients });
      const reason = recipients === 0 ? { reason: noRecipient } : {};
      write('email-failed-file-stored', 'warning', { ...kept, ...reason });
    },
  };
}

/** A backup in the folder of backups, whole or not at all. */
export async function storeBackup(
  deps: BackupDeps,
  set: BackupSettings,
  signal: AbortSignal,
): Promise<{ readonly name: string; readonly size: number }> {
  const name = nameOf(deps.clock(), deps.unique());
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

const letter = (name: string, folder: string, size: number): string =>
  [
    `A backup of the database was made: ${name}, ${Math.ceil(size / 1024)} KB, in the folder ${folder} of the machine of the site.`,
    'Please fetch it from there, and keep it where it does not get lost together with the machine. It holds everything that stands in the database.',
  ].join('\n\n');

export const tablesLeftOut = (names: readonly string[], tables: Needs['leftOut']): ReadonlySet<string> =>
  new Set(names.flatMap((name) => tables[name] ?? []));
