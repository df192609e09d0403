// Which addresses were locked out most, to whoever manages.
import type { Rule } from '#kernel/access.ts';
import { Problem } from '#kernel/problem.ts';
import type { Route } from '#kernel/route.ts';
import { Unavailable } from '#lib/failures.ts';
import type { Toolkit } from '#site/extension.ts';
import { locationSchema } from '../addresses/location.ts';
import { type Blocked, type Period, periods, type Statistics } from './statistics.ts';

export interface StatisticsUse {
  readonly statistics: Statistics;
  /** Where addresses are; nothing while that is not looked up, null where it is not known. */
  locate(ip: string): Promise<object | null> | undefined;
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
      summary: 'The addresses that were locked out most',
      access: manager,
      args: {
        period: t.oneOf([bounds, t.choice(periods)], { default: '30-days', description: 'Of which time.' }),
        number: t.integer({ minimum: 0, maximum: 10, default: 5, description: 'Of how many addresses.' }),
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
  const location = use.locate(blocked.ip);
  return location === undefined ? blocked : { ...blocked, location: await location };
}

/** A database that is away is told as everywhere. */
async function readable<R>(reading: Promise<R>): Promise<R> {
  return reading.catch((cause) => {
    if (cause instanceof Problem || cause instanceof Unavailable) throw cause;
    const message = 'The lockouts could not be counted.';
    throw new Problem(500, 'secsuite.lockout.top-blocked-ips.db-error', message, {}, { cause });
  });
}
