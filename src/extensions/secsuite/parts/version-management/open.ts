// Automatic updates with what they need of the site: its backups and its health.
import { randomUUID } from 'node:crypto';
import { type BackupDeps, storeBackup } from '../../disk/backup-file.ts';
import { prune } from '../../disk/folders.ts';
import type { SuiteServices } from '../../part.ts';
import type { Shared } from '../../shared.ts';
import { type AutomaticUpdates, createAutomaticUpdates } from './automatic-updates.ts';

/** How many backups from before automatic updates are kept, whatever is set for other backups. */
const mostBeforeUpdates = 3;

interface OpenDeps extends Pick<Shared, 'settings' | 'inventory' | 'center' | 'logs'> {
  isRunning(): boolean;
}

export function openUpdates(
  services: SuiteServices,
  { settings, inventory, center, logs, isRunning }: OpenDeps,
  leftOut: BackupDeps['leftOut'],
): AutomaticUpdates {
  const { store, clock, operator, extensions, content, health, ownSite, program, site } = services;
  return createAutomaticUpdates({
    clock,
    inventory,
    settings,
    extensions,
    health,
    ownSite,
    isRunning,
    url: site.url,
    isAllowed: operator.fileMods,
    zone: content.zone,
    async backUp(signal) {
      const set = settings.of('backup');
      const deps = { store, clock, leftOut, version: program.version, unique: randomUUID };
      const { name: file, size } = await storeBackup(deps, set, signal, 'before-update');
      await prune(set.location, mostBeforeUpdates, 'before-update');
      return { file, size };
    },
    log: logs.write,
    send: center.send,
  });
}
