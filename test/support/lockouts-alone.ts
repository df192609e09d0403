// Lockouts by themselves, with just enough of a suite around them, and people who come from several addresses.
import { request } from 'node:http';
import { kernelErrors } from '#kernel/errors.ts';
import type { Denial } from '#kernel/problem.ts';
import { currentRequest } from '#kernel/request.ts';
import type { Entry, Services } from '#site/extension.ts';
import type { User } from '#site/identity/users/user.ts';
import { createSeal } from '#site/platform/seal.ts';
import { core } from '../../src/extensions/core/extension.ts';
import { createBans } from '../../src/extensions/secsuite/bans/bans.ts';
import { createEnforced } from '../../src/extensions/secsuite/bans/enforced.ts';
import { createLabels } from '../../src/extensions/secsuite/bans/record.ts';
import { banMigrations, quietBanTables } from '../../src/extensions/secsuite/bans/tables.ts';
import { createBase } from '../../src/extensions/secsuite/base.ts';
import { createClient } from '../../src/extensions/secsuite/client/client.ts';
import { clientMigrations } from '../../src/extensions/secsuite/client/tables.ts';
import { createDefence } from '../../src/extensions/secsuite/lockouts/open.ts';
import { lockoutRoutes, statisticsRoutes } from '../../src/extensions/secsuite/lockouts/routes.ts';
import { lockoutMigrations, quietLockoutTables } from '../../src/extensions/secsuite/lockouts/tables.ts';
import { createLogs } from '../../src/extensions/secsuite/logs/logs.ts';
import { logMigrations, quietLogTables } from '../../src/extensions/secsuite/logs/tables.ts';
import type { Telling } from '../../src/extensions/secsuite/notifications/sending.ts';
import { createSeeing, detectIpRoutes } from '../../src/extensions/secsuite/parts/global/detect-ip.ts';
import { modulesOn } from '../../src/extensions/secsuite/parts.ts';
import { settingsMigrations } from '../../src/extensions/secsuite/settings/tables.ts';
import { openSettingsAndSwitches } from '../../src/extensions/secsuite/switches/open.ts';
import { switchMigrations } from '../../src/extensions/secsuite/switches/tables.ts';
import type { TestEngine } from './databases.ts';
import { aSite, noon, type SiteOptions, type TestSite } from './site.ts';

/** Whom it meets, and until when: nothing, where it is for good. */
interface News {
  readonly subject: string;
  readonly until: string | undefined;
}

/** What was told, and to whom. */
interface Told {
  readonly news: News[];
  readonly letters: Telling[];
}

export type Alone = ReturnType<typeof nouns>;

const quiet = [...quietBanTables, ...quietLogTables, ...quietLockoutTables];
const migrations = [
  ...[...switchMigrations, ...settingsMigrations, ...banMigrations, ...logMigrations],
  ...[...clientMigrations, ...lockoutMigrations],
];

function nouns(services: Services) {
  const { store, clock, seal, log, identity, site, operator, clients, guards } = services;
  const stopping = services.jobs.stopping;
  const failed = (error: unknown): void => log.error({ err: error }, 'It could not be read.');
  const shared = { store, clock, stopping, failed };
  const base = createBase(services, stopping);
  const told: Told = { news: [], letters: [] };
  const { settings, switches } = openSettingsAndSwitches({
    ...shared,
    seal,
    log,
    url: site.url,
    front: operator.security.front,
    deployment: {},
    modules: modulesOn({ data: operator.data }),
    isGroup: () => false,
  });
  const logs = createLogs({
    store,
    clock,
    log,
    url: site.url,
    isRunning: switches.isRunning,
    background: 'wp-cron',
    hash: createSeal(Buffer.alloc(32)).keyedHash('test'),
    asking: () => {
      const incoming = currentRequest();
      return incoming && { ...incoming, startedAt: clock() };
    },
    settings: () => settings.of('global'),
  });
  const client = createClient({ ...shared, settings, clients, machine: ['127.0.0.1', '::1'] });
  const enforcedBans = createEnforced(shared);
  const bans = createBans({ store, clock, enforced: enforcedBans, isAuthorised: client.authorised.isAuthorised });
  const defence = createDefence(services, {
    base,
    settings,
    switches,
    bans,
    enforcedBans,
    logs,
    authorised: client.authorised,
    isManager: ({ roles }) => roles.includes('administrator'),
    isBanning: () => switches.isRunning('ban-users'),
    tell: async ({ lockouts, banned, strike }) => {
      told.news.push(
        ...lockouts.map(({ host, username, expire }) => ({ subject: host ?? username ?? '', until: expire })),
      );
      if (banned !== undefined) told.news.push({ subject: strike.address, until: undefined });
    },
    send: async (_slug, letter) => told.letters.push(letter),
  });
  const parts = [settings, switches, enforcedBans, client.authorised, defence.enforced];
  clients.detect(client.detector);
  for (const guard of defence.guards) guards.also(guard);
  guards.also({ whenFailing: 'closed', isReady: () => parts.every((part) => part.isReady) });
  identity.checks.also(defence.check);
  const ready = Promise.all(parts.map((part) => part.ready));
  const labels = createLabels({ users: identity.users, lockoutLabel: (type) => type });
  const banning = { bans, labels, isListed: () => true, showsActivity: () => true };
  const { lockouts, showLockouts, statistics } = defence;
  const places = new Map<string, object | null>();
  const locate = (ip: string) => (places.size === 0 ? undefined : Promise.resolve(places.get(ip) ?? null));
  return {
    told,
    settings,
    switches,
    logs,
    client,
    seeing: createSeeing({ settings, clients }),
    bans,
    banning,
    enforcedBans,
    ready,
    defence,
    lockouts,
    showLockouts,
    statistics,
    places,
    locator: { locate },
  };
}

