import type { Caller } from '#kernel/caller.ts';
import type { Route } from '#kernel/route.ts';
import type { Toolkit } from '#site/extension.ts';
import { toldOf } from './inventory.ts';
import { capability, type Manage } from './manage.ts';
import { recordOf } from './record.ts';
import { largest, type Signers, signedOf } from './signers.ts';
import type { Sites } from './sites.ts';
import type { Syncs } from './syncs.ts';

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
      summary: 'A site tells how it is',
      payload: toldOf(t),
      handle: ({ caller, payload, use }) => use.syncs.take(signedOf(caller), payload),
    }),
    route({
      ...signing,
      method: 'DELETE',
      path: 'hub-unsync',
      summary: 'A site leaves, and is forgotten',
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
      summary: 'The sites that this hub looks after',
      access: capability,
      resource: site,
      args: {
        context: context(),
        page: page(),
        per_page: perPage(),
        search: t.optional(t.string({ maxLength: 200, description: 'Part of a name or an address.' })),
        orderby: t.choice(['name', 'synced_at', 'health'], { default: 'name' }),
        order: t.choice(['asc', 'desc'], { default: 'asc' }),
      },
      handle: ({ args, use }) => use.sites.list({ ...args, limit: args.per_page, offset: offsetOf(args) }),
    }),
    route({
      method: 'GET',
      path: 'sites/(?P<id>[\\d]+)',
      summary: 'One site, with all that it told',
      access: capability,
      resource: site,
      args: { id: t.integer(), context: context() },
      handle: ({ args, use }) => use.sites.get(args.id),
    }),
    route({
      method: ['POST', 'PUT', 'PATCH'],
      path: 'sites/(?P<id>[\\d]+)',
      summary: 'Pause a site, or look after it again',
      access: capability,
      resource: site,
      args: { id: t.integer(), membership: site.createArgs.membership },
      handle: ({ args, caller, use }) => use.sites.join(args.id, args.membership, use.manage(caller)),
    }),
    route({
      method: 'DELETE',
      path: 'sites/(?P<id>[\\d]+)',
      summary: 'Forget a site: its key opens nothing any more',
      access: capability,
      resource: site,
      args: { id: t.integer() },
      handle: async ({ args, caller, use }) => deleted(await use.sites.erase(args.id, use.manage(caller))),
    }),
  ];
}
