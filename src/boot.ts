// The site put together: store, services, extensions, kernel, HTTP. Everything is made here and handed on by argument.
import { nobody } from '#kernel/caller.ts';
import type { Dispatch } from '#kernel/dispatch.ts';
import { apiUrl, type Face, type Roots } from '#kernel/faces.ts';
import type { Tracking } from '#kernel/http/answers.ts';
import type { Limits } from '#kernel/http/limits.ts';
import { createHttp, type HttpServer, type Observation } from '#kernel/http/server.ts';
import { createKernel, type Kernel } from '#kernel/kernel.ts';
import type { Table } from '#kernel/table.ts';
import { OutOfSpace, Unavailable } from '#lib/failures.ts';
import { type Clock, systemClock } from '#site/clock.ts';
import { serving } from '#site/content/media/serving.ts';
import { tellAhead } from '#site/content/told-ahead.ts';
import type { Extension } from '#site/extension.ts';
import { siteFacts } from '#site/facts.ts';
import { credentials, sessionCookie } from '#site/identity/credential.ts';
import { takesApplicationPasswords } from '#site/identity/identity.ts';
import { answerFamilies, jobFamilies, outgoingFamilies, storeFamilies } from '#site/measured.ts';
import { createMetrics } from '#site/metrics.ts';
import { createExporting } from '#site/moving/wxr/write.ts';
import { createOutages, everyFiveSeconds, type Outages } from '#site/outages.ts';
import type { HouseNow } from '#site/pages/door.ts';
import { exportPage } from '#site/pages/export.ts';
import { importPages } from '#site/pages/import.ts';
import { missingPage } from '#site/pages/missing.ts';
import { personalPages } from '#site/pages/personal.ts';
import type { PublicNeeds } from '#site/pages/public/needs.ts';
import { postPassword } from '#site/pages/public/post-password.ts';
import { publicSite } from '#site/pages/public/site.ts';
import { statusPages } from '#site/pages/status.ts';
import type { SiteServices } from '#site/services.ts';
import { siteTables } from '#site/tables.ts';
import type { AnyStore } from '#store/store.ts';
import { capabilitiesOf, declarations, mountsOf } from './assembly.ts';
import type { Config } from './config.ts';
import { extensions as bundled } from './extensions/all.ts';
import { activeOf, type OpenOptions, openSite, type SiteLog } from './opening.ts';
import { version } from './version.ts';

export type { SiteLog } from './opening.ts';

/** What differs between a real site and one under test. */
export interface Surroundings extends OpenOptions {
  readonly limits?: Partial<Limits>;
}

export interface App {
  readonly table: Table;
  readonly services: SiteServices;
  readonly dispatch: Dispatch;
  openApi(face: Face): Promise<unknown>;
  /** The address it listens at. */
  listen(): Promise<string>;
  close(): Promise<void>;
}

const grace = 30_000;

export async function boot(config: Config, log: SiteLog, surroundings: Surroundings = {}): Promise<App> {
  const ping = async (): Promise<void> => (await opening).services.store.ping();
  const outages = createOutages({ log, clock: surroundings.clock ?? systemClock, ping, repeat: everyFiveSeconds });
  const opening = openSite(config, { ...log, away: outages.away }, surroundings);
  const opened = await opening.catch((error) => {
    outages.close();
    throw error;
  });
  try {
    const { known, active, services, nouns } = opened;
    const report = reporter(outages, log);
    const kernel = kernelOf(config, active, nouns, report, surroundings, services);
    const http = httpOf(config, kernel, services, known, { log, report }, surroundings);
    tellAhead({
      ...services,
      ready: (face, path) => http.ready(apiUrl(rootsOf(config), face, path).slice(config.url.length)),
    });
    services.jobs.start();
    return {
      table: kernel.table,
      services,
      dispatch: kernel.dispatch,
      openApi: kernel.openApi,
      listen: () => http.listen(config),
      close: async () => {
        await Promise.all([http.close(grace), services.jobs.stop()]);
        outages.close();
        await opened.close();
      },
    };
  } catch (error) {
    await opened.close();
    throw error;
  }
}

/** What a deployment would serve, without opening its data. */
export function kernelWithoutStore(config: Config, surroundings: Surroundings = {}): Kernel {
  const active = activeOf(declarations(surroundings.extensions ?? bundled), config);
  return kernelOf(config, active, new Map(), () => {}, surroundings);
}

function kernelOf(
  config: Config,
  active: readonly Extension[],
  nouns: Map<Extension, unknown>,
  report: Report,
  { clock }: Surroundings,
  services?: SiteServices,
): Kernel {
  return createKernel({
    mounts: mountsOf(active, config.deployment, nouns),
    capabilities: capabilitiesOf(active, config.deployment),
    roots: rootsOf(config),
    bodyLimit: config.bodyLimit,
    uploadLimit: config.uploadLimit,
    version: version(),
    facts: () => factsOf(config, clock, services),
    identify: services?.identity.identify ?? (async () => nobody),
    credentials,
    report: (error, { id }) => report(error, id),
    gathering: services?.store.gathering,
  });
}

type Report = (error: unknown, request: string) => void;

