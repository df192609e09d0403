// The files and folders whose rights matter: those with data or secrets of the site.
import { join } from 'node:path';
import type { Settings } from '../../settings/types.ts';

/** Paths that do not exist are left out when they are looked at. */
export function pathsToCheck(data: string, settings: Pick<Settings, 'of'>) {
  const { log_location, nginx_file } = settings.of<{ log_location: string; nginx_file: string }>('global');
  const { location } = settings.of<{ location?: string }>('backup');
  const folders = [data, ...['uploads', 'media', 'exports', 'backups'].map((name) => join(data, name)), log_location];
  const secrets = [join(data, 'secret'), join(data, 'app.env.rules'), nginx_file];
  const paths = (all: readonly (string | undefined)[]) => [...new Set(all.filter((path) => !!path))] as string[];
  return [
    ...paths([...folders, location]).map((path) => ({ path, kind: 'folder' as const })),
    ...paths(secrets).map((path) => ({ path, kind: 'secret' as const })),
  ];
}
