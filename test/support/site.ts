// A whole site for a test: real store, real HTTP, a clock that stands still. `await (await aSite()).as('editor').post(…)`.
import type { Caller } from '#kernel/caller.ts';
import { noSources } from '#kernel/request.ts';
import type { Group } from '#kernel/table.ts';
import { type AnyEntry, routesOf } from '#site/extension.ts';
import { administrator } from '#site/identity/roles.ts';
import type { NewUser, User } from '#site/identity/users/user.ts';
import type { TableOwner } from '#store/migrate.ts';
import { hello } from '../../examples/hello/extension.ts';
import { declarations } from '../../src/boot/assembly.ts';
import { type App, boot, type Surroundings } from '../../src/boot/boot.ts';
import { kernelWithoutStore } from '../../src/boot/kernel.ts';
import { separateNamespaces } from '../../src/boot/known-names.ts';
import { tableOwners } from '../../src/boot/tables.ts';
import { createTrial } from '../../src/commands/trial.ts';
import { type Config, type Deployment, readConfig } from '../../src/config.ts';
import { extensions as bundled } from '../../src/extensions/all.ts';
import { ask } from './ask.ts';
import { type KeptLog, keptLog, type TestEngine } from './databases.ts';
import { offline } from './offline.ts';
import { peopleOf } from './people.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The JSON that was answered. */
  // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of it.
  readonly body: any;
}

export interface Sent {
  readonly headers?: Record<string, string> | undefined;
  /** Sent as JSON, unless it is text or bytes. */
  readonly body?: unknown;
}

type Verb = (path: string, body?: unknown, headers?: Record<string, string>) => Promise<Answer>;

export interface Client {
  readonly get: (path: string, headers?: Record<string, string>) => Promise<Answer>;
  readonly options: (path: string, headers?: Record<string, string>) => Promise<Answer>;
  readonly post: Verb;
  readonly put: Verb;
  readonly patch: Verb;
  readonly delete: Verb;
  /** Any method at any path of the host. */
  request(method: string, path: string, sent?: Sent): Promise<Answer>;
}

export interface TestSite extends Client {
  readonly app: App;
  readonly config: Config;
  readonly log: KeptLog;
  /** Where it really listens; the addresses it speaks of begin with `config.url`. */
  readonly origin: string;
  readonly port: number;
  /** As a user with this role and no other; its login is the role's name. */
  as(role: string): Client;
  /** Sets what people may set: `await site.set('embeds', { … })`, as its group says. */
  set(group: string, values: Record<string, unknown>): Promise<void>;
  /** A further user: `await site.user({ login: 'ada', roles: ['author'] })`. */
  user(about: NewUser): Promise<User>;
  asUser(user: User): Client;
  /** The headers that make a user known, or who has a role: for tests that speak HTTP themselves. */
  credentials(who: User | string): Promise<Record<string, string>>;
  /** Whom the site takes the user of this role for; nobody, without one. */
  caller(role?: string): Promise<Caller>;
  /** Whom the site takes somebody for who sends these headers. */
  callerWith(headers: Record<string, string>): Promise<Caller>;
}

export interface SiteOptions extends Surroundings {
  readonly deployment?: 'a' | 'b' | 'hub';
  /** Further settings, as environment variables. */
  readonly env?: Record<string, string>;
  readonly config?: Partial<Config>;
  /** Extensions are tried in a process of their own before they are switched on, as `serve` does it. That takes its time. */
  readonly tries?: true;
  /** What this site's deployment says otherwise. */
  readonly deploys?: (usual: Deployment) => Partial<Deployment>;
}

export const noon = new Date('2026-11-20T12:00:00Z');

/**
 * A site on an empty database of this engine, with `examples/hello` besides what ships, or with the extensions given; closed with the
 * test that opened it, or with its suite. Users are made when somebody first asks as them.
 */
export async function aSite(engine: TestEngine, options: SiteOptions = {}): Promise<TestSite> {
  const entries: readonly AnyEntry[] = options.extensions ?? usualEntries;
  const { tables, declared } = saidBy(entries);
  const place = await engine.place(tables);
  const config = configOf(place, options, declared);
  const log = keptLog();
  const app = await boot(config, log, {
    clock: () => noon,
    refusalTakes: 0,
    world: offline,
    ...(options.tries && { trial: createTrial(config) }),
    ...options,
    extensions: entries,
  });
  engine.atEnd(() => app.close());
  engine.atEnd(async () => tellErrors(log));
  await app.services.guards.ready();
  const origin = (await app.listen()).replace('[::1]', '127.0.0.1');
  const port = Number(new URL(origin).port);
  const { user, credentials } = peopleOf(app.services.identity);
  const asUser = (who: User | string): Client => client(origin, () => credentials(who));
  return {
    app,
    config,
    log,
    origin,
    port,
    ...client(origin, async () => ({})),
    as: asUser,
    set: (group, values) => change(app, group, values),
    user,
    asUser,
    credentials,
    caller: async (role) => callerOf(app, role === undefined ? {} : await credentials(role)),
    callerWith: (headers) => callerOf(app, headers),
  };
}

/** The routes of such a site, without opening one: for suites that make tests from routes while the file loads. */
export function routesWithoutSite(options: SiteOptions = {}): readonly Group[] {
  const entries = options.extensions ?? usualEntries;
  const config = configOf({ data: '.' }, options, saidBy(entries).declared);
  return kernelWithoutStore(config, { extensions: entries }).table.groups;
}

const usualEntries: readonly AnyEntry[] = [...bundled, hello];

