// How long entries are kept. Meant for once a day.
import { join } from 'node:path';
import { day } from '#lib/spans.ts';
import type { Clock } from '#site/platform/clock.ts';
import { inSlices } from '#store/slices.ts';
import type { Store } from '#store/store.ts';
import { forget, rotate } from '../disk/log-lines.ts';
import { toTheSecond } from './entry.ts';
import { forgetDays, takeAway } from './keeping.ts';
import { type FileSettings, fileFor } from './log-file.ts';
import type { LogTables } from './tables.ts';

/** Where entries go, and for how long. */
export interface KeptSettings extends FileSettings {
  readonly log_type: 'database' | 'file' | 'both';
  /** Days that entries stay in the database; 0 is for ever. */
  readonly log_rotation: number;
}

export interface Retention {
  /** Takes away what has been there long enough, in slices; answers how many entries and files went. */
  purge(signal?: AbortSignal): Promise<{ entries: number; files: number }>;
}

interface Needs {
  readonly store: Store<LogTables>;
  readonly clock: Clock;
  readonly settings: () => KeptSettings;
}

/** A file of so many bytes is put aside; so many of these are kept. */
const longest = 10 * 1024 * 1024;
const mostFiles = 100;

export const createRetention = (needs: Needs): Retention => ({
  purge: async (signal) => ({ entries: await purged(needs, signal), files: await rotated(needs) }),
});

async function purged({ store, clock, settings }: Needs, signal?: AbortSignal): Promise<number> {
  // Entries of a time when they were kept here stay no longer than others.
  const { log_rotation } = settings();
  if (log_rotation <= 0) return 0;
  const before = toTheSecond(Math.max(clock().getTime() - log_rotation * day, 0));
  const gone = await inSlices((most) => takeAway(store, before, most), { signal });
  if (gone > 0) await inSlices((most) => forgetDays(store, before, most), { signal });
  return gone;
}

async function rotated({ clock, settings }: Needs): Promise<number> {
  const { log_type, file_log_rotation, ...rest } = settings();
  if (log_type === 'database') return 0;
  const { folder, name } = fileFor(rest);
  const path = join(folder, name);
  await rotate(path, longest, mostFiles);
  if (file_log_rotation <= 0) return 0;
  return forget(path, mostFiles, new Date(clock().getTime() - file_log_rotation * day));
}
