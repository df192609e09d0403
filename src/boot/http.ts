// What a site serves over HTTP: its interface, its pages and its files.

import type { Guarding } from '#kernel/guarding.ts';
import type { Tracking } from '#kernel/http/answers.ts';
import { trusting } from '#kernel/http/client.ts';
import { type Limits, standardLimits } from '#kernel/http/limits.ts';
import { createHttp, type HttpServer, type Observation } from '#kernel/http/server.ts';
import { strictTransportHeader } from '#lib/http-headers.ts';
import { namedProxies } from '#lib/ip-address.ts';
import { serving as filesOf } from '#site/content/media/serving.ts';
import {
  answerFamilies,
  jobFamilies,
  loadFamilies,
  outgoingFamilies,
  storeFamilies,
} from '#site/health/metric-families.ts';
import { createMetrics } from '#site/health/metrics.ts';
import { sessionCookie } from '#site/identity/credential.ts';
import { type HouseNow, missingPage } from '#site/pages/door.ts';
import type { PublicNeeds } from '#site/pages/public/needs.ts';
import { postPassword } from '#site/pages/public/post-password.ts';
import { publicSite } from '#site/pages/public/site.ts';
import { membersTopic } from '#site/platform/cache/records.ts';
import type { Clock } from '#site/platform/clock.ts';
import { rootsOf } from '#site/platform/open.ts';
import type { SiteServices } from '#site/services.ts';
import type { AnyStore } from '#store/store.ts';
import { openFilesLimit } from '../config/open-files.ts';
import type { Config } from '../config.ts';
import { version } from '../version.ts';
import type { SiteLog } from './open-site.ts';
import { ownPaths, sitePages } from './pages.ts';
import type { Serving } from './serving.ts';

interface HttpNeeds {
  readonly services: SiteServices;
  readonly serving: Serving;
  readonly houseNow: HouseNow;
  readonly guarding: Guarding;
  readonly log: SiteLog;
  report(error: unknown, request: string): void;
  readonly limits?: Partial<Limits> | undefined;
  readonly clock: Clock;
}

export function httpOf(
  config: Config,
  { services, serving, houseNow, guarding, log, report, limits, clock }: HttpNeeds,
) {
  const { store } = services;
  const metrics = createMetrics(version(), [
    () => storeFamilies(store.figures()),
    () => answerFamilies(http.figures()),
    () => loadFamilies(http.load()),
    async () => jobFamilies(await services.jobs.figures()),
    () => outgoingFamilies(services.outgoing.figures()),
  ]);
  const roots = rootsOf(config);
  const isNamedProxy = trusting(namedProxies(config.trustProxy));
  const open = publicNeeds(config, services, serving);
  const pages = sitePages(config, services, { houseNow, postPassword: postPassword(open), metrics });
  services.content.kinds.take(ownPaths(config, services));
  const http: HttpServer = createHttp({
    dispatch: serving.dispatch,
    pageAt: serving.pageAt,
    roots,
    strictTransport: strictTransportHeader(config.url, config.hsts),
    layout: { base: basePath(config), prefix: config.apiPrefix, faces: config.apiFaces },
    tracking: trackingOf(store),
    credentialCookie: sessionCookie,
    clientOf: services.clients.of,
    // Monitors of the machine come from there too.
    isProxy: (address) => machineItself.has(address) || isNamedProxy(address),
    guarding,
    limits: { connections: connectionsPossible(), ...limits },
    spool: services.spool,
    files: filesOf(services.files, config.uploadsPath, store.db),
    now: () => clock().getTime(),
    openSite: publicSite(open, houseNow),
    missing: async () => missingPage(await houseNow()),
    pages,
    observe: (observation) => observed(observation, config, metrics, log),
    report,
  });
  return http;
}

const machineItself = new Set(['127.0.0.1', '::1']);

/** The database, uploads and requests to other sites need open files too. */
const shareOfConnections = 0.75;

const connectionsPossible = (): number =>
  Math.min(standardLimits.connections, Math.floor(openFilesLimit() * shareOfConnections));

export const basePath = ({ url }: Config): string => new URL(url).pathname.replace(/\/$/, '');

const publicNeeds = (config: Config, services: SiteServices, serving: Serving): PublicNeeds => ({
  ...services,
  url: config.url,
  offset: config.deployment.settings.gmt_offset,
  roots: rootsOf(config),
  face: config.apiFaces === 'neutral' ? 'neutral' : 'classic',
  isEmbeddable: () => serving.table.namespaces.includes('oembed/1.0'),
});

/** What pages know of the site. */
export function houseOf(config: Config, services: SiteServices, clock: Clock): HouseNow {
  const { identity, about, settings, siteGroup, entrance } = services;
  const roots = rootsOf(config);
  const base = basePath(config);
  const fixed = {
    url: config.url,
    root: config.apiFaces === 'neutral' ? roots.neutral : roots.classic,
    at: (path: string) => `${base}${path}`,
    identity,
    entrance,
    clock,
  };
  return async () => {
    const { title, language } = await about();
    const { description, timezone } = await settings.read(siteGroup);
    return { ...fixed, name: { title, language: language.replaceAll('_', '-') }, description, zone: timezone };
  };
}

function observed(
  { id, method, path, status, milliseconds, address }: Observation,
  config: Config,
  metrics: ReturnType<typeof createMetrics>,
  log: SiteLog,
): void {
  metrics.answered(method, status, milliseconds);
  if (config.log.access) log.access?.({ request: id, method, path, status, milliseconds, address }, 'Answered');
}

/** Writes to quiet tables are told to nobody, so what read one is never kept. Whatever is kept was made by the extensions of then. */
function trackingOf(store: AnyStore): Tracking {
  return {
    track: async (work) => {
      const { answer, tables, wrote } = await store.tracing(work);
      if (wrote || !tables.isDisjointFrom(store.quiet)) return { answer, topics: undefined };
      return { answer, topics: new Set(tables).add(membersTopic) };
    },
    watch: (listener) => store.changes.watch(listener),
    get isCurrent() {
      return store.changes.isCurrent;
    },
  };
}
