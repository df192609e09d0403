// What may be asked about lockouts.

import type { Rule } from '#kernel/access.ts';
import { shortTerm } from '#kernel/bounds.ts';
import type { Caller } from '#kernel/caller.ts';
import type { Route } from '#kernel/route.ts';
import type { Toolkit } from '#site/extension.ts';
import { banResource } from '../bans/record.ts';
import type { BanSeams } from '../bans/seams.ts';
import { createShowing as createBanShowing } from '../bans/showing.ts';
import type { Lockout } from './lockout.ts';
import type { Lockouts } from './lockouts.ts';
import { lockoutResource, type Showing, type Shown } from './record.ts';

export interface LockoutsUse {
  readonly lockouts: Lockouts;
  readonly showLockouts: Showing;
}

const one = 'lockouts/(?P<id>\\d+)' as const;

export function lockoutRoutes<Use extends LockoutsUse>(
  tools: Toolkit<Use>,
  manager: Rule<undefined, Use, object>,
  seams: BanSeams<Use>,
): Route[] {
  const { route, t, context, page, perPage, offsetOf } = tools;
  const resource = lockoutResource(tools);
  const shown = async (lockout: Lockout, use: Use, isEdited: boolean): Promise<Shown> =>
    (await use.showLockouts([lockout], isEdited))[0]!;
  return [
    route({
      method: 'GET',
      path: 'lockouts',
      summary: 'Who is locked out now, the newest first',
      access: manager,
      resource,
      args: {
        context: context(),
        page: page(),
        per_page: perPage(),
        search: t.optional(t.string({ ...whose, check: shortTerm })),
      },
      handle: async ({ args, caller, use }) => {
        const { items, total } = await use.lockouts.list({
          limit: args.per_page,
          offset: offsetOf(args),
          search: args.search,
          searchPrivate: caller.can('list_users'),
        });
        return { items: await use.showLockouts(items, args.context === 'edit'), total };
      },
    }),
    route({
      method: 'GET',
      path: one,
      summary: 'One lockout',
      access: manager,
      resource,
      args: { id: t.integer() },
      payload: t.object({ context: t.optional(t.string()) }),
      handle: async ({ args, payload, use }) => shown(await use.lockouts.get(args.id), use, payload.context === 'edit'),
    }),
    route({
      method: 'POST',
      path: `${one}/release-lockout`,
      summary: 'Let in again whom it keeps out',
      access: manager,
      resource,
      args: { id: t.integer() },
      handle: async ({ args, caller, use }) =>
        shown(await use.lockouts.release(args.id, seams.behalf(caller, use).again), use, false),
    }),
    banRoute(tools, manager, seams),
  ];
}

const whose = { description: 'Part of an address, or of what a user is called.' };

function banRoute<Use extends LockoutsUse>(
  tools: Toolkit<Use>,
  manager: Rule<undefined, Use, object>,
  seams: BanSeams<Use>,
): Route {
  const { route, t } = tools;
  const bans = createBanShowing(seams);
  const asking = (caller: Caller, use: Use, self: string) => ({ ...seams.behalf(caller, use), self });
  return route({
    method: 'POST',
    path: `${one}/ban-lockout`,
    summary: 'Ban the address that it keeps out',
    access: manager,
    resource: banResource(tools),
    args: { id: t.integer() },
    handle: async ({ args, caller, use, request }) => {
      const ban = await use.lockouts.ban(args.id, caller.id, asking(caller, use, request.address));
      return bans.one(ban, caller, use);
    },
  });
}