interface Said {
  /** Where all of them ship; others may change between two tests under the same name. */
  readonly tables: TableOwner[] | undefined;
  readonly declared: readonly Declared[];
}

interface Declared {
  readonly name: string;
  readonly namespaces: readonly string[];
}

/** What extensions declare, by the list that names them: most sites of a test file have the same one. */
const known = new WeakMap<readonly AnyEntry[], Said>();

function saidBy(entries: readonly AnyEntry[]): Said {
  const said = known.get(entries) ?? {
    tables: entries.every((entry) => entry === hello || bundled.includes(entry)) ? tableOwners(entries) : undefined,
    declared: declarations(entries).map((one) => ({ name: one.name, namespaces: Object.keys(routesOf(one)) })),
  };
  known.set(entries, said);
  return said;
}

const callerOf = ({ services }: App, headers: Record<string, string>): Promise<Caller> =>
  services.identity.identify({
    id: 'test',
    face: 'neutral',
    method: 'GET',
    path: '/',
    query: '',
    headers,
    address: '127.0.0.1',
    sources: async () => noSources,
  });

async function change({ services: { settings } }: App, name: string, values: Record<string, unknown>): Promise<void> {
  const group = settings.groups.find((one) => one.name === name);
  if (group === undefined) throw new Error(`There is no group of settings ${name} here.`);
  await settings.change(group, values, 0);
}

/** The runner shows what a file said when it failed: here the cause of a 500 that nobody expected. */
function tellErrors({ lines }: KeptLog): void {
  for (const { level, details, message } of lines) if (level === 'error') console.error(message, details);
}

function configOf(
  place: { data: string; database?: string | undefined },
  { deployment = 'b', env = {}, config, deploys }: SiteOptions,
  declared: readonly Declared[],
): Config {
  const read = readConfig({
    flags: {
      data: place.data,
      deployment,
      port: '0',
      ...(env.GATEHOUSE_URL === undefined && { url: 'http://site.test' }),
      ...(place.database && { database: place.database }),
    },
    env: {
      GATEHOUSE_SECRET: 'a secret that only this test knows of',
      // The public address of a test is neither HTTPS nor this machine.
      GATEHOUSE_ALLOW_INSECURE_CREDENTIALS: 'on',
      // Most tests look at the very files that they sent.
      GATEHOUSE_OPTIMISE_UPLOADS: 'off',
      // Around its data folder lie those of other tests.
      GATEHOUSE_SCAN_ROOTS: place.data,
      ...env,
    },
  });
  // What has a deployment of its own is no part of the others.
  const known = read.deployment.extensions;
  const fitting = declared.filter(({ name }) => known[name] ?? !(name in separateNamespaces));
  const listed = [...read.deployment.namespaces, ...fitting.flatMap(({ namespaces }) => namespaces)];
  // A deployment that names one as off keeps it off.
  const switchedOn = Object.fromEntries(fitting.map(({ name }) => [name, read.deployment.extensions[name] ?? true]));
  const extended = {
    ...read.deployment,
    namespaces: [...new Set(listed)],
    extensions: { ...read.deployment.extensions, ...switchedOn },
    roles: declared.some(({ name }) => name === 'hello') ? greeting(read.deployment.roles) : read.deployment.roles,
    settings: { ...read.deployment.settings, ...called[deployment] },
  };
  return { ...read, deployment: { ...extended, ...deploys?.(extended) }, ...config };
}

/** What the sites of the recordings are called; those that ship have no name yet. */
const called = {
  a: { title: 'Hillside School', description: 'News and notices for families' },
  b: { title: 'Riverside School', description: 'A school and its parish' },
  hub: {},
} as const;

/** The roles of a deployment where whoever may write may also greet. Administrators may do everything anyway. */
const greeting = (roles: Deployment['roles']): Deployment['roles'] =>
  Object.fromEntries(
    Object.entries(roles).map(([name, role]) => {
      const listens = name === administrator || !role.capabilities.includes('edit_posts');
      return [name, listens ? role : { ...role, capabilities: [...role.capabilities, 'hello_write'] }];
    }),
  );

/** As `fetch` says them. */
const usual = { accept: '*/*', 'user-agent': 'node' };

const lower = (headers: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

function client(origin: string, standing: () => Promise<Record<string, string>>): Client {
  const request = async (method: string, path: string, { headers = {}, body }: Sent = {}): Promise<Answer> => {
    const raw = body === undefined || typeof body === 'string' || body instanceof Uint8Array;
    const type = raw ? (typeof body === 'string' ? 'text/plain;charset=UTF-8' : undefined) : 'application/json';
    const all = { ...usual, ...(type && { 'content-type': type }), ...lower(await standing()), ...lower(headers) };
    const { port, pathname, search } = new URL(`${origin}${path}`);
    const bytes = raw ? body : JSON.stringify(body);
    const answer = await ask(Number(port), { method, path: `${pathname}${search}`, headers: all, body: bytes });
    const isJson = answer.headers.get('content-type')?.includes('json') && answer.text !== '';
    return { ...answer, body: isJson ? JSON.parse(answer.text) : undefined };
  };
  const verb =
    (method: string): Verb =>
    (path, body, headers) =>
      request(method, path, { body, headers });
  return {
    request,
    get: (path, headers) => request('GET', path, { headers }),
    options: (path, headers) => request('OPTIONS', path, { headers }),
    post: verb('POST'),
    put: verb('PUT'),
    patch: verb('PATCH'),
    delete: verb('DELETE'),
  };
}
