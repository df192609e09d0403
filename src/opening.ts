// The site without a server: its store open, its services and the nouns of its extensions made. Serving begins here, and so does
// every command that works on the data of a site.
import { type Clock, systemClock } from '#site/clock.ts';
import type { Posts } from '#site/content/posts/post.ts';
import type { EventName, Events } from '#site/events.ts';
import type { AnyEntry, Extension, Program } from '#site/extension.ts';
import { createRoles, type Roles } from '#site/identity/roles.ts';
import type { World } from '#site/outgoing/guard.ts';
import { openServices, type SiteServices } from '#site/services.ts';
import type { Group } from '#site/settings/group.ts';
import { type SiteGroup, siteGroup } from '#site/settings/site.ts';
import type { Log } from '#store/engine.ts';
import { inTime } from '#store/in-time.ts';
import { type AnyStore, openStore } from '#store/store.ts';
import {
  capabilitiesOf,
  declarations,
  examining,
  groupsOf,
  isActive,
  nounsOf,
  offering,
  queuesOf,
  showing,
} from './assembly.ts';
import type { Config } from './config.ts';
import { extensions as bundled } from './extensions/all.ts';
import { ownersAmong } from './tables.ts';
import { version } from './version.ts';

/** Where the site writes what happens; a pino logger fits. */
export interface SiteLog extends Log {
  /** One answered request, told whatever else the log leaves out. */
  access?(details: object, message: string): void;
}

export interface OpenOptions {
  readonly extensions?: readonly AnyEntry[];
  readonly clock?: Clock;
  /** How long a refused sign-in takes at least, in milliseconds. */
  readonly refusalTakes?: number;
  /** How long the copies of one picture may take together, in milliseconds. */
  readonly picturesTake?: () => number;
  /** How other sites are reached. */
  readonly world?: Partial<World>;
}

export interface Opened {
  /** Every extension there is, and those that are switched on. */
  readonly known: readonly Extension[];
  readonly active: readonly Extension[];
  readonly services: SiteServices;
  /** The nouns of the active extensions. What happens in the site reaches those that listen, whoever opened it. */
  readonly nouns: Map<Extension, unknown>;
  close(): Promise<void>;
}

/** How long what follows an event may keep the site from stopping, in milliseconds. */
const listenersTake = 10_000;
/** Longer than the oldest kind of password hash takes to check. */
const refusalTakes = 500;

const programOf = ({ deployment }: Config): Program => ({ version: version(), extensions: deployment.extensions });

export const activeOf = (known: readonly Extension[], { deployment }: Config): Extension[] =>
  known.filter((extension) => isActive(extension, deployment));

const ofSite = ({ deployment, url }: Config): SiteGroup => siteGroup({ ...deployment.settings, url });

/** The bundled extensions that a site of this configuration has switched on. */
export const activeAt = (config: Config): Extension[] => activeOf(declarations(bundled), config);

function addressesOf({ url, apiFaces, apiPrefix }: Config) {
  const [root, name] = apiFaces === 'classic' ? ['wp-json', 'wp'] : [apiPrefix, 'core'];
  const index = `${url}/${root}/`;
  return { index, front: `${url}/`, records: `${index}${name}/v2` };
}

/** Every group of settings that it has. */
export const groupsAt = (config: Config): Group[] => groupsOf(activeAt(config), ofSite(config));

export async function openSite(config: Config, log: SiteLog, options: OpenOptions = {}): Promise<Opened> {
  const known = declarations(options.extensions ?? bundled);
  const active = activeOf(known, config);
  const store = await openStore({ ...config, tables: ownersAmong(known), log });
  try {
    const services = await servicesOf(config, store, active, log, options);
    const { jobs, events } = services;
    const queueOf = queuesOf(active, jobs, (extension) => nouns.get(extension));
    const nouns = nounsOf(active, { ...services, queueOf, program: programOf(config) });
    showing(active, nouns, services.content.rendering);
    examining(active, nouns, services.health);
    offering(active, nouns, services.abilities);
    listen(active, nouns, events);
    release(known, services.content.posts);
    const close = async () => {
      await jobs.stop();
      await heard(events, log);
      services.mail.close();
      await store.close();
    };
    return { known, active, services, nouns, close };
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** Whoever still listens has a moment to finish; who takes longer is not waited for. */
const heard = (events: Events, log: SiteLog): Promise<void> =>
  inTime(events.settled(), listenersTake, () => new Error('too late')).catch(() =>
    log.warn({}, 'The site stopped before everything that follows from what happened last was done.'),
  );

function listen(active: readonly Extension[], nouns: Map<Extension, unknown>, events: Events): void {
  for (const extension of active) {
    const use = nouns.get(extension) as never;
    for (const [name, listener] of Object.entries(extension.on ?? {}))
      events.on(name as EventName, (event) => listener(event as never, use));
  }
}

/** What extensions keep of a record goes with it, whether they are on or not. */
function release(known: readonly Extension[], posts: Pick<Posts, 'parting'>): void {
  for (const [type, addition] of known.flatMap((one) => Object.entries(one.extends ?? {})))
    posts.parting(async (tx, post) => {
      if (post.type === type) await addition.erased?.(tx, post);
    });
}

const rolesOf = (active: readonly Extension[], { deployment }: Config): Roles =>
  createRoles(deployment.roles, capabilitiesOf(active, deployment));

function servicesOf(config: Config, store: AnyStore, active: readonly Extension[], log: SiteLog, options: OpenOptions) {
  const {
    secret,
    url,
    data,
    smtp,
    mailFrom,
    media,
    mediaKeys,
    uploadLimit,
    avatars,
    avatarBase,
    allowInsecureCredentials,
    basicForeign,
    uploadsPath,
    trashDays,
    revisions,
    addresses,
    deployment,
  } = config;
  if (secret === undefined) throw new Error('A site is opened with its secret.');
  const own = ofSite(config);
  const { records, ...ownAddresses } = addressesOf(config);
  return openServices({
    store,
    clock: options.clock ?? systemClock,
    secret,
    data,
    smtp,
    mailFrom,
    media,
    mediaKeys,
    uploadLimit,
    asking: { allowHosts: config.fetchAllowHosts, version: version(), ...options.world },
    log,
    site: { url, avatars, avatarBase, authorBase: addresses.author, records },
    installation: config,
    ownAddresses,
    siteGroup: own,
    groups: groupsOf(active, own),
    roles: rolesOf(active, config),
    content: {
      uploads: `${url}/${uploadsPath}`,
      addresses,
      offset: deployment.settings.gmt_offset,
      trashDays,
      revisionsKept: revisions,
      pictures: { patience: options.picturesTake },
    },
    allowInsecureCredentials,
    ignoreForeign: basicForeign === 'ignore',
    refusalTakes: options.refusalTakes ?? refusalTakes,
    report: (error, event) => log.error({ err: error, event }, 'What should have followed an event failed.'),
  });
}
