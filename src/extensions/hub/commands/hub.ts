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

const nameWord: Word = { name: 'NAME', meaning: 'What the site is called on the hub' };

function refuseOther({ deployment }: Config): void {
  if (deployment.extensions.hub) return;
  throw new WrongUse(`The deployment ${deployment.name} is no hub; give --deployment hub, or nothing.`);
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
  const [place, other] = database ? ['this database', '--database the address'] : [data, '--data the folder'];
  throw new Failed(
    `No hub was ever served from ${place}. Give ${other} of the hub, or start it once with "gatehouse hub serve".`,
  );
}

async function named(ask: Ask, sites: Sites): Promise<Site> {
  const name = given(ask.words, nameWord.name);
  const site = await sites.findByName(name);
  if (site === undefined) throw new Failed(`This hub knows no site called ${name}; see gatehouse hub list.`);
  return site;
}

const serve: Command = {
  name: 'hub serve',
  about: `Serves the hub as "gatehouse serve" serves a site: it makes the data folder on the first start, with a first user who
signs in to see the table at /hub. Then add sites with "gatehouse hub add".`,
  stays: true,
  usual,
  run: async (ask) => {
    refuseOther(ask.config());
    if ((await ask.standing()) === 'empty')
      ask.note('A new hub is made here. One that sites know already is found by its own --data and --database.');
    return ask.serve();
  },
};

const remove: Command = {
  name: 'hub remove',
  about: 'Forgets a site and all that it told. Its key opens nothing any more.',
  usual,
  words: [nameWord],
  options: { yes },
  run: async (ask) => {
    const consent = consentOf(ask);
    return inHub(ask, async (sites) => {
      const site = await named(ask, sites);
      await consent(`Forget ${printable(site.name)}, all that it told, and its key?`);
      await sites.erase(site.id, {});
      ask.out(`${site.name} is forgotten, and its key opens nothing any more.`);
      ask.note('Take the two lines out of the environment of that site as well; "gatehouse hub add" makes a new key.');
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
  'Keeps nothing of what a site tells, and does not mind that it is silent, until "gatehouse hub resume".',
  'paused',
  (site) => `${site} is paused. What it told before stays in the table; go on with "gatehouse hub resume".`,
);

const resume = joining(
  'hub resume',
  'Looks after a site again that was paused.',
  'full',
  (site) => `${site} is looked after again; what it tells next is shown.`,
);

/** A hub has no more; it is read in one piece. */
const most = 1_000;

const heads = ['NAME', 'ADDRESS', 'VERSION', 'HEALTH', 'LAST WORD', ''];

const stateOf = ({ membership, is_silent }: Site): string => {
  if (membership === 'paused') return 'paused';
  return is_silent ? 'silent for too long' : '';
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
  about: 'Lists the sites that this hub looks after, by their names, and how they are.',
  usual,
  options: { json },
  run: (ask) =>
    inHub(ask, async (sites) => {
      const items = await all(sites);
      if (ask.options.json !== undefined) return ask.out(printableJson(items));
      if (items.length === 0) return ask.note('There is no site yet; "gatehouse hub add NAME" adds one.');
      for (const line of aligned([heads, ...items.map(cells)])) ask.out(line);
      const { silent } = await sites.tally();
      if (silent > 0) ask.note(`Sent no word for 36 hours: ${silent} of ${items.length}. Look whether they run.`);
    }),
};

const add: Command = {
  name: 'hub add',
  about: `Adds a site to the hub and prints the two lines for its environment, alone on standard output. Nobody can read the key
again. --url is the address of the hub, as the site reaches it.`,
  usual,
  words: [nameWord],
  run: (ask) =>
    inHub(ask, async (sites, config) => {
      refuseLonger(config);
      const { site, key } = await sites.add(given(ask.words, nameWord.name));
      ask.out(`${envOf('hubUrl')}=${addressOf(config)}`);
      ask.out(`${envOf('hubApiKey')}=${key}`);
      ask.note(
        `Put these lines into the environment of ${site.name} and start it again: it tells the hub how it is within two minutes.`,
      );
      ask.note(`The key is shown this once. The table of sites is at ${config.url}/hub.`);
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
  throw new WrongUse(`Give the address without ${path}: --url ${config.url.slice(0, -path.length)}`);
}

/** Sites ask nobody on their own machine or in their own network, nor at odd ports, unless they are told to. */
const leaveOf = ({ url }: Config): string | undefined =>
  isPlainlyUnsafe(url)
    ? `Sites ask the hub at this address only with ${allowingLine(url)} as well; if they reach it at another, give that with --url.`
    : undefined;

export const command: Family = {
  name: 'hub',
  about:
    'A hub: several sites tell it twice a day how they are, and it shows them in one table. It is a site of its own, with a data folder of its own.',
  members: [
    { name: 'serve', summary: 'Serve the hub', command: serve },
    { name: 'add', summary: 'Add a site, and make the key that it signs with', command: add },
    { name: 'list', summary: 'List the sites and how they are', command: list },
    { name: 'pause', summary: 'Keep nothing of a site for now', command: pause },
    { name: 'resume', summary: 'Look after a site again that is paused', command: resume },
    { name: 'remove', summary: 'Forget a site, and its key with it', command: remove },
  ],
};
