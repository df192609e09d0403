// The site without a server: its store open, its services and the nouns of its extensions made. Serving begins here, and so does
// every command that works on the data of a site.
import { buildTable } from '#kernel/table.ts';
import { inTime } from '#lib/concurrency.ts';
import type { ContentType } from '#site/content/types.ts';
import { type AnyEntry, type Extension, type Program, routesOf } from '#site/extension.ts';
import { createRoles } from '#site/identity/roles.ts';
import type { World } from '#site/outgoing/guard.ts';
import { type BundledCard, type Extensions, LeftOut, type Trial } from '#site/packages/packages.ts';
import { type Clock, systemClock } from '#site/platform/clock.ts';
import type { Events } from '#site/platform/events.ts';
import { siteGroupOf } from '#site/platform/open.ts';
import type { Group } from '#site/platform/settings/group.ts';
import { openServices, type SiteServices } from '#site/services.ts';
import type { Log } from '#store/engine.ts';
import { openStore } from '#store/store.ts';
import type { Config, Deployment } from '../config.ts';
import { extensions as bundled } from '../extensions/all.ts';
import { planned } from '../extensions/planned.ts';
import { version } from '../version.ts';
import { capabilitiesIn, declarations, groupsOf, isActive, refuseUnlisted } from './assembly.ts';
import { createCoveredPages, extensionsCheck, logCoveredPages } from './extensions-check.ts';
import { createFollowing, type Following } from './follow-extensions.ts';
import { createPackages } from './installed-packages.ts';
import { defaultTimeouts, type ExtensionTimeouts, type Member } from './member.ts';
import { createMembers, type Members, registerErasers, registerUserRows } from './members.ts';
import { mountsOf } from './mounts.ts';
import { createCapabilities } from './registration.ts';
import { ownersAmong } from './tables.ts';
import { defenceChecks } from './undefended.ts';

/** Where the site writes what happens; a pino logger fits. */
export interface SiteLog extends Log {
  /** One answered request, told whatever else the log leaves out. */
  access?(details: object, message: string): void;
}

/** A trial of one extension, beside those that are on just now. */
export type TrialAmong = (
  one: Parameters<Trial>[0],
  extensions: Pick<Extensions, 'wanted' | 'unpacked'>,
) => ReturnType<Trial>;

export interface OpenOptions {
  readonly extensions?: readonly AnyEntry[];
  readonly clock?: Clock;
  /** How long a refused sign-in takes at least, in milliseconds. */
  readonly refusalTakes?: number;
  /** How long the copies of one picture may take together, in milliseconds. */
  readonly picturesTake?: () => number;
  /** How long extensions may take, where it is not as usual. */
  readonly patience?: Partial<ExtensionTimeouts>;
  /** The site will be served. */
  readonly serves?: true;
  /** How other sites are reached. */
  readonly world?: Partial<World>;
  /** No code of packages is run: for whoever switches off or removes what keeps a site from opening. */
  readonly withoutPackages?: true;
  /** How an extension is tried before it is switched on. */
  readonly trial?: TrialAmong;
}

export interface Opened {
  /** Every extension that comes with the program. */
  readonly known: readonly Extension[];
  /** Those that are part of the site, with their nouns. What happens reaches those that listen, whoever opened it. */
  readonly members: Members;
  /** Every capability there is just now. */
  readonly capabilities: ReadonlySet<string>;
  readonly following: Following;
  readonly services: SiteServices;
  /** Called when an extension serves something else from now on. */
  servedAnew(listener: () => void): void;
  close(): Promise<void>;
}

/** How long what follows an event may keep the site from stopping, in milliseconds. */
const listenersTake = 10_000;

const programOf = ({ deployment }: Config, { serves }: OpenOptions): Program => ({
  version: version(),
  isServing: serves === true,
  extensions: deployment.extensions,
  modules: deployment.modules,
  firstGroups: deployment.first_groups,
});

/** Also of an extension that is named and off: it may be turned on while the site runs, and its records are there. */
const typesAmong = (known: readonly Extension[], { extensions }: Deployment): ContentType[] =>
  known.filter(({ name }) => name in extensions).flatMap(({ types = [] }) => types);

const capabilitiesOf = (members: readonly Member[], { deployment }: Config): Set<string> =>
  capabilitiesIn(deployment).union(new Set(members.flatMap(({ extension }) => extension.capabilities ?? [])));

export const activeOf = (known: readonly Extension[], { deployment }: Config): Extension[] =>
  known.filter((extension) => isActive(extension, deployment));

/** The bundled extensions that a site of this configuration has switched on. */
export const activeAt = (config: Config): Extension[] => activeOf(declarations(bundled), config);

export const bundledNamed = (slug: string): Extension | undefined =>
  declarations(bundled).find(({ name }) => name === slug);

function secretOf({ secret }: Config): string {
  if (secret === undefined) throw new Error('A site cannot be opened without its secret.');
  return secret;
}

