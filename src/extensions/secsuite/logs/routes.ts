// What may be asked of the log.

import type { Access } from '#kernel/access.ts';
import { atMost, shortTerm } from '#kernel/bounds.ts';
import type { RecordOf } from '#kernel/resource.ts';
import type { Route } from '#kernel/route.ts';
import { withoutUndefined } from '#lib/objects.ts';
import { readMoment, type Zone } from '#lib/wall-time.ts';
import type { Toolkit } from '#site/extension.ts';
import { unlessEmpty } from '#site/platform/listing.ts';
import { addressOf, written } from '../addresses/block.ts';
import { types } from './entry.ts';
import { orders, type Wanted } from './list.ts';
import type { Logs } from './logs.ts';
import type { LogNames } from './named.ts';
import { logResource } from './record.ts';

interface Use {
  readonly logs: Logs;
}

/** Each becomes a part of one statement. */
const few = atMost(100);

export function logRoutes(tools: Toolkit<Use>, manager: Access<undefined, Use, object>, names: LogNames): Route[] {
  const { route, t } = tools;
  const resource = logResource(tools, names);
  const context = t.choice(['view', 'embed'], {
    default: 'view',
    description: 'Which fields the answer has: `view`, `embed` or `edit`.',
  });
  return [
    route({
      method: 'GET',
      path: 'logs',
      summary: 'List the entries of the security log, newest first',
      access: manager,
      resource,
      args: { context, ...listArgs(tools) },
      handle: ({ args, use }) => use.logs.list(wantedOf(args, tools)),
    }),
    route({
      method: 'GET',
      path: 'logs/(?P<id>\\d+)',
      summary: 'Get an entry of the security log',
      access: manager,
      resource,
      args: { id: t.integer(), context },
      handle: ({ args, use }) => use.logs.get(args.id),
    }),
  ];
}

function listArgs({ t, page, perPage }: Pick<Toolkit<never>, 't' | 'page' | 'perPage'>) {
  const time = (description: string) => t.optional(t.string({ format: 'date-time', description }));
  return {
    page: page(),
    per_page: perPage(),
    search: t.optional(t.string({ description: 'Beginning of the IP address, or part of the URL.', check: shortTerm })),
    before: time('Only entries before this time.'),
    after: time('Only entries after this time.'),
    module: t.optional(t.list(t.string(), { check: few, description: 'Only entries of these modules.' })),
    code: t.optional(t.list(t.string(), { check: few, description: 'Complete codes; % stands for any text.' })),
    type: t.optional(t.list(t.choice(types), { check: few, description: 'Only entries of these types.' })),
    user: t.optional(t.list(t.integer(), { check: few, description: 'Only entries of these users.' })),
    ip: t.optional(
      t.list(t.string({ format: 'ip' }), { check: few, description: 'Only entries of these IP addresses.' }),
    ),
    order: t.choice(['asc', 'desc'], { default: 'desc' }),
    orderby: t.choice(orders, { default: 'created_at' }),
  };
}

type Args = RecordOf<ReturnType<typeof listArgs>>;

function wantedOf(args: Args, { offsetOf }: Pick<Toolkit<never>, 'offsetOf'>): Wanted {
  const { per_page: limit, order, orderby: orderBy, before, after, search } = args;
  return {
    limit,
    offset: offsetOf(args),
    order,
    orderBy,
    ...withoutUndefined({
      modules: unlessEmpty(args.module),
      codes: unlessEmpty(args.code),
      types: unlessEmpty(args.type),
      users: unlessEmpty(args.user),
      ips: unlessEmpty(args.ip?.map(asKept)),
      before: before === undefined ? undefined : momentOf(before),
      after: after === undefined ? undefined : momentOf(after),
      search: search === '' ? undefined : search,
    }),
  };
}

/** Addresses have several spellings, and one in which they are kept. */
function asKept(ip: string): string {
  const address = addressOf(ip);
  return address === undefined ? ip : written(address);
}

const utc: Zone = { timezone: '', offset: 0 };

/** A time without a zone is UTC, as entries show theirs. One that no clock shows is before all that is kept, or after it. */
const momentOf = (text: string): Date => {
  const read = readMoment(utc, text, 'utc');
  return new Date(read === undefined ? (text < '1' ? 0 : latest) : `${read.utc}Z`);
};

const latest = Date.parse('9999-12-29T00:00:00Z');
