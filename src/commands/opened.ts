// How a command gets at the data of a site.
import type { SiteServices } from '#site/services.ts';
import type { Name } from '../config/settings.ts';
import { type Config, readConfig } from '../config.ts';
import { type Ask, Failed } from './command.ts';
import { createLog, startingLog } from './log.ts';
import { holdsNothing } from './options.ts';
import { showing } from './progress.ts';
import { settledSecret } from './secret.ts';

/** What says which data a command works on. */
export const dataSettings: readonly Name[] = ['data', 'database', 'deployment'];

type Work = (services: SiteServices, config: Config) => Promise<void>;

/**
 * Works on the data of a site, which may be serving at the same time. Nothing is made where there is none: a place without a
 * site is probably another one than was meant.
 */
export async function inSite(ask: Ask, work: Work): Promise<number> {
  const config = readConfig(ask);
  if (await holdsNothing(config, ask)) throw new Failed(noSite(config));
  const secret = await settledSecret(config, ask);
  const { openSite } = await import('../opening.ts');
  const opening = openSite({ ...config, secret }, startingLog(createLog(config.log), ask.note));
  const { services, close } = await showing('Opening the store', opening);
  try {
    await work(services, config);
  } finally {
    await close();
  }
  return 0;
}

export const noSite = ({ data, database }: Config): string =>
  database
    ? 'There is no site in this database yet; "gatehouse serve" makes one, or give --database the address of another.'
    : `There is no site in ${data} yet; "gatehouse serve" makes one, or give --data the folder of another.`;
