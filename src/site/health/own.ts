// Everything that is looked at of every site, in the order in which it is told. Doctor looks at the same.

import { Problem } from '#kernel/problem.ts';
import { Unavailable } from '#lib/failures.ts';
import { mailFolder } from '../email/folder.ts';
import { mailHost } from '../email/letter.ts';
import type { Clients } from '../identity/clients.ts';
import type { Jobs } from '../jobs/jobs.ts';
import { type Outgoing, Upstream } from '../outgoing/outgoing.ts';
import type { OwnSite } from '../outgoing/own-site.ts';
import type { Clock } from '../platform/clock.ts';
import { administrators, applicationPasswords, avatars } from './accounts.ts';
import { type Check, note, type OwnCheck, ok, type Remote, type Seen, warning, wrong } from './check.ts';
import { clockSeen } from './clock.ts';
import { backup, database, dataFolder, disk, files, keys, migrations, secret } from './files.ts';
import type { Installation, Stored } from './installation.ts';
import { type Addresses, authorization, https, loopback, pageCache, proxy, publicAddress } from './public-address.ts';
import { settings, siteEmail } from './settings.ts';
import { scheduledWork } from './work.ts';

const security = { badge: 'Security' } as const;
const performance = { badge: 'Performance' } as const;

/** A site whose store may be shut. */
export interface Standing {
  readonly installation: Installation;
  readonly own: Pick<OwnSite, 'certificate'>;
  readonly clock: Clock;
}

export const ofInstallation: readonly OwnCheck<Standing>[] = [
  {
    ...security,
    name: 'https-status',
    what: 'HTTPS',
    about: 'Whether the connections of visitors are encrypted.',
    asks: true,
    look: ({ installation, own, clock }) => https(installation, own, clock),
  },
  {
    ...security,
    name: 'public-address',
    what: 'Public URL',
    about: 'Whether visitors can use the public URL of the site.',
    look: ({ installation }) => publicAddress(installation),
  },
  {
    ...security,
    name: 'secret',
    what: 'Secret',
    about: 'Whether the secret of the site exists and other system users cannot read it.',
    look: ({ installation }) => secret(installation),
  },
  {
    ...security,
    name: 'data-folder',
    what: 'Data folder',
    about: 'Whether the site can use its data folder, and other system users cannot.',
    look: ({ installation }) => dataFolder(installation),
  },
  {
    ...performance,
    name: 'storage',
    what: 'Files',
    about: 'Whether uploaded files can be read and written.',
    asks: true,
    look: ({ installation }) => files(installation),
  },
  {
    ...performance,
    name: 'disk',
    what: 'Disk',
    about: 'Whether the disk has enough free space.',
    look: ({ installation }) => disk(installation),
  },
  {
    ...performance,
    name: 'mail',
    what: 'Email',
    about: 'Whether the site can send email.',
    asks: true,
    look: ({ installation }) => mail(installation),
  },
  {
    ...security,
    name: 'application-passwords',
    what: 'App passwords',
    about: 'Whether apps can sign in, and over an encrypted connection.',
    look: ({ installation }) => applicationPasswords(installation),
  },
  {
    ...security,
    name: 'pictures',
    what: 'Pictures',
    about: 'Which other service sees visitors that load profile pictures.',
    look: ({ installation }) => avatars(installation),
  },
];

/** Of one whose store is open, also while it does not serve. */
export const ofStore: readonly OwnCheck<Stored>[] = [
  {
    ...performance,
    name: 'database',
    what: 'Database',
    about: 'Whether the database answers, and which database it is.',
    look: database,
  },
  {
    ...performance,
    name: 'migrations',
    what: 'Migrations',
    about: 'Whether the database has the format of this version.',
    look: migrations,
  },
  {
    ...performance,
    name: 'clock',
    what: 'Clock',
    about: 'Whether the clock of the machine went back, so that new posts sort below old posts.',
    look: clockSeen,
  },
  {
    ...security,
    name: 'keys',
    what: 'Keys',
    about: 'Whether the secret decrypts the keys of the site.',
    look: ({ store, installation }) => keys(store, installation),
  },
  {
    ...performance,
    name: 'settings',
    what: 'Settings',
    about: 'Whether the stored settings are valid.',
    look: settings,
  },
  {
    ...performance,
    name: 'site-email',
    what: 'Site email',
    about: 'Whether the site has an email address for notices.',
    look: siteEmail,
  },
  {
    ...security,
    name: 'administrator',
    what: 'Administrator',
    about: 'Whether the site has an administrator, who can reset a lost password.',
    look: ({ store }) => administrators(store),
  },
  {
    ...security,
    name: 'backup',
    what: 'Backup',
    about: 'How old the last archive of "gatehouse backup" is. Gatehouse does not know other backups.',
    look: backup,
  },
];

