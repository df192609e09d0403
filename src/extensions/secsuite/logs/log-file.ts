// The log as a file of lines, for programs that read such files.
import { isAbsolute, join } from 'node:path';
import { csvLine } from '#lib/csv.ts';
import type { Log } from '#store/engine.ts';
import { rdate } from '../base.ts';
import { append } from '../disk/log-lines.ts';
import type { ModuleSettings } from '../settings/types.ts';
import type { NewEntry } from './entry.ts';

export type FileSettings = Pick<ModuleSettings['global'], 'file_log_rotation' | 'log_location' | 'log_info'>;

/** What changes with settings by which there is a file, and its name is still one that anybody guesses. */
export const namesFile =
  (unguessable: () => string) =>
  (_: object, { log_type, log_info }: ModuleSettings['global']): Partial<FileSettings> =>
    log_type !== 'database' && log_info === '' ? { log_info: unguessable() } : {};

interface Place {
  readonly folder: string;
  readonly name: string;
}

export function fileFor({ log_location, log_info }: Pick<FileSettings, 'log_location' | 'log_info'>): Place {
  const random = log_info.replace(/[^A-Za-z0-9_-]/g, '').slice(0, 100);
  return { folder: log_location, name: random === '' ? 'event-log.log' : `event-log-${random}.log` };
}

/** As a line has them; `cellsOf` gives what stands below. */
export const heads = [
  'parent_id',
  'module',
  'code',
  'data',
  'type',
  'timestamp',
  'init_timestamp',
  'memory_current',
  'memory_peak',
  'url',
  'blog_id',
  'user_id',
  'remote_ip',
];

export const cellsOf = (entry: NewEntry): (string | number)[] => [
  entry.parent_id,
  entry.module,
  entry.code,
  entry.data,
  entry.type,
  rdate(entry.created_at),
  rdate(entry.started_at),
  entry.memory_current,
  entry.memory_peak,
  entry.url,
  entry.site,
  entry.user_id,
  entry.remote_ip,
];

const linesOf = (entries: readonly NewEntry[]): string => entries.map((entry) => csvLine(cellsOf(entry))).join('');

/** A file that cannot be written is told of once, until it can be again. */
export function createLogFile(log: Pick<Log, 'warn'>): (place: Place, entries: readonly NewEntry[]) => Promise<void> {
  let isTold = false;
  return async ({ folder, name }, entries) => {
    try {
      if (!isAbsolute(folder)) throw new Error('The folder of the log file must be an absolute path.');
      await append(join(folder, name), linesOf(entries), csvLine(heads));
      isTold = false;
    } catch (error) {
      if (!isTold) log.warn({ err: error }, 'The log file of the security suite could not be written.');
      isTold = true;
    }
  };
}
