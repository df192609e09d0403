// How a command gets at the data of a site.

import { type Ask, Failed, type NounsOf } from '#cli/command.ts';
import { type Extension, type Toolkit, toolkit } from '#site/extension.ts';
import type { Members } from '../boot/members.ts';
import type { Config } from '../config.ts';
import { configs } from '../extensions/command-line.ts';
import { createLog, startingLog } from './log.ts';
import { standing } from './options.ts';
import { settledSecret } from './secret.ts';
import { createTrial } from './trial.ts';

/** A folder without a site is probably not the one that was meant. A process that serves would not survive a migration. */
export async function inSite(ask: Ask, ...[work, how]: Parameters<Ask['inSite']>): Promise<number> {
  const config = ask.config();
  await refuseUnready(config, ask);
  const secret = await settledSecret(config, ask);
  const { openSite } = await import('../boot/open-site.ts');
  const log = startingLog(createLog(config.log, ask.io.stderr), ask.note);
  const { trial = createTrial } = ask.io;
  const opening = openSite({ ...config, secret }, log, { ...how, trial: trial(config) });
  const { services, members, close } = await ask.progress.during('Opening the database', opening);
  try {
    await work(services, config, nounsAmong(members));
  } finally {
    await close();
  }
  return 0;
}

const nounsAmong =
  (members: Members): NounsOf =>
  <Use>(entry: (tools: Toolkit<Use>) => Extension<Use>): Use => {
    const { name } = entry(toolkit<Use>());
    const member = members.all.find(({ extension }) => extension.name === name);
    if (member !== undefined) return member.use as Use;
    throw new Failed(`The extension ${name} is off; turn it on with "gatehouse extension activate ${name}".`);
  };

async function refuseUnready(config: Config, ask: Ask): Promise<void> {
  const found = await standing(config, ask);
  if (found === 'empty') throw new Failed(noSite(config));
  if (found === 'older')
    throw new Failed(
      'The database needs a migration; start the site, or run "gatehouse migrate" while the site is stopped.',
    );
}

export function noSite({ data, database, deployment }: Config): string {
  const other = configs.find(({ name, separate }) => separate && deployment.extensions[name])?.separate;
  const [what, serve] = [other?.kind ?? 'site', `gatehouse ${other?.command ?? 'serve'}`];
  return database
    ? `This database holds no ${what} yet; create one with "${serve}", or give the URL of another database with --database.`
    : `There is no ${what} in ${data} yet; create one with "${serve}", or give the folder of another one with --data.`;
}
