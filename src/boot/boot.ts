// The site put together: store, services, extensions, kernel, HTTP. Everything is made here and handed on by argument.
import { setTimeout as pause } from 'node:timers/promises';
import type { Dispatch } from '#kernel/dispatch.ts';
import { apiUrl, type Face } from '#kernel/faces.ts';
import type { Limits } from '#kernel/http/limits.ts';
import type { Table } from '#kernel/table.ts';
import { OutOfSpace, Unavailable } from '#lib/failures.ts';
import { tellAhead } from '#site/content/content.ts';
import { combined, type Guards } from '#site/hooks/guards.ts';
import { extensionsTopic, LeftOut } from '#site/packages/packages.ts';
import { createGuarding } from '#site/pages/refusals.ts';
import { membersTopic } from '#site/platform/cache/records.ts';
import { type Clock, systemClock } from '#site/platform/clock.ts';
import { rootsOf } from '#site/platform/open.ts';
import { createOutages, everyFiveSeconds, type Outages } from '#site/platform/outages.ts';
import type { SiteServices } from '#site/services.ts';
import type { Config } from '../config.ts';
import { houseOf, httpOf } from './http.ts';
import { kernelOf } from './kernel.ts';
import { type Opened, type OpenOptions, openSite, type SiteLog } from './open-site.ts';
import { createRefusePage } from './pages.ts';
import { createServing, type Serving } from './serving.ts';

export type { SiteLog } from './open-site.ts';

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
/** How long it does not answer at all before it says that it is just starting. */
const waitsForGuards = 500;
/** Who switches an extension on hears of it when its guards are at work, unless that takes longer. */
const waitsForNewGuards = 10_000;

export async function boot(config: Config, log: SiteLog, surroundings: Surroundings = {}): Promise<App> {
  const ping = async (): Promise<void> => (await opening).services.store.ping();
  const clock = surroundings.clock ?? systemClock;
  const outages = createOutages({ log, clock, ping, repeat: everyFiveSeconds });
  const opening = openSite(config, { ...log, away: outages.away }, { ...surroundings, serves: true });
  const opened = await opening.catch((error) => {
    outages.close();
    throw error;
  });
  try {
    return await start(opened, { config, log, clock, outages, limits: surroundings.limits });
  } catch (error) {
    await opened.close();
    throw error;
  }
}

interface Starting {
  readonly config: Config;
  readonly log: SiteLog;
  readonly clock: Clock;
  readonly outages: Outages;
  readonly limits: Partial<Limits> | undefined;
}

async function start(opened: Opened, { config, log, clock, outages, limits }: Starting): Promise<App> {
  const { services, members, capabilities } = opened;
  // What takes longer, people are told about.
  await readyWithin(waitsForGuards, services.guards);
  const report = reporter(outages, log);
  const houseNow = houseOf(config, services, clock);
  const { guards, identity } = services;
  const guarding = createGuarding({ guard: combined(guards, report), identity, houseNow, report });
  const made = { capabilities, clock, report, services, guarding };
  const serving = createServing({
    members,
    houseNow,
    refusePage: createRefusePage(config, services, new Set(opened.known.map(({ name }) => name))),
    take: services.content.kinds.take,
    make: (all) => kernelOf(config, { ...made, members: all }),
    report: (error, extension) => log.error({ err: error, extension }, 'An extension failed to list its pages.'),
  });
  opened.servedAnew(() => {
    void serving.change();
    services.store.changes.say([membersTopic]);
  });
  const { unfollow, caughtUp } = followChanges(opened, serving, log);
  const http = httpOf(config, {
    services,
    serving,
    houseNow,
    guarding,
    log,
    report,
    limits,
    clock,
  });
  tellAhead({
    ...services,
    ready: (face, path) => http.ready(apiUrl(rootsOf(config), face, path).slice(config.url.length)),
  });
  await caughtUp;
  services.jobs.start();
  return {
    get table() {
      return serving.table;
    },
    services,
    dispatch: serving.dispatch,
    openApi: serving.openApi,
    listen: () => http.listen(config),
    close: async () => {
      unfollow();
      await Promise.all([http.close(grace), services.jobs.stop()]);
      outages.close();
      await opened.close();
    },
  };
}

async function readyWithin(milliseconds: number, guards: Guards): Promise<void> {
  await Promise.race([guards.ready(), pause(milliseconds, undefined, { ref: false })]);
}

/** What people switch on or off, at whichever process, is served or not served here too, also what they did while this one opened. */
function followChanges(
  { following, services: { store, extensions, guards } }: Opened,
  serving: Serving,
  log: SiteLog,
): { unfollow(): void; readonly caughtUp: Promise<void> } {
  following.onChange(async (end) => {
    const unused = serving.change();
    store.changes.say([membersTopic]);
    // Whoever switched one off is among those who are served.
    void unused.then((isUnused) => {
      if (!isUnused && end !== undefined)
        log.warn({}, 'An extension that was turned off still had requests after the time limit and was ended.');
      return end?.();
    });
    await readyWithin(waitsForNewGuards, guards);
  });
  const tidy = () =>
    extensions.tidy().catch((error) => log.warn({ err: error }, 'Files of removed extensions could not be deleted.'));
  const follow = () =>
    following.follow().catch((error) => {
      if (!(error instanceof LeftOut)) log.error({ err: error }, 'The list of active extensions could not be read.');
    });
  const unfollow = store.changes.watch((topics) => {
    if (topics.has(extensionsTopic)) void follow().then(tidy);
  });
  const caughtUp = follow();
  void caughtUp.then(tidy);
  return { unfollow, caughtUp };
}

type Report = (error: unknown, request: string) => void;

/** What is away or full is told once; anything else is a bug, told in full. */
const reporter =
  (outages: Outages, log: SiteLog): Report =>
  (error, request) => {
    if (error instanceof Unavailable || error instanceof OutOfSpace) outages.refused(error, request);
    else log.error({ err: error, request }, 'A request failed with an unexpected error.');
  };
