// The routes of lockouts, and of the addresses that were locked out most.
import type { Rule } from '#kernel/access.ts';
import { shortTerm } from '#kernel/bounds.ts';
import type { Caller } from '#kernel/caller.ts';
import { Problem } from '#kernel/problem.ts';
import type { Route } from '#kernel/route.ts';
import { Unavailable } from '#lib/failures.ts';
import type { Toolkit } from '#site/extension.ts';
import { type Locator, locationSchema } from '../addresses/location.ts';
import { type BanSeams, createShowing as createBanShowing } from '../bans/open.ts';
import { banResource } from '../bans/record.ts';
import { suiteErrors } from '../errors.ts';
import type { Lockout } from './lockout.ts';
import type { Lockouts } from './lockouts.ts';
import { lockoutResource, type Showing, type Shown } from './record.ts';
import { type Blocked, type Period, periods, type Statistics } from './statistics.ts';

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
      summary: 'List active lockouts, newest first',
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
      summary: 'Get a lockout',
      access: manager,
      resource,
      args: { id: t.integer() },
      payload: t.object({ context: t.optional(t.string()) }),
      handle: async ({ args, payload, use }) => shown(await use.lockouts.get(args.id), use, payload.context === 'edit'),
    }),
    route({
      method: 'POST',
      path: `${one}/release-lockout`,
      summary: 'End a lockout',
      access: manager,
      resource,
      args: { id: t.integer() },
      handle: async ({ args, caller, use }) =>
        shown(await use.lockouts.release(args.id, seams.behalf(caller, use).again), use, false),
    }),
    banRoute(tools, manager, seams),
  ];
}

const whose = { description: 'Part of an IP address, or of the login of a user.' };

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
    summary: 'Ban the IP address of a lockout',
    access: manager,
    resource: banResource(tools),
    args: { id: t.integer() },
    handle: async ({ args, caller, use, request }) => {
      const ban = await use.lockouts.ban(args.id, caller.id, asking(caller, use, request.address));
      return bans.one(ban, caller, use);
    },
  });
}

interface StatisticsUse {
  readonly statistics: Statistics;
  /** Where addresses are; nothing while that is not looked up, null where it is not known. */
  readonly locator: Pick<Locator, 'locate'>;
}

export function statisticsRoutes<Use extends StatisticsUse>(
  { route, t }: Toolkit<Use>,
  manager: Rule<undefined, Use, object>,
): Route[] {
  const moment = () => t.string({ format: 'date-time' });
  const bounds = t.object({ start: moment(), end: moment() }, { additionalProperties: false });
  return [
    route({
      method: 'GET',
      path: 'lockout-stats/top-blocked-ips',
      summary: 'List the IP addresses with the most lockouts',
      access: manager,
      args: {
        period: t.oneOf([bounds, t.choice(periods)], { default: '30-days', description: 'Period.' }),
        number: t.integer({ minimum: 0, maximum: 10, default: 5, description: 'Number of IP addresses.' }),
      },
      answers: {
        200: t.list(t.object({ ip: t.string(), count: t.integer(), location: t.optional(locationSchema({ t })) })),
      },
      handle: async ({ args, use }) => {
        const blocked = await readable(use.statistics.topBlocked(args.period as Period, args.number));
        return Promise.all(blocked.map((one) => located(one, use)));
      },
    }),
  ];
}

async function located(blocked: Blocked, use: StatisticsUse): Promise<object> {
  const location = use.locator.locate(blocked.ip);
  return location === undefined ? blocked : { ...blocked, location: await location };
}

/** A database that is away is told as everywhere. */
async function readable<R>(reading: Promise<R>): Promise<R> {
  return reading.catch((cause) => {
    if (cause instanceof Problem || cause instanceof Unavailable) throw cause;
    throw suiteErrors.topBlockedIpsDbError().because(cause);
  });
}