/** What only a site that serves can tell. */
export interface Serving {
  readonly stored: Stored;
  readonly jobs: Pick<Jobs, 'figures'>;
  readonly own: Pick<OwnSite, 'fetch'>;
  readonly outgoing: Pick<Outgoing, 'fetch'>;
  readonly addresses: Addresses;
  readonly clients: Pick<Clients, 'proxyAdvice'>;
  remotes(): Promise<readonly Remote[]>;
}

export const ofServing: readonly OwnCheck<Serving>[] = [
  {
    ...security,
    name: 'background-updates',
    what: 'Scheduled work',
    about: 'Whether background jobs run on time: publishing, email, cleaning up.',
    look: ({ stored, jobs }) => scheduledWork(stored, jobs),
  },
  {
    ...performance,
    name: 'loopback-requests',
    what: 'Loopback',
    about: 'Whether the site can reach itself at its public URL.',
    asks: true,
    look: ({ own, addresses }) => loopback(own, addresses),
  },
  {
    ...performance,
    name: 'page-cache',
    what: 'Page cache',
    about: 'Whether pages are fast and browsers can cache them.',
    asks: true,
    look: ({ own, addresses, stored }) => pageCache(own, addresses, stored.clock),
  },
  {
    ...security,
    name: 'dotorg-communication',
    what: 'Remote services',
    about: 'Whether the configured remote services can be reached.',
    asks: true,
    look: async ({ remotes, outgoing }) => reached(await remotes(), outgoing),
  },
  {
    ...security,
    name: 'authorization-header',
    what: 'Authorization header',
    about: 'Whether the `Authorization` header of apps reaches the site.',
    look: ({ stored }, asked) => authorization(stored.installation, asked),
  },
  {
    ...security,
    name: 'proxy-header',
    what: 'Proxy',
    about: 'Whether the site sees the IP addresses of visitors, or only that of a proxy.',
    look: ({ stored, clients }, asked) => proxy(stored.installation, clients.proxyAdvice, asked),
  },
];

/** The checks of whoever has these nouns. */
export const bound = <Use>(checks: readonly OwnCheck<Use>[], use: Use): Check[] =>
  checks.map((check) => ({ ...check, look: (asked) => check.look(use, asked) }));

/** Mail: where messages go, and whether the mail server lets the site in. Nothing is sent. */
export async function mail({ smtp: url, data, url: site }: Installation): Promise<Seen> {
  if (url === undefined)
    return note(`emails are written to files in ${mailFolder(data)}`, `Set GATEHOUSE_SMTP to send them.`);
  const { createSmtp } = await import('../email/smtp.ts');
  const smtp = createSmtp({ url, name: mailHost(site) });
  try {
    await smtp.verify();
    return ok(`${new URL(url).host} accepts email from the site`);
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    return warning(error.message.replace(/\.$/, ''), 'Correct the server or GATEHOUSE_SMTP. Emails wait 1 day.');
  } finally {
    smtp.close();
  }
}

// Services elsewhere that the site is set up to ask: whether they can be reached.

const most = 1024 * 1024;

async function reached(remotes: readonly Remote[], outgoing: Pick<Outgoing, 'fetch'>): Promise<Seen> {
  if (remotes.length === 0) return ok('none configured');
  const answers = await Promise.all(remotes.map(({ url }) => answersAt(url, outgoing)));
  const away = remotes.filter((_, at) => !answers[at]).map(({ name }) => name);
  if (away.length === 0) return ok('all configured services answer');
  const remedy = 'Check that this machine reaches the internet, and that those services run.';
  const finding = `not reachable: ${away.join(', ')}`;
  return away.length === remotes.length ? wrong(finding, remedy) : warning(finding, remedy);
}

/** Whatever it answers, it is there. */
async function answersAt(url: string, outgoing: Pick<Outgoing, 'fetch'>): Promise<boolean> {
  try {
    (await outgoing.fetch(url, { name: 'health', types: ['*'], most })).close();
    return true;
  } catch (error) {
    if (error instanceof Upstream) return error.status !== undefined;
    if (error instanceof Problem) return false;
    throw error;
  }
}
