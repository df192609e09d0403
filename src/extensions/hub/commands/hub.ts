// The commands about a hub. They look for it in the usual place unless the command line names another.
import { type Ask, type Command, Failed, type Family, given, json, type Word, WrongUse } from '#cli/command.ts';
import { consentOf, yes } from '#cli/consent.ts';
import { aligned } from '#cli/table.ts';
import type { Config } from '#config/config.ts';
import { envOf } from '#config/settings.ts';
import { printable, printableJson } from '#lib/printable.ts';
import { allowingLine, isPlainlyUnsafe } from '#site/outgoing/destination.ts';
import type { SiteServices } from '#site/services.ts';
import { usual, wasServed } from '../config.ts';
import { createSites, type Membership, type Site, type Sites } from '../sites.ts';

const nameWord: Word = { name: 'NAME', meaning: 'Name of the site on the hub' };

function refuseOther({ deployment }: Config): void {
  if (deployment.extensions.hub) return;
  throw new WrongUse(
    `The deployment ${deployment.name} is not a hub; give --deployment hub, or leave --deployment out.`,
  );
}

function inHub(ask: Ask, work: (sites: Sites, config: Config) => Promise<void>): Promise<number> {
  refuseOther(ask.config());
  return ask.inSite(async (services, config) => {
    const sites = createSites(services);
    await refuseUnserved(services, sites, config);
    return work(sites, config);
  });
}

/** A site that is no hub takes no word of others: a key made there would be of no use. One that came from a backup has its sites. */
async function refuseUnserved({ store }: Pick<SiteServices, 'store'>, sites: Sites, { data, database }: Config) {
  if ((await wasServed(store)) || (await sites.tally()).all > 0) return;
  const [place, other] = database ? ['this database', '--database the URL'] : [data, '--data the folder'];
  throw new Failed(
    `There is no hub in ${place}. Give ${other} of the hub, or start it once with "gatehouse hub serve".`,
  );
}

async function named(ask: Ask, sites: Sites): Promise<Site> {
  const name = given(ask.words, nameWord.name);
  const site = await sites.findByName(name);
  if (site === undefined) throw new Failed(`Site ${name} does not exist on this hub; see gatehouse hub list.`);
  return site;
}

const serve: Command = {
  name: 'hub serve',
  about: `Serves the hub, as "gatehouse serve" serves a site. On the first start it creates the data folder and a first user. Sign in as
this user to see the table at /hub. Then add sites with "gatehouse hub add".`,
  stays: true,
  usual,
  run: async (ask) => {
    refuseOther(ask.config());
    if ((await ask.standing()) === 'empty')
      ask.note('Creating a new hub here. For an existing hub, give its --data and --database.');
    return ask.serve();
  },
};

const remove: Command = {
  name: 'hub remove',
  about: 'Removes a site from the hub, with all its reports. Its key no longer works.',
  usual,
  words: [nameWord],
  options: { yes },
  run: async (ask) => {
    const consent = consentOf(ask);
    return inHub(ask, async (sites) => {
      const site = await named(ask, sites);
      await consent(`Remove ${printable(site.name)}, all its reports and its key?`);
      await sites.erase(site.id, {});
      ask.out(`Removed ${site.name}. Its key no longer works.`);
      ask.note('Remove the two lines from the environment of that site too. To add it again, run "gatehouse hub add".');
    });
  },
};

const joining = (name: string, about: string, membership: Membership, told: (site: string) => string): Command => ({
  name,
  about,
  usual,
  words: [nameWord],
  run: (ask) =>
    inHub(ask, async (sites) => {
      const site = await named(ask, sites);
      await sites.join(site.id, membership, {});
      ask.out(told(site.name));
    }),
});

const pause = joining(
  'hub pause',
  'Pauses a site: the hub stores no reports of it and does not warn about it, until "gatehouse hub resume".',
  'paused',
  (site) => `Paused ${site}. The table keeps its last report. To continue, run "gatehouse hub resume".`,
);

