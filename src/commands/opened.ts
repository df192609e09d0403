// How a command gets at the data of a site.
import { type Entry, toolkit } from '#site/extension.ts';
import type { SiteServices } from '#site/services.ts';
import type { Members } from '../boot/members.ts';
import type { OpenOptions } from '../boot/open-site.ts';
import { type Config, readConfig } from '../config.ts';
import { type Ask, Failed } from './command.ts';
import { createLog, startingLog } from './log.ts';
import { standing } from './options.ts';
import { showing } from './progress.ts';
import { settledSecret } from './secret.ts';
import { createTrial } from './trial.ts';

/** The nouns of an extension. Fails where it is switched off. */
export type NounsOf = <Use>(entry: Entry<Use>) => Use;

type Work = (services: SiteServices, config: Config, nounsOf: NounsOf) => Promise<void>;

/**
 * Works on the data of a site, which may be serving at the same time. Nothing is made where there is none: a place without a
 * site is probably another one than was meant. Nothing is migrated either: a process that serves would not survive it.
 */
export async function inSite(ask: Ask, work: Work, how: Pick<OpenOptions, 'withoutPackages'> = {}): Promise<number> {
  const config = readConfig(ask);
  await refuseUnready(config, ask);
  const secret = await settledSecret(config, ask);
  const { openSite } = await import('../boot/open-site.ts');
  const log = startingLog(createLog(config.log), ask.note);
  const opening = openSite({ ...config, secret }, log, { ...how, trial: createTrial(config) });
  const { services, members, close } = await showing('Opening the store', opening);
  try {
    await work(services, config, nounsAmong(members));
  } finally {
    await close();
  }
  return 0;
}

const nounsAmong =
  (members: Members): NounsOf =>
  <Use>(entry: Entry<Use>): Use => {
    const { name } = entry(toolkit<Use>());
    const member = members.all.find(({ extension }) => extension.name === name);
    if (member !== undefined) return member.use as Use;
    throw new Failed(
      `The extension ${name} is switched off; switch it on with "gatehouse extension activate ${name}".`,
    );
  };

async function refuseUnready(config: Config, ask: Ask): Promise<void> {
  const found = await standing(config, ask);
  if (found === 'empty') throw new Failed(noSite(config));
  if (found === 'older')
    throw new Failed(
      'The database is older than this program; start the site with it, or run "gatehouse migrate" while the site is stopped.',
    );
}

export function noSite({ data, database, deployment }: Config): string {
  const [what, serve] = deployment.extensions.hub ? ['hub', 'gatehouse hub serve'] : ['site', 'gatehouse serve'];
  return database
    ? `There is no ${what} in this database yet; "${serve}" makes one, or give --database the address of another.`
    : `There is no ${what} in ${data} yet; "${serve}" makes one, or give --data the folder of another.`;
}