/** Every group of settings that it has. */
export const groupsAt = (config: Config): Group[] => groupsOf(activeAt(config), siteGroupOf(config));

export async function openSite(config: Config, log: SiteLog, options: OpenOptions = {}): Promise<Opened> {
  const known = declarations(options.extensions ?? bundled);
  const store = await openStore({ ...config, tables: ownersAmong(known), log });
  const capabilities = createCapabilities(capabilitiesIn(config.deployment));
  const cards = cardsOf(known, config.deployment);
  /** What is to be done at the end, the last of it first. */
  const closing = new AsyncDisposableStack();
  closing.defer(() => store.close());
  try {
    const followed = (): Promise<void> => following.follow().then(logCovered);
    const trial: Trial = async (one) => options.trial?.(one, services.extensions);
    const services = await openServices({
      ...options,
      config: { ...config, secret: secretOf(config) },
      store,
      clock: options.clock ?? systemClock,
      log,
      roles: createRoles(config.deployment.roles, capabilities.all),
      bundled: cards,
      types: typesAmong(known, config.deployment),
      version: version(),
      trial,
      followed,
    });
    const { events, extensions } = services;
    const patience = { ...defaultTimeouts, ...options.patience };
    closing.defer(() => services.mail.close());
    const asLongAsItIsOpen = new DisposableStack();
    const anew = new Set<() => void>();
    const members = createMembers({
      services: {
        ...services,
        program: programOf(config, options),
        operator: config,
        servesAnew: () => anew.forEach((listener) => void listener()),
      },
      capabilities,
      bundled: known,
      patience,
      report: (error, extension) => log.error({ err: error, extension }, 'An extension could not be ended.'),
    });
    closing.defer(() => members.close());
    closing.defer(() => heard(events, log));
    closing.defer(() => services.jobs.stop());
    const covered = createCoveredPages({ members, content: services.content, url: config.url });
    const logCovered = logCoveredPages(covered, log);
    const packages = options.withoutPackages ? undefined : createPackages({ ...services, patience });
    const following = createFollowing({
      bundled: known,
      deployment: config.deployment,
      extensions,
      members,
      servable: (all) => void buildTable(mountsOf(all, config.deployment), capabilitiesOf(all, config)),
      packages,
      log,
    });
    refuseUnlisted(cards, config.deployment);
    // Their tables are there, whether they are on or not.
    for (const one of known) {
      registerErasers(one, services.content.posts, asLongAsItIsOpen);
      registerUserRows(one, services.identity.users);
    }
    services.health.also([
      extensionsCheck({ extensions, members, following: () => following, covered }),
      ...defenceChecks(config, known, extensions),
    ]);
    await following.follow().catch(ignoreLeftOut);
    const close = () => closing.disposeAsync();
    const servedAnew = (listener: () => void): void => void anew.add(listener);
    return { known, members, capabilities: capabilities.all, following, services, servedAnew, close };
  } catch (error) {
    await closing.disposeAsync();
    throw error;
  }
}

/** The site goes on without an extension that people switched on and that cannot be used; the log says so. */
function ignoreLeftOut(error: unknown): void {
  if (!(error instanceof LeftOut)) throw error;
}

/** Whoever still listens has a moment to finish; who takes longer is not waited for. */
const heard = (events: Events, log: SiteLog): Promise<void> =>
  inTime(events.settled(), listenersTake, () => new Error('too late')).catch(() =>
    log.warn({}, 'The site stopped before the follow-up work of the last events was done.'),
  );

// What is told of the extensions that come with the program, also of those that a deployment names and this version does not have.

function cardsOf(known: readonly Extension[], deployment: Deployment): BundledCard[] {
  const isFitting = ({ name, config }: Extension): boolean =>
    config?.separate === undefined || name in deployment.extensions;
  const here = known.filter(isFitting).map((one) => hereCard(one, deployment));
  const named = new Set(known.map(({ name }) => name));
  return [
    ...here,
    ...Object.keys(planned)
      .filter((slug) => !named.has(slug))
      .map((slug) => absentCard(slug, deployment)),
  ];
}

function hereCard(extension: Extension, { extensions }: Deployment): BundledCard {
  const { name: slug, title = slug, about = '', always = false, needs = [], provides = [] } = extension;
  return {
    slug,
    name: title,
    description: about,
    version: version(),
    always,
    needs,
    provides,
    namespaces: Object.keys(routesOf(extension)),
    on: extensions[slug] === true,
    here: true,
  };
}

function absentCard(slug: string, { extensions }: Deployment): BundledCard {
  const { title, about, namespaces } = planned[slug]!;
  return {
    slug,
    name: title,
    description: about,
    version: version(),
    namespaces,
    always: false,
    needs: [],
    provides: [],
    on: extensions[slug] === true,
    here: false,
  };
}
