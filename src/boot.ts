// The site put together: store, extensions, kernel, HTTP. Everything is made here and handed on by argument.
import { type Caller, nobody } from '#kernel/caller.ts';
import type { Dispatch } from '#kernel/dispatch.ts';
import type { Face, Roots } from '#kernel/faces.ts';
import type { Tracking } from '#kernel/http/answers.ts';
import type { Limits } from '#kernel/http/limits.ts';
import { createHttp, type Observation } from '#kernel/http/server.ts';
import { createKernel, type Kernel } from '#kernel/kernel.ts';
import type { Request } from '#kernel/request.ts';
import type { Table } from '#kernel/table.ts';
import { OutOfSpace, Unavailable } from '#lib/failures.ts';
import { type Clock, systemClock } from '#site/clock.ts';
import type { AnyEntry, Extension } from '#site/extension.ts';
import { siteFacts } from '#site/facts.ts';
import { createMetrics } from '#site/metrics.ts';
import { frontPage } from '#site/pages/front.ts';
import { statusPages } from '#site/pages/status.ts';
import type { TableOwner } from '#store/migrate.ts';
import { type AnyStore, openStore } from '#store/store.ts';
import { capabilitiesOf, declarations, isActive, mountsOf, nounsOf, ownersOf } from './assembly.ts';
import type { Config } from './config.ts';
import { extensions as bundled } from './extensions/all.ts';
import { version } from './version.ts';

/** Where the site writes what happens; a pino logger fits. */
export interface SiteLog {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
  /** One answered request, told whatever else the log leaves out. */
  access?(details: object, message: string): void;
}

/** What differs between a real site and one under test. */
export interface Surroundings {
  readonly extensions?: readonly AnyEntry[];
  readonly clock?: Clock;
  readonly limits?: Partial<Limits>;
  /** Who asks. Nobody, until there are users. */
  identify?(request: Request): Promise<Caller>;
}

export interface App {
  readonly table: Table;
  readonly store: AnyStore;
  readonly dispatch: Dispatch;
  openApi(face: Face): Promise<unknown>;
  /** The address it listens at. */
  listen(): Promise<string>;
  close(): Promise<void>;
}

const grace = 30_000;

export const tableOwners = (entries: readonly AnyEntry[] = bundled): TableOwner[] => ownersOf(declarations(entries));

export async function boot(config: Config, log: SiteLog, surroundings: Surroundings = {}): Promise<App> {
  const known = declarations(surroundings.extensions ?? bundled);
  const active = known.filter((extension) => isActive(extension, config.deployment));
  const store = await openStore({ ...config, tables: ownersOf(known), log });
  try {
    const nouns = nounsOf(active, { store, clock: surroundings.clock ?? systemClock });
    const kernel = kernelOf(config, active, nouns, log, surroundings);
    const http = httpOf(config, kernel, store, known, log, surroundings);
    return {
      table: kernel.table,
      store,
      dispatch: kernel.dispatch,
      openApi: kernel.openApi,
      listen: () => http.listen(config),
      close: async () => {
        await http.close(grace);
        await store.close();
      },
    };
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** What a deployment would serve, without opening its data. */
export function kernelWithoutStore(config: Config, surroundings: Surroundings = {}): Kernel {
  const active = declarations(surroundings.extensions ?? bundled).filter((one) => isActive(one, config.deployment));
  return kernelOf(config, active, new Map(), { info() {}, warn() {}, error() {} }, surroundings);
}

function kernelOf(
  config: Config,
  active: readonly Extension[],
  nouns: Map<Extension, unknown>,
  log: SiteLog,
  { identify, clock }: Surroundings,
): Kernel {
  return createKernel({
    mounts: mountsOf(active, config.deployment, nouns),
    capabilities: capabilitiesOf(active, config.deployment),
    roots: rootsOf(config),
    bodyLimit: config.bodyLimit,
    version: version(),
    facts: () => factsOf(config, clock),
    identify: identify ?? (async () => nobody),
    report: (error, { id }) => reported(error, id, log),
  });
}

/** A store that is away or full is told in a line; anything else is a bug, told in full. */
function reported(error: unknown, request: string, log: SiteLog): void {
  if (error instanceof Unavailable || error instanceof OutOfSpace) log.warn({ request }, error.message);
  else log.error({ err: error, request }, 'A request failed for a reason nobody foresaw.');
}

const rootsOf = ({ url, apiPrefix }: Config): Roots => ({ neutral: `${url}/${apiPrefix}`, classic: `${url}/wp-json` });

const factsOf = ({ url, deployment }: Config, clock: Clock = systemClock) =>
  siteFacts({ url, offsetAs: deployment.index.gmt_offset, settings: deployment.settings, clock });

function httpOf(
  config: Config,
  kernel: Kernel,
  store: AnyStore,
  known: readonly Extension[],
  log: SiteLog,
  { clock, limits }: Surroundings,
) {
  const metrics = createMetrics(version());
  const roots = rootsOf(config);
  return createHttp({
    dispatch: kernel.dispatch,
    roots,
    layout: { base: new URL(config.url).pathname.replace(/\/$/, ''), prefix: config.apiPrefix, faces: config.apiFaces },
    tracking: trackingOf(store, known),
    trustProxy: config.trustProxy,
    limits,
    now: () => (clock ?? systemClock)().getTime(),
    pages: [
      frontPage({
        root: config.apiFaces === 'neutral' ? roots.neutral : roots.classic,
        language: config.deployment.settings.language.replace('_', '-') || 'en',
        facts: () => factsOf(config, clock),
      }),
      ...statusPages({ metrics, metricsToken: config.metricsToken, ping: () => store.ping() }),
    ],
    observe: (observation) => observed(observation, config, metrics, log),
    report: (error, id) => log.error({ err: error, request: id }, 'A page failed for a reason nobody foresaw.'),
  });
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
  const quiet = new Set(known.flatMap(({ tables }) => tables?.quiet ?? []));
  return {
    track: async (work) => {
      const { answer, tables, wrote } = await store.tracing(work);
      return { answer, topics: wrote || !tables.isDisjointFrom(quiet) ? undefined : tables };
    },
    watch: (listener) => void store.changes.watch(listener),
    isCurrent: () => store.changes.isCurrent,
  };
}
