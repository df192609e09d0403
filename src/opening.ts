// The site without a server: its store open, its services and the nouns of its extensions made. Serving begins here, and so does
// every command that works on the data of a site.
import { type About, firstLanguage } from '#site/about.ts';
import { type Clock, systemClock } from '#site/clock.ts';
import type { EventName, Events } from '#site/events.ts';
import type { AnyEntry, Extension } from '#site/extension.ts';
import { createRoles, type Roles } from '#site/identity/roles.ts';
import { openServices, type SiteServices } from '#site/services.ts';
import { siteTables } from '#site/tables.ts';
import type { TableOwner } from '#store/migrate.ts';
import { type AnyStore, openStore } from '#store/store.ts';
import { capabilitiesOf, declarations, isActive, nounsOf, ownersOf } from './assembly.ts';
import type { Config } from './config.ts';
import { extensions as bundled } from './extensions/all.ts';

/** Where the site writes what happens; a pino logger fits. */
export interface SiteLog {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
  /** One answered request, told whatever else the log leaves out. */
  access?(details: object, message: string): void;
}

export interface OpenOptions {
  readonly extensions?: readonly AnyEntry[];
  readonly clock?: Clock;
  /** How long a refused sign-in takes at least, in milliseconds. */
  readonly refusalTakes?: number;
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

/** Longer than the oldest kind of password hash takes to check. */
const refusalTakes = 500;

const owners = (known: readonly Extension[]): TableOwner[] => [...siteTables, ...ownersOf(known)];

export const tableOwners = (entries: readonly AnyEntry[] = bundled): TableOwner[] => owners(declarations(entries));

export const activeOf = (known: readonly Extension[], { deployment }: Config): Extension[] =>
  known.filter((extension) => isActive(extension, deployment));

export async function openSite(config: Config, log: SiteLog, options: OpenOptions = {}): Promise<Opened> {
  const known = declarations(options.extensions ?? bundled);
  const active = activeOf(known, config);
  const store = await openStore({ ...config, tables: owners(known), log });
  try {
    const services = await servicesOf(config, store, rolesOf(active, config), log, options);
    const nouns = nounsOf(active, services);
    listen(active, nouns, services.events);
    const close = async () => {
      await services.jobs.stop();
      await services.events.settled();
      await store.close();
    };
    return { known, active, services, nouns, close };
  } catch (error) {
    await store.close();
    throw error;
  }
}

function listen(active: readonly Extension[], nouns: Map<Extension, unknown>, events: Events): void {
  for (const extension of active) {
    const use = nouns.get(extension) as never;
    for (const [name, listener] of Object.entries(extension.on ?? {}))
      events.on(name as EventName, (event) => listener(event as never, use));
  }
}

const rolesOf = (active: readonly Extension[], { deployment }: Config): Roles =>
  createRoles(deployment.roles, capabilitiesOf(active, deployment));

const aboutOf = ({ url, avatars, avatarBase, deployment: { settings } }: Config): About => ({
  url,
  avatars,
  avatarBase,
  title: settings.title,
  language: settings.language || firstLanguage,
});

function servicesOf(config: Config, store: AnyStore, roles: Roles, log: SiteLog, options: OpenOptions) {
  const { secret, data, media, mediaKeys, allowInsecureCredentials, basicForeign } = config;
  if (secret === undefined) throw new Error('A site is opened with its secret.');
  return openServices({
    store,
    clock: options.clock ?? systemClock,
    secret,
    data,
    media,
    mediaKeys,
    log,
    site: aboutOf(config),
    roles,
    allowInsecureCredentials,
    ignoreForeign: basicForeign === 'ignore',
    refusalTakes: options.refusalTakes ?? refusalTakes,
    report: (error, event) => log.error({ err: error, event }, 'What should have followed an event failed.'),
  });
}
