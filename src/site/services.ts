// What every namespace shares, put together once the store is open.

import { join } from 'node:path';
import type { Spool } from '#kernel/upload.ts';
import type { Media, Keys as MediaKeys } from '#lib/media.ts';
import type { Log } from '#store/engine.ts';
import type { AnyStore } from '#store/store.ts';
import { createParting } from './content/authors/parting.ts';
import { tellOfComments } from './content/comments/letters.ts';
import { type Content, type ContentOptions, createContent } from './content/content.ts';
import { createDefaultCategory } from './content/terms/default-category.ts';
import { sparing } from './content/test-recipients.ts';
import { createMail, type Mail } from './email/mail.ts';
import { openCarrier } from './email/open.ts';
import type { Files } from './files/files.ts';
import { openFiles } from './files/open.ts';
import { createSpool } from './files/spool.ts';
import { watchClock } from './health/clock.ts';
import { createHealth, type Health } from './health/health.ts';
import type { Installation } from './health/installation.ts';
import type { Addresses as OwnAddresses } from './health/itself.ts';
import { bound, ofInstallation, ofServing, ofStore, type Serving } from './health/own.ts';
import { createMeasuring, type Measuring } from './health/sizes.ts';
import { type Abilities, createAbilities } from './hooks/abilities/abilities.ts';
import { type Counting, createCounting } from './hooks/counts.ts';
import { createGuards, type Guards } from './hooks/guards.ts';
import { besideJobs } from './hooks/writes/announcing.ts';
import { judgeWrites } from './hooks/writes/judging.ts';
import { type Clients, createClients } from './identity/clients.ts';
import { createEntrance, type Entrance } from './identity/entrance.ts';
import { createIdentity, type Identity } from './identity/identity.ts';
import { sendNotices } from './identity/notices.ts';
import { createProxyWatch } from './identity/proxy-watch.ts';
import type { Roles } from './identity/roles.ts';
import { createSessionKey, type SessionKey } from './identity/session-key.ts';
import { sweepIdentity } from './identity/sweeping.ts';
import { createJobs } from './jobs/create.ts';
import type { Jobs } from './jobs/jobs.ts';
import { sweepRateLimits } from './jobs/sweep-rate-limits.ts';
import { type CountedOutgoing, counted } from './outgoing/counted.ts';
import { createOutgoing, type OutgoingOptions } from './outgoing/guard.ts';
import { createOwnSite, type OwnSite } from './outgoing/own-site.ts';
import { createExtensions } from './packages/create.ts';
import type { ExtensionsNeeds } from './packages/needs.ts';
import type { Extensions } from './packages/packages.ts';
import { type AboutNow, createAbout, type Premises } from './platform/about.ts';
import type { Clock } from './platform/clock.ts';
import { createEvents, type EventName, type Events } from './platform/events.ts';
import { type Keys, openKeys } from './platform/keys.ts';
import { createRateLimits, type RateLimits } from './platform/rate-limits.ts';
import { createSeal, type Seal } from './platform/seal.ts';
import type { Group } from './platform/settings/group.ts';
import { createSettings, type Settings } from './platform/settings/settings.ts';
import type { SiteGroup } from './platform/settings/site.ts';
import { createSent, type Sent } from './transfer/import/sent/sent.ts';
import { forgetArrived } from './transfer/import/tables.ts';

export interface SiteServices {
  readonly store: AnyStore;
  readonly clock: Clock;
  /** What stays as it is while the site runs, and what is so now. */
  readonly site: Premises;
  readonly about: AboutNow;
  readonly settings: Settings;
  /** The settings of the site itself, to read and change by `settings`. */
  readonly siteGroup: SiteGroup;
  readonly keys: Keys;
  readonly sessionKey: SessionKey;
  readonly seal: Seal;
  readonly jobs: Jobs;
  readonly rateLimits: RateLimits;
  readonly events: Events;
  /** Whose request it is, and who is asked before anything is done for it. */
  readonly clients: Clients;
  readonly guards: Guards;
  readonly counts: Counting;
  /** Where people sign in. */
  readonly entrance: Entrance;
  readonly files: Files;
  /** Where uploads lie while they arrive. */
  readonly spool: Spool;
  readonly outgoing: CountedOutgoing;
  /** The site itself, as its visitors reach it. */
  readonly ownSite: OwnSite;
  readonly health: Health;
  /** What programs may have done; extensions bring it. */
  readonly abilities: Abilities;
  /** How much room it takes. */
  readonly sizes: Measuring;
  readonly mail: Mail;
  readonly identity: Identity;
  readonly content: Content;
  /** Export files of other sites that people send, to be moved in. */
  readonly sent: Sent;
  /** Which extensions there are, and to switch them. */
  readonly extensions: Extensions;
  /** What whoever runs the site should know, and nobody else is told: no secret, no name of a person. */
  readonly log: Pick<Log, 'info' | 'warn' | 'error'>;
}

