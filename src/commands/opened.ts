// How a command gets at the data of a site.
import type { SiteServices } from '#site/services.ts';
import { type Config, readConfig } from '../config.ts';
import { type Ask, Failed } from './command.ts';
import { createLog, startingLog } from './log.ts';
import { standing } from './options.ts';
import { showing } from './progress.ts';
import { settledSecret } from './secret.ts';

type Work = (services: SiteServices, config: Config) => Promise<void>;

/**
 * Works on the data of a site, which may be serving at the same time. Nothing is made where there is none: a place without a
 * site is probably another one than was meant. Nothing is migrated either: a process that serves would not survive it.
 */
export async function inSite(ask: Ask, work: Work): Promise<number> {
  const config = readConfig(ask);
  await refuseUnready(config, ask);
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

async function refuseUnready(config: Config, ask: Ask): Promise<void> {
  const found = await standing(config, ask);
  if (found === 'empty') throw new Failed(noSite(config));
  if (found === 'older')
    throw new Failed(
      'The database is older than this program; start the site with it, or run "gatehouse migrate" while the site is stopped.',
    );
}

export const noSite = ({ data, database }: Config): string =>
  database
    ? 'There is no site in this database yet; "gatehouse serve" makes one, or give --database the address of another.'
    : `There is no site in ${data} yet; "gatehouse serve" makes one, or give --data the folder of another.`;