const resume = joining(
  'hub resume',
  'Resumes a paused site.',
  'full',
  (site) => `Resumed ${site}. The table shows its next report.`,
);

/** A hub has no more; it is read in one piece. */
const most = 1_000;

const heads = ['NAME', 'ADDRESS', 'VERSION', 'HEALTH', 'LAST REPORT', ''];

const stateOf = ({ membership, is_silent }: Site): string => {
  if (membership === 'paused') return 'paused';
  return is_silent ? 'no report for too long' : '';
};

const cells = (site: Site): string[] =>
  [
    site.name,
    site.address ?? '',
    site.version ?? '',
    site.health ?? 'not known',
    site.synced_at === null ? 'never' : `${site.synced_at.slice(0, 16).replace('T', ' ')} UTC`,
    stateOf(site),
  ].map(printable);

const all = async (sites: Sites): Promise<readonly Site[]> => (await sites.list({ limit: most, offset: 0 })).items;

const list: Command = {
  name: 'hub list',
  about: 'Lists the sites of this hub by name, with their state.',
  usual,
  options: { json },
  run: (ask) =>
    inHub(ask, async (sites) => {
      const items = await all(sites);
      if (ask.options.json !== undefined) return ask.out(printableJson(items));
      if (items.length === 0) return ask.note('This hub has no sites yet; add one with "gatehouse hub add NAME".');
      for (const line of aligned([heads, ...items.map(cells)])) ask.out(line);
      const { silent } = await sites.tally();
      if (silent > 0) ask.note(`No report for 36 hours: ${silent} of ${items.length} sites. Check that they run.`);
    }),
};

const add: Command = {
  name: 'hub add',
  about: `Adds a site to the hub and prints only the two lines for its environment to standard output. The key cannot be shown
again. Give the URL at which the site reaches the hub with --url.`,
  usual,
  words: [nameWord],
  run: (ask) =>
    inHub(ask, async (sites, config) => {
      refuseLonger(config);
      const { site, key } = await sites.add(given(ask.words, nameWord.name));
      ask.out(`${envOf('hubUrl')}=${addressOf(config)}`);
      ask.out(`${envOf('hubApiKey')}=${key}`);
      ask.note(
        `Add these lines to the environment of ${site.name} and restart it. It sends the first report within 2 minutes.`,
      );
      ask.note(`The key cannot be shown again. The table of sites is at ${config.url}/hub.`);
      const leave = leaveOf(config);
      if (leave !== undefined) ask.note(leave);
    }),
};

const pathOf = ({ apiPrefix, apiFaces }: Config): string => `/${apiFaces === 'classic' ? 'wp-json' : apiPrefix}/hub/v1`;

/** Where sites send to. */
const addressOf = (config: Config): string => `${config.url}${pathOf(config)}`;

function refuseLonger(config: Config): void {
  const path = pathOf(config);
  if (!config.url.endsWith(path)) return;
  throw new WrongUse(`Give the URL without ${path}: --url ${config.url.slice(0, -path.length)}`);
}

/** Sites ask nobody on their own machine or in their own network, nor at odd ports, unless they are told to. */
const leaveOf = ({ url }: Config): string | undefined =>
  isPlainlyUnsafe(url)
    ? `Sites contact this URL only if they also have ${allowingLine(url)}. If they reach the hub at another URL, give it with --url.`
    : undefined;

export const command: Family = {
  name: 'hub',
  about:
    'Runs a hub: several sites send it a report twice a day, and it shows them in one table. The hub is a separate site with its own data folder.',
  members: [
    { name: 'serve', summary: 'Serve the hub', command: serve },
    { name: 'add', summary: 'Add a site, and create its key', command: add },
    { name: 'list', summary: 'List the sites and their state', command: list },
    { name: 'pause', summary: 'Pause a site', command: pause },
    { name: 'resume', summary: 'Resume a paused site', command: resume },
    { name: 'remove', summary: 'Remove a site and its key', command: remove },
  ],
};
