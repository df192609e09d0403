// What the commands about a hub share: where it is unless somebody says otherwise, and how its sites are reached.

import type { SiteServices } from '#site/services.ts';
import { type Config, readConfig, type Usual } from '../../config.ts';
import { wasServed } from '../../extensions/hub/served.ts';
import type { Site } from '../../extensions/hub/site.ts';
import { createSites, type Sites } from '../../extensions/hub/sites.ts';
import { type Ask, Failed, given, type Word, WrongUse } from '../command.ts';
import { inSite } from '../opened.ts';

export const usual: Usual = { data: './hub', port: '8081', deployment: 'hub' };

export const nameWord: Word = { name: 'NAME', meaning: 'What the site is called on the hub' };

export function refuseOther({ deployment }: Config): void {
  if (deployment.extensions.hub) return;
  throw new WrongUse(`The deployment ${deployment.name} is no hub; give --deployment hub, or nothing.`);
}

export function inHub(ask: Ask, work: (sites: Sites, config: Config) => Promise<void>): Promise<number> {
  refuseOther(readConfig(ask));
  return inSite(ask, async (services, config) => {
    const sites = createSites(services);
    await refuseUnserved(services, sites, config);
    return work(sites, config);
  });
}

/** A site that is no hub takes no word of others: a key made there would be of no use. One that came from a backup has its sites. */
async function refuseUnserved({ store }: Pick<SiteServices, 'store'>, sites: Sites, { data, database }: Config) {
  if ((await wasServed(store)) || (await sites.tally()).all > 0) return;
  const [place, other] = database ? ['this database', '--database the address'] : [data, '--data the folder'];
  throw new Failed(
    `No hub was ever served from ${place}. Give ${other} of the hub, or start it once with "gatehouse hub serve".`,
  );
}

export async function named(ask: Ask, sites: Sites): Promise<Site> {
  const name = given(ask.words, nameWord.name);
  const site = await sites.findByName(name);
  if (site === undefined) throw new Failed(`This hub knows no site called ${name}; see gatehouse hub list.`);
  return site;
}