/** What is away or full is told once; anything else is a bug, told in full. */
const reporter =
  (outages: Outages, log: SiteLog): Report =>
  (error, request) => {
    if (error instanceof Unavailable || error instanceof OutOfSpace) outages.refused(error, request);
    else log.error({ err: error, request }, 'A request failed for a reason nobody foresaw.');
  };

const rootsOf = ({ url, apiPrefix }: Pick<Config, 'url' | 'apiPrefix'>): Roots => ({
  neutral: `${url}/${apiPrefix}`,
  classic: `${url}/wp-json`,
});

const factsOf = async (config: Config, clock: Clock = systemClock, services?: SiteServices) => {
  const settings = services ? await services.settings.read(services.siteGroup) : config.deployment.settings;
  return siteFacts({
    url: config.url,
    offsetAs: config.deployment.index.gmt_offset,
    offset: config.deployment.settings.gmt_offset,
    settings,
    pictures: services ? await picturesOf(services, [settings.site_logo ?? 0, settings.site_icon]) : new Map(),
    takesApplicationPasswords: takesApplicationPasswords(config),
    clock,
  });
};

async function picturesOf({ content }: SiteServices, ids: readonly number[]): Promise<Map<number, string>> {
  const named = ids.filter((id) => id > 0);
  const files = named.length > 0 ? await content.media.files(named) : [];
  return new Map(Array.from(files, ([id, { file }]) => [id, content.media.urlOf(file)]));
}

function httpOf(
  config: Config,
  kernel: Kernel,
  services: SiteServices,
  known: readonly Extension[],
  { log, report }: { readonly log: SiteLog; readonly report: Report },
  { clock, limits }: Surroundings,
) {
  const { store } = services;
  const metrics = createMetrics(version(), [
    () => storeFamilies(store.figures()),
    () => answerFamilies(http.figures()),
    async () => jobFamilies(await services.jobs.figures()),
    () => outgoingFamilies(services.outgoing.figures()),
  ]);
  const roots = rootsOf(config);
  const houseNow = houseOf(config, services, clock);
  const open = publicNeeds(config, services, roots, known);
  const pages = [
    ...personalPages(houseNow, postPassword(open)),
    exportPage(houseNow, { kinds: services.content.kinds, exporting: createExporting(services) }),
    ...importPages(houseNow, services.sent),
    ...statusPages({ metrics, metricsToken: config.metricsToken, ping: () => store.ping() }),
  ];
  services.content.kinds.take([...pages.map(({ path }) => path), ...mountedPaths(config)]);
  const http: HttpServer = createHttp({
    dispatch: kernel.dispatch,
    roots,
    layout: { base: basePath(config), prefix: config.apiPrefix, faces: config.apiFaces },
    tracking: trackingOf(store, known),
    credentialCookie: sessionCookie,
    trustProxy: config.trustProxy,
    limits,
    spool: services.spool,
    files: serving(services.files, config.uploadsPath),
    now: () => (clock ?? systemClock)().getTime(),
    openSite: publicSite(open, houseNow),
    missing: async () => missingPage(await houseNow()),
    pages,
    observe: (observation) => observed(observation, config, metrics, log),
    report,
  });
  return http;
}

const basePath = ({ url }: Config): string => new URL(url).pathname.replace(/\/$/, '');

/** What is there besides pages: the interface, and the files. */
function mountedPaths({ apiPrefix, apiFaces, uploadsPath }: Config): string[] {
  const roots = rootsOf({ apiPrefix, url: '' });
  const faces = apiFaces === 'both' ? Object.values(roots) : [roots[apiFaces]];
  return [...faces, uploadsPath];
}

const publicNeeds = (
  config: Config,
  services: SiteServices,
  roots: Roots,
  known: readonly Extension[],
): PublicNeeds => ({
  ...services,
  url: config.url,
  offset: config.deployment.settings.gmt_offset,
  roots,
  face: config.apiFaces === 'neutral' ? 'neutral' : 'classic',
  key: services.keys.sessions,
  isEmbeddable: activeOf(known, config).some(({ routes }) => routes !== undefined && 'oembed/1.0' in routes),
});

/** What pages know of the site. */
function houseOf(config: Config, services: SiteServices, clock: Clock = systemClock): HouseNow {
  const { identity, about, settings, siteGroup } = services;
  const roots = rootsOf(config);
  const base = basePath(config);
  const fixed = {
    url: config.url,
    root: config.apiFaces === 'neutral' ? roots.neutral : roots.classic,
    at: (path: string) => `${base}${path}`,
    identity,
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

/** Writes to quiet tables are told to nobody, so what read one is never kept. */
function trackingOf(store: AnyStore, known: readonly Extension[]): Tracking {
  const quiet = new Set([...siteTables, ...known.map(({ tables }) => tables)].flatMap((owner) => owner?.quiet ?? []));
  return {
    track: async (work) => {
      const { answer, tables, wrote } = await store.tracing(work);
      return { answer, topics: wrote || !tables.isDisjointFrom(quiet) ? undefined : tables };
    },
    watch: (listener) => void store.changes.watch(listener),
    isCurrent: () => store.changes.isCurrent,
  };
}
