// A whole site for a test: real store, real HTTP, a clock that stands still. `await (await aSite()).as('editor').post(…)`.
import type { Caller } from '#kernel/caller.ts';
import { nobody } from '#kernel/caller.ts';
import { Problem } from '#kernel/problem.ts';
import type { Request } from '#kernel/request.ts';
import type { AnyEntry, Extension } from '#site/extension.ts';
import { hello } from '../../examples/hello/extension.ts';
import { declarations } from '../../src/assembly.ts';
import { type App, boot, type Surroundings } from '../../src/boot.ts';
import { type Config, readConfig } from '../../src/config.ts';
import { type KeptLog, keptLog, type TestEngine } from './databases.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The JSON that was answered. */
  // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of it.
  readonly body: any;
}

export interface Sent {
  readonly headers?: Record<string, string>;
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
  as(role: string): Client;
  /** Whom the site takes this role for; nobody, without one. */
  caller(role?: string): Promise<Caller>;
}

export interface SiteOptions extends Surroundings {
  readonly deployment?: 'a' | 'b';
  /** Further settings, as environment variables. */
  readonly env?: Record<string, string>;
  readonly config?: Partial<Config>;
}

export const noon = new Date('2026-11-20T12:00:00Z');

/** A site on an empty database of this engine, with `examples/hello` or the extensions given switched on; closed when the suite ends. */
export async function aSite(engine: TestEngine, options: SiteOptions = {}): Promise<TestSite> {
  const entries: readonly AnyEntry[] = options.extensions ?? [hello];
  const declared = declarations(entries);
  const config = configOf(await engine.place(), options, declared);
  const log = keptLog();
  const identify = options.identify ?? byRole(config, declared);
  const app = await boot(config, log, { clock: () => noon, ...options, identify, extensions: entries });
  engine.atEnd(() => app.close());
  engine.atEnd(async () => tellErrors(log));
  const origin = (await app.listen()).replace('[::1]', '127.0.0.1');
  const port = Number(new URL(origin).port);
  return {
    app,
    config,
    log,
    origin,
    port,
    ...client(origin, {}),
    as: (role) => client(origin, credentials(role)),
    caller: (role) => identify({ headers: role === undefined ? {} : credentials(role) } as unknown as Request),
  };
}

/** The runner shows what a file said when it failed: here the cause of a 500 that nobody expected. */
function tellErrors({ lines }: KeptLog): void {
  for (const { level, details, message } of lines) if (level === 'error') console.error(message, details);
}

function configOf(
  place: { data: string; database?: string },
  { deployment = 'b', env = {}, config }: SiteOptions,
  declared: readonly Extension[],
): Config {
  const read = readConfig({
    flags: {
      data: place.data,
      deployment,
      port: '0',
      url: 'http://site.test',
      ...(place.database && { database: place.database }),
    },
    env: { GATEHOUSE_SECRET: 'a secret that only this test knows of', ...env },
  });
  const namespaces = [...read.deployment.namespaces, ...declared.flatMap(({ routes }) => Object.keys(routes))];
  const switchedOn = Object.fromEntries(declared.map(({ name }) => [name, true]));
  const extended = {
    ...read.deployment,
    namespaces: [...new Set(namespaces)],
    extensions: { ...read.deployment.extensions, ...switchedOn },
  };
  return { ...read, deployment: extended, ...config };
}

const credentials = (role: string): Record<string, string> => ({
  authorization: `Basic ${Buffer.from(`${role}:of the test`).toString('base64')}`,
});

/** In tests a role is its own user: its capabilities are the deployment's, and an administrator has those of every extension. */
function byRole({ deployment }: Config, declared: readonly Extension[]): NonNullable<Surroundings['identify']> {
  const extra = declared.flatMap(({ capabilities }) => capabilities ?? []);
  const roles = Object.keys(deployment.roles);
  return async ({ headers }: Request): Promise<Caller> => {
    const encoded = headers.authorization?.replace(/^Basic /, '');
    if (encoded === undefined) return nobody;
    const role = Buffer.from(encoded, 'base64').toString().split(':', 1)[0]!;
    const id = roles.indexOf(role) + 1;
    if (id === 0) throw new Problem(401, 'incorrect_password', 'These credentials are not known here.');
    const own = new Set([
      ...deployment.roles[role]!.capabilities,
      ...(role === 'administrator' ? extra : ownInHello(role)),
    ]);
    return { id, can: (capability) => own.has(capability) };
  };
}

const ownInHello = (role: string): string[] => (role === 'subscriber' || role === 'parishioner' ? [] : ['hello_write']);

function client(origin: string, standing: Record<string, string>): Client {
  const request = async (method: string, path: string, { headers = {}, body }: Sent = {}): Promise<Answer> => {
    const raw = body === undefined || typeof body === 'string' || body instanceof Uint8Array;
    const response = await fetch(`${origin}${path}`, {
      method,
      headers: { ...(!raw && { 'content-type': 'application/json' }), ...standing, ...headers },
      body: (raw ? body : JSON.stringify(body)) as string | undefined,
      redirect: 'manual',
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') && text !== '';
    return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : undefined };
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
