// What is said of hubs when something is served: where the sites of this one are seen, or which one is told of this site.
import { printable } from '#lib/printable.ts';
import type { SiteServices } from '#site/services.ts';
import type { Config } from '../../config.ts';
import { hubPath } from '../../extensions/hub/sheet.ts';
import { typed } from '../typed.ts';
import { usual } from './house.ts';

export async function hubLines(config: Config, { settings }: Pick<SiteServices, 'settings'>): Promise<string[]> {
  return [...(config.deployment.extensions.hub ? looking(config) : []), ...(await telling(config, settings))];
}

const looking = (config: Config): string[] => [
  `  Sites       ${config.url}${hubPath}  (for administrators)`,
  `  Add one     ${typed(`hub add NAME --url ${config.url}`, config, usual)}`,
];

async function telling(config: Config, settings: SiteServices['settings']): Promise<string[]> {
  const group = settings.groups.find(({ name }) => name === 'hub');
  if (group === undefined) return [];
  const set = await settings.read(group);
  const [hub, key] = [config.hubUrl ?? set.url, config.hubApiKey ?? set.key];
  if (!hub || !key) return [];
  return [`  Hub         ${printable(String(hub))}  (told twice a day, and for the first time within two minutes)`];
}