interface ServicesOptions {
  readonly store: AnyStore;
  readonly clock: Clock;
  readonly secret: string;
  /** The data folder. */
  readonly data: string;
  /** The mail server, and the address that mail comes from. */
  readonly smtp?: string | undefined;
  readonly mailFrom?: string | undefined;
  readonly media: Media;
  readonly mediaKeys?: MediaKeys | undefined;
  /** The largest file that is taken, in bytes. */
  readonly uploadLimit: number;
  /** What other sites are asked with. */
  readonly asking: Omit<OutgoingOptions, 'log'>;
  readonly site: Premises;
  readonly installation: Installation;
  readonly ownAddresses: OwnAddresses;
  readonly siteGroup: SiteGroup;
  /** All groups of settings, the site's own among them. */
  readonly groups: readonly Group[];
  readonly roles: Roles;
  readonly content: ContentOptions;
  /** How extensions come and go. */
  readonly packages: Pick<ExtensionsNeeds, 'operator' | 'bundled' | 'version' | 'trial' | 'followed'>;
  /** Addresses and ranges whose forwarding header is believed, for the client's address alone. */
  readonly trustProxy: readonly string[];
  readonly allowInsecureCredentials: boolean;
  readonly ignoreForeign: boolean;
  readonly refusalTakes: number;
  readonly log: Log;
  /** Something failed that nobody waits for. */
  report(error: unknown, name: EventName): void;
}

export async function openServices(options: ServicesOptions): Promise<SiteServices> {
  const {
    store,
    clock,
    secret,
    data,
    smtp,
    mailFrom,
    media,
    mediaKeys,
    uploadLimit,
    siteGroup,
    groups,
    log,
    asking,
    report,
    content: contentOptions,
    installation,
    ownAddresses: addresses,
    packages,
    trustProxy,
    ...identityOptions
  } = options;
  const keys = await openKeys(store, secret, clock);
  const seal = createSeal(keys.encryption);
  const jobs = createJobs({ store, clock, seal, log });
  const rateLimits = createRateLimits({ store, clock });
  sweepRateLimits(rateLimits, jobs);
  const events = createEvents(report, besideJobs);
  const files = await openFiles(media, mediaKeys, clock);
  const settings = createSettings({ store, seal, events, log, groups });
  // From the first start: whoever made a category before it would make the one that stays.
  await createDefaultCategory({ store, settings, siteGroup }).get();
  const entrance = createEntrance();
  const about = createAbout(options.site, settings, siteGroup, entrance);
  const { url } = options.site;
  const carrier = await openCarrier({ smtp, data, url, log });
  const mail = sparing(createMail({ store, clock, jobs, seal, log, carrier, url, from: mailFrom, about }), store);
  const identity = createIdentity({ store, clock, keys, events, mail, about, ...identityOptions });
  const spool = createSpool({ folder: join(data, 'arriving'), clock });
  const { site } = options;
  const shared = { store, clock, rateLimits, events, jobs, files, spool, settings, siteGroup, site, url };
  const content = createContent({ ...shared, log, ...contentOptions });
  identity.users.parting(createParting({ store, jobs, posts: content.posts, media: content.media }));
  forgetArrived(content.posts);
  sendNotices({ events, mail, about });
  tellOfComments({
    events,
    mail,
    about,
    settings,
    siteGroup,
    content,
    users: identity.users,
    changedAt: `${site.records}/comments`,
  });
  sweepIdentity({ store, clock, jobs });
  const outgoing = counted(createOutgoing({ ...asking, log }));
  const ownSite = createOwnSite(url, { ...asking, log });
  const sent = createSent({ ...shared, outgoing, identity, content, uploadLimit });
  const stored = {
    installation,
    store,
    clock,
    get groups() {
      return settings.groups;
    },
  };
  const guards = createGuards();
  judgeWrites({
    store,
    guards,
    kinds: content.kinds,
    report: (error, request) => log.error({ err: error, request }, 'A guard failed to judge a write.'),
  });
  watchClock({ store, clock, jobs, log });
  const health = healthOf({ stored, jobs, own: ownSite, outgoing, addresses });
  return {
    store,
    clock,
    site: options.site,
    about,
    settings,
    siteGroup,
    keys,
    sessionKey: createSessionKey(store, secret, keys),
    seal,
    jobs,
    rateLimits,
    events,
    clients: createClients(trustProxy, createProxyWatch(log)),
    guards,
    counts: createCounting((error) => log.warn({ err: error }, 'Something could not be counted.')),
    entrance,
    files,
    spool,
    outgoing,
    ownSite,
    health,
    abilities: createAbilities(),
    sizes: createMeasuring({ store, files, clock, apart: media.kind === 'folder' ? [data, media.path] : [data] }),
    mail,
    identity,
    content,
    sent,
    extensions: createExtensions({ store, clock, files, outgoing, data, events, log, ...packages }),
    log,
  };
}

function healthOf(serving: Omit<Serving, 'remotes'> & { readonly own: OwnSite }): Health {
  const { stored, own } = serving;
  const { installation, clock } = stored;
  const health = createHealth({ clock });
  health.also([
    ...bound(ofInstallation, { installation, own, clock }),
    ...bound(ofStore, stored),
    ...bound(ofServing, { ...serving, remotes: health.remotes }),
  ]);
  return health;
}
