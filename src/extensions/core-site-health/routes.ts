// What may be asked of the health of the site.
import type { Route } from '#kernel/route.ts';
import type { Toolkit } from '#site/extension.ts';
import { looked, mayLook, type SiteHealth } from './looking.ts';
import { sizesRecord } from './records.ts';

/** Those that clients ask for by their own addresses. */
const known = [
  ['background-updates', 'Whether what is to be done without anybody asking is done'],
  ['loopback-requests', 'Whether the site reaches itself'],
  ['https-status', 'Whether what is said can be read on the way'],
  ['dotorg-communication', 'Whether services elsewhere can be reached'],
  ['authorization-header', 'Whether the header by which programs come in arrives'],
] as const;
const last = [['page-cache', 'Whether pages come quickly, and need not be sent twice']] as const;

export function routes({ route, t, when, Problem, Unavailable }: Toolkit<SiteHealth>): Route[] {
  const access = when(mayLook, 'With `install_plugins` or `manage_options`.');
  const test = ([name, summary]: readonly [string, string]) =>
    route({
      method: 'GET',
      path: `tests/${name}`,
      summary,
      access,
      handle: ({ request, use }) => looked(use, name, request),
    });
  const notNow = (error: unknown): never => {
    if (!(error instanceof Unavailable)) throw error;
    throw new Problem(503, 'not_available', error.message, {}, { cause: error });
  };
  return [
    ...known.map(test),
    route({
      method: 'GET',
      path: 'directory-sizes',
      summary: 'How much room the site takes',
      access,
      handle: async ({ use }) => sizesRecord(await use.sizes.measure().catch(notNow)),
    }),
    ...last.map(test),
    route({
      method: 'GET',
      path: 'tests',
      summary: 'All that can be looked at',
      access,
      handle: ({ use }) =>
        use.health.checks.map(({ name, what, about, badge }) => ({ name, label: what, description: about, badge })),
    }),
    route({
      method: 'GET',
      path: 'tests/(?P<test>[a-z0-9-]+)',
      summary: 'One of them',
      access,
      args: { test: t.string() },
      handle: ({ args, request, use }) => looked(use, args.test, request),
    }),
  ];
}
