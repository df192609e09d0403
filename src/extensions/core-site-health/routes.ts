// What may be asked of the health of the site.
import type { Route } from '#kernel/route.ts';
import type { Toolkit } from '#site/extension.ts';
import { looked, mayLook, type SiteHealth, sizesRecord } from './records.ts';

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
  const seenSchema = t.object({
    label: t.string(),
    status: t.choice(['good', 'recommended', 'critical']),
    badge: t.object({ label: t.string(), color: t.string() }),
    description: t.string(),
    actions: t.string(),
    test: t.string(),
  });
  const size = t.object({ size: t.string(), debug: t.string(), raw: t.optional(t.number()) });
  const test = ([name, summary]: readonly [string, string]) =>
    route({
      method: 'GET',
      path: `tests/${name}`,
      summary,
      access,
      answers: { 200: seenSchema },
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
      answers: { 200: t.object({ raw: t.number() }, { additionalProperties: size }) },
      handle: async ({ use }) => sizesRecord(await use.sizes.measure().catch(notNow)),
    }),
    ...last.map(test),
    route({
      method: 'GET',
      path: 'tests',
      summary: 'All that can be looked at',
      access,
      answers: {
        200: t.list(t.object({ name: t.string(), label: t.string(), description: t.string(), badge: t.string() })),
      },
      handle: ({ use }) =>
        use.health.checks.map(({ name, what, about, badge }) => ({ name, label: what, description: about, badge })),
    }),
    route({
      method: 'GET',
      path: 'tests/(?P<test>[a-z0-9-]+)',
      summary: 'One of them',
      access,
      args: { test: t.string() },
      answers: { 200: seenSchema },
      handle: ({ args, request, use }) => looked(use, args.test, request),
    }),
  ];
}
