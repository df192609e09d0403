// Backups of the database, every few days: what the command for backups writes, without the files of the site.
import { day } from '#lib/spans.ts';
import { type BackupDeps, storeBackup } from '../../disk/backup-file.ts';
import { prune } from '../../disk/folders.ts';
import type { Event } from '../../logs/entry.ts';
import type { Send } from '../../notifications/sending.ts';
import type { Settings } from '../../settings/types.ts';

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
  /** Whether it is due or not. */
  makeNow(signal: AbortSignal): Promise<void>;
}

const id = 'backup';
const noRecipient = 'There is no email address to send it to: the list is empty, and the site has no email address.';

export function createBackups(needs: Needs): Backups {
  const { clock, settings, isRunning, send, log } = needs;
  const isDue = (): boolean => {
    const { enabled, interval, last_run } = settings.of(id);
    return isRunning() && enabled && interval >= 1 && clock().getTime() >= last_run * 1000 + interval * day;
  };
  const write = (code: string, type: Event['type'], data: object): void => log({ module: id, code, type, data });
  const makeNow = async (signal: AbortSignal): Promise<void> => {
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
  };
  return {
    isDue,
    makeNow,
    async make(signal) {
      if (isDue()) await makeNow(signal);
    },
  };
}

const letter = (name: string, folder: string, size: number): string =>
  [
    `The site made a backup of its database: ${name}, ${Math.ceil(size / 1024)} KB, in the folder ${folder} on its server.`,
    'Ask your site operator to copy the backup to another machine, so that it is safe if the server is lost. The backup has all data of the database: store it securely.',
    'You get this email because backups of the database are turned on.',
  ].join('\n\n');