export const lockoutsAlone =
  (taken: (alone: Alone) => void): Entry<Alone> =>
  (tools) => {
    const may = (denial: Denial = kernelErrors.forbidden) =>
      tools.when((caller) => caller.can('manage_options') || denial());
    const seams = {
      banning: (use: Alone) => use.banning,
      manages: () => true,
      managerOr: may,
      viewer: may(),
      behalf: (caller: Parameters<Parameters<typeof tools.when>[0]>[0]) => ({ caller }),
    };
    return {
      name: 'lockouts-alone',
      tables: { migrations, quiet },
      nouns: (services) => {
        const made = nouns(services);
        taken(made);
        return made;
      },
      pages: ({ defence }, house) => defence.pages(house),
      routes: {
        'secsuite/v1': lockoutRoutes(tools, may(), seams),
        'secsuite/rpc': [...detectIpRoutes(tools, may()), ...statisticsRoutes(tools, may())],
      },
    };
  };

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of it.
  readonly body: any;
}

interface Asked {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string | Uint8Array;
}

/** What is asked from one address of this machine. */
export interface Visitor {
  ask(path: string, asked?: Asked): Promise<Reply>;
  /** The form of the page. */
  signIn(login: string, password: string): Promise<Reply>;
  basic(login: string, password: string, path?: string): Promise<Reply>;
}

export const visitorFrom = (port: number, localAddress: string): Visitor => {
  const ask: Visitor['ask'] = (path, { method = 'GET', headers = {}, body } = {}) =>
    new Promise((resolve, reject) => {
      const sent = request(
        { host: '127.0.0.1', port, path, method, headers, localAddress, agent: false },
        (response) => {
          const pieces: Buffer[] = [];
          response.on('data', (piece: Buffer) => pieces.push(piece));
          response.on('end', () => {
            const text = Buffer.concat(pieces).toString();
            const isJson = response.headers['content-type']?.includes('json') === true;
            const whole = { status: response.statusCode ?? 0, headers: response.headers, text };
            resolve({ ...whole, body: isJson && text !== '' ? JSON.parse(text) : undefined });
          });
        },
      );
      sent.on('error', reject).end(body);
    });
  return {
    ask,
    signIn: (log, pwd) =>
      ask('/login', { method: 'POST', headers: form, body: String(new URLSearchParams({ log, pwd })) }),
    basic: (login, password, path = '/api/core/v2/users/me') =>
      ask(path, { headers: { authorization: `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}` } }),
  };
};

const form = { 'content-type': 'application/x-www-form-urlencoded' };

export interface Locked extends TestSite {
  readonly alone: Alone;
  readonly time: { now: number };
  from(address: string): Visitor;
}

export async function aLockedSite(
  engine: TestEngine,
  options: SiteOptions = {},
  time = { now: noon.getTime() },
): Promise<Locked> {
  let alone: Alone | undefined;
  const entry = lockoutsAlone((made) => {
    alone = made;
  });
  const site = await aSite(engine, { clock: () => new Date(time.now), ...options, extensions: [core, entry] });
  await alone!.ready;
  engine.atEnd(() => alone!.logs.end());
  return { ...site, alone: alone!, time, from: (address) => visitorFrom(site.port, address) };
}

export const right = 'the right password of ada';

export const ada = (site: TestSite): Promise<User> =>
  site.user({ login: 'ada', email: 'ada@example.org', name: 'Ada L.', roles: ['editor'], password: right });

let names = 0;

/** Somebody whom nobody knows. */
export const stranger = (): string => `somebody${++names}`;

/** Signs in as a stranger, another one each time, unless it is said as whom. */
export async function wrong(times: number, visitor: Visitor, login?: string): Promise<number[]> {
  const statuses: number[] = [];
  for (let time = 0; time < times; time++)
    statuses.push((await visitor.signIn(login ?? stranger(), `wrong ${time}`)).status);
  return statuses;
}

/** What was written down, in that order. */
export async function codesOf({ alone: { logs } }: Locked): Promise<string[]> {
  await logs.flush();
  const { items } = await logs.list({ limit: 100, offset: 0, order: 'asc', orderBy: 'id' });
  return items.map(({ type, code }) => `${type} ${code}`);
}
