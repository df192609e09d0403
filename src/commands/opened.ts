import { existsSync } from 'node:fs';
import type { SiteServices } from '#site/services.ts';
import { fileOf } from '#store/store.ts';
import type { Name } from '../config/settings.ts';
import { type Config, readConfig } from '../config.ts';
import { type Ask, Failed } from './command.ts';
import { createLog, startingLog } from './log.ts';
import { showing } from './progress.ts';
import { settledSecret } from './secret.ts';

/** What says which data a command works on. */
export const dataSettings: readonly Name[] = ['data', 'database', 'deployment'];

type Work = (services: SiteServices, config: Config) => Promise<void>;

/** Works on the data of a site, made now when there is none. The site may be serving at the same time. */
export async function inSiteOrNew(ask: Ask, work: Work): Promise<number> {
  const config = readConfig(ask);
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

/** The same where nothing is to be made: a folder without a site is probably another one than was meant. */
export async function inSite(ask: Ask, work: Work): Promise<number> {
  const config = readConfig(ask);
  if (!config.database && !existsSync(fileOf(config))) {
    throw new Failed(`There is no site in ${config.data} yet; give --data the folder of one.`);
  }
  return inSiteOrNew(ask, work);
}
