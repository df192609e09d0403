// A whole hub for a test, and the messages that sites send it.
import { createHmac, randomUUID } from 'node:crypto';
import { sessionCookie } from '#site/identity/credential.ts';
import deployment from '../../deployments/hub.json' with { type: 'json' };
import { extensions } from '../../src/extensions/all.ts';
import { createSites, type Sites } from '../../src/extensions/hub/sites.ts';
import type { TestEngine } from './databases.ts';
import { type TestClock, testClock } from './queue.ts';
import { type Answer, aSite, type SiteOptions, type TestSite } from './site.ts';
import { aVisitor, type Visitor } from './visitor.ts';

export interface HubHouse extends TestSite {
  readonly sites: Sites;
  readonly clock: TestClock;
  /** A site that the hub knows, and how it sends. */
  knows(name: string): Promise<Sender>;
  /** The session of somebody with this role: what the cookie of a browser holds. */
  session(role: string): Promise<string>;
  /** Somebody with this role who looks at its pages. */
  visitor(role: string): Promise<Visitor>;
}

export interface Said {
  readonly headers?: Record<string, string>;
  /** Seconds that the clock of the sender is off. */
  readonly off?: number;
  /** What was signed, where it is something else than what is sent. */
  readonly signed?: string;
  readonly signsWith?: string;
}

type Sends = (told: unknown, said?: Said) => Promise<Answer>;

export interface Sender {
  readonly id: number;
  readonly key: string;
  readonly sync: Sends;
  readonly unsync: Sends;
}

export const syncPath = '/api/hub/v1/hub-sync';
const unsyncPath = '/api/hub/v1/hub-unsync';

const { namespaces, extensions: switches } = deployment;

/** As its deployment is, with editors besides, so that somebody can be refused. */
export async function aHubHouse(engine: TestEngine, options: SiteOptions = {}): Promise<HubHouse> {
  const clock = testClock();
  const editor = { label: 'Editor', capabilities: ['read'] };
  const site = await aSite(engine, {
    deployment: 'hub',
    extensions,
    clock,
    deploys: ({ roles }) => ({ namespaces, extensions: switches, roles: { ...roles, editor } }),
    ...options,
  });
  const sites = createSites(site.app.services);
  const session = async (role: string): Promise<string> => {
    const { sessions } = site.app.services.identity;
    const user = await site.user({ login: `looks-${randomUUID().slice(0, 8)}`, roles: [role] });
    return (await sessions.start(user, false, { address: '192.0.2.1', agent: 'test' }))!.cookie;
  };
  return {
    ...site,
    sites,
    clock,
    session,
    knows: async (name) => {
      const { site: added, key } = await sites.add(name);
      return senderTo(site, { id: added.id, key }, clock);
    },
    visitor: async (role) => aVisitor(site, { cookie: `${sessionCookie}=${await session(role)}` }),
  };
}

function senderTo(hub: TestSite, { id, key }: Pick<Sender, 'id' | 'key'>, now: () => Date): Sender {
  const send =
    (method: string, path: string): Sends =>
    (told, said = {}) => {
      const body = typeof told === 'string' ? told : JSON.stringify(told);
      return hub.request(method, path, { body, headers: headersFor(body, key, now(), said) });
    };
  return { id, key, sync: send('POST', syncPath), unsync: send('DELETE', unsyncPath) };
}

export function headersFor(body: string, key: string, now: Date, said: Said = {}): Record<string, string> {
  const { headers = {}, off = 0, signed = body, signsWith = key } = said;
  const time = String(Math.floor(now.getTime() / 1000) + off);
  return {
    'content-type': 'application/json',
    authorization: `Bearer ${key}`,
    'x-hub-timestamp': time,
    'x-hub-signature': `sha256=${createHmac('sha256', signsWith).update(`${time}.${signed}`).digest('hex')}`,
    'idempotency-key': randomUUID(),
    ...headers,
  };
}

/** How a site is, as it tells. */
export const inventory = (domain: string, more: object = {}): object => ({
  client_version: '0.3.0',
  domain,
  home_url: `${domain}/`,
  admin_url: `${domain}/wp-admin/`,
  blog_count: 1,
  app_version: '0.3.0',
  projects: {},
  packages: {
    plugins: { 'galleries/galleries': { name: 'Galleries', version: '0.3.0', network: false, active: true } },
    themes: { site: { name: 'Site', version: '0.3.0', parent: false, active: true } },
  },
  repo_updates: [],
  sso_status: false,
  health: {
    status: 'recommended',
    checks: { passed: 17, recommended: 2, critical: 0 },
    runtime_version: '26.10.0',
    database: 'SQLite 3.51.0',
    disk_free_bytes: 52_000_000_000,
    last_backup: '2026-11-19T02:00:00+00:00',
  },
  stats: { posts: 12, pages: 3, comments_pending: 4, users: 2, attachments: 40, attachment_bytes: 1_000_000 },
  imgopt: {},
  ...more,
});
