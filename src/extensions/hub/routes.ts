// The routes of the hub: sites send messages, and managers look at the sites, pause and forget them.
import type { Caller } from '#kernel/caller.ts';
import { kernelErrors } from '#kernel/errors.ts';
import type { Route } from '#kernel/route.ts';
import type { Toolkit } from '#site/extension.ts';
import { credentialOf } from '#site/identity/credential.ts';
import type { DoingFor } from '#site/identity/doing.ts';
import { conditions, counted, toldOf } from './inventory.ts';
import { largest, type Signers, signedOf } from './signers.ts';
import { memberships, type Site, type SiteDoing, type Sites } from './sites.ts';
import type { Syncs } from './syncs.ts';

export const capability = 'hub_manage';

export const notYours = () => kernelErrors.forbidden('manage the sites of this hub');

/** On behalf of this caller, who is asked again within the write. */
type Manage = (caller: Caller) => SiteDoing;

export const createManage =
  (doing: DoingFor): Manage =>
  (caller) =>
    doing(credentialOf(caller), (asker) => {
      if (!asker.can(capability)) throw notYours();
    });

/** What the handlers use. */
export interface Hub {
  readonly sites: Sites;
  readonly syncs: Syncs;
  readonly signers: Signers;
  readonly manage: Manage;
}

export const routes = (tools: Toolkit<Hub>): Route[] => [...sent(tools), ...looked(tools)];

/** What sites send, each with its own key. */
function sent({ route, t, when, anyone }: Toolkit<Hub>): Route[] {
  const signing = {
    access: when(anyone, 'The site whose key signs the message.'),
    credential: (request: Parameters<Signers['of']>[0], { signers }: Hub): Promise<Caller> => signers.of(request),
    bodyLimit: largest,
  };
  return [
    route({
      ...signing,
      method: 'POST',
      path: 'hub-sync',
      summary: 'Send the report of a site',
      payload: toldOf(t),
      handle: ({ caller, payload, use }) => use.syncs.take(signedOf(caller), payload),
    }),
    route({
      ...signing,
      method: 'DELETE',
      path: 'hub-unsync',
      summary: 'Leave the hub',
      payload: t.object({ domain: t.string({ minLength: 1, maxLength: 300 }) }),
      handle: ({ caller, payload, use }) => use.syncs.forget(signedOf(caller), payload.domain),
    }),
  ];
}

/** What the owner of the hub sees and does. Nobody else learns which numbers there are: the right is asked for before a site is. */
function looked(tools: Toolkit<Hub>): Route[] {
  const { route, t, context, page, perPage, offsetOf, deleted } = tools;
  const site = recordOf(tools as Toolkit<never>);
  return [
    route({
      method: 'GET',
      path: 'sites',
      summary: 'List the sites of this hub',
      access: capability,
      resource: site,
      args: {
        context: context(),
        page: page(),
        per_page: perPage(),
        search: t.optional(t.string({ maxLength: 200, description: 'Part of a name or a URL.' })),
        orderby: t.choice(['name', 'synced_at', 'health'], { default: 'name' }),
        order: t.choice(['asc', 'desc'], { default: 'asc' }),
      },
      handle: ({ args, use }) => use.sites.list({ ...args, limit: args.per_page, offset: offsetOf(args) }),
    }),
    route({
      method: 'GET',
      path: 'sites/(?P<id>[\\d]+)',
      summary: 'Get a site with its last report',
      access: capability,
      resource: site,
      args: { id: t.integer(), context: context() },
      handle: ({ args, use }) => use.sites.get(args.id),
    }),
    route({
      method: ['POST', 'PUT', 'PATCH'],
      path: 'sites/(?P<id>[\\d]+)',
      summary: 'Pause or resume a site',
      access: capability,
      resource: site,
      args: { id: t.integer(), membership: site.createArgs.membership },
      handle: ({ args, caller, use }) => use.sites.join(args.id, args.membership, use.manage(caller)),
    }),
    route({
      method: 'DELETE',
      path: 'sites/(?P<id>[\\d]+)',
      summary: 'Remove a site; its key no longer works',
      access: capability,
      resource: site,
      args: { id: t.integer() },
      handle: async ({ args, caller, use }) => deleted(await use.sites.erase(args.id, use.manage(caller))),
    }),
  ];
}

// A site as the interface shows it.

const zoned = (instant: string | null): string | null => instant && `${instant.slice(0, 19)}+00:00`;

function recordOf({ resource, t }: Toolkit<never>) {
  const moment = (description: string) => t.fixed(t.string({ format: 'date-time', description }));
  const momentOrNot = (description: string) => t.fixed(t.nullable(t.string({ format: 'date-time' }), { description }));
  const word = () => t.string();
  const inventory = t.object({
    client_version: word(),
    checks: t.object({ passed: t.integer(), recommended: t.integer(), critical: t.integer() }),
    runtime_version: word(),
    database: word(),
    disk_free_bytes: t.nullable(t.integer()),
    last_backup: t.nullable(t.string({ format: 'date-time' })),
    stats: t.object(Object.fromEntries(counted.map((name) => [name, t.optional(t.integer())]))),
    extensions: t.list(t.object({ name: word(), version: word(), active: t.boolean() })),
  });
  return resource({
    name: 'hub-site',
    fields: {
      id: t.fixed(t.integer({ description: 'Its number.' })),
      name: t.fixed(t.string({ description: 'Name of the site on the hub.' })),
      address: t.fixed(
        t.nullable(t.string({ format: 'uri' }), { description: 'URL of the site, after its first report.' }),
      ),
      membership: t.choice(memberships, { description: 'Membership: whether the hub stores its reports.' }),
      created_at: moment('Time when it was added.'),
      synced_at: momentOrNot('Time of the last report.'),
      is_silent: t.fixed(t.boolean({ description: 'Whether it sent no report for 36 hours.' })),
      version: t.fixed(t.nullable(t.string(), { description: 'Version of Gatehouse.' })),
      health: t.fixed(t.nullable(t.choice(conditions), { description: 'Health of the site.' })),
      inventory: t.fixed(t.nullable(inventory, { description: 'Other content of the report.' })),
    },
    compute: {
      created_at: (site: Site) => zoned(site.created_at),
      synced_at: (site) => zoned(site.synced_at),
      inventory: ({ inventory: told }) => told && { ...told, last_backup: zoned(told.last_backup) },
    },
    links: ({ id }) => ({
      self: [{ href: `/hub/v1/sites/${id}` }],
      collection: [{ href: '/hub/v1/sites' }],
    }),
  });
}
