// The routes of site health, and the records that they answer.

import type { Caller } from '#kernel/caller.ts';
import { asSaid, defineError } from '#kernel/problem.ts';
import type { Request } from '#kernel/request.ts';
import type { Route } from '#kernel/route.ts';
import { html } from '#lib/html.ts';
import type { Toolkit } from '#site/extension.ts';
import { statusOf } from '#site/health/check.ts';
import type { Examined, Health } from '#site/health/health.ts';
import type { Measuring, Sizes } from '#site/health/sizes.ts';

/** Those that clients ask for by their own addresses. */
const known = [
  ['background-updates', 'Check whether background jobs run on time'],
  ['loopback-requests', 'Check whether the site can reach itself'],
  ['https-status', 'Check whether connections are encrypted'],
  ['dotorg-communication', 'Check whether remote services can be reached'],
  ['authorization-header', 'Check whether the Authorization header reaches the site'],
] as const;
const last = [['page-cache', 'Check whether pages are fast and can be cached']] as const;

export function routes({ route, t, when, Unavailable }: Toolkit<SiteHealth>): Route[] {
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
    throw coreSiteHealthErrors.notAvailable(error.message).because(error);
  };
  return [
    ...known.map(test),
    route({
      method: 'GET',
      path: 'directory-sizes',
      summary: 'Get the sizes of the database and folders',
      access,
      answers: { 200: t.object({ raw: t.number() }, { additionalProperties: size }) },
      handle: async ({ use }) => sizesRecord(await use.sizes.measure().catch(notNow)),
    }),
    ...last.map(test),
    route({
      method: 'GET',
      path: 'tests',
      summary: 'List all health checks',
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
      summary: 'Run a health check',
      access,
      args: { test: t.string() },
      answers: { 200: seenSchema },
      handle: ({ args, request, use }) => looked(use, args.test, request),
    }),
  ];
}

export const coreSiteHealthErrors = {
  testNotFound: defineError(404, 'rest_test_not_found', (name: string) => `Health check ${name} does not exist.`),
  notAvailable: defineError(503, 'not_available', asSaid),
};

const paragraph = (text: string): string => `${html`<p>${text}</p>`}`;

function recordOf({ check, seen }: Examined) {
  return {
    label: `${check.what}: ${seen.finding}`,
    status: statusOf(seen),
    badge: { label: check.badge, color: 'blue' },
    description: paragraph(check.about),
    actions: seen.remedy === undefined ? '' : paragraph(seen.remedy),
    test: check.name.replaceAll('-', '_'),
  };
}

const units = ['B', 'KB', 'MB', 'GB', 'TB'];

function sizeText(bytes: number): string {
  const step = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10));
  return `${(bytes / 1024 ** step).toFixed(step === 0 ? 0 : 2)} ${units[step]}`;
}

const sizeOf = (raw: number | undefined) =>
  raw === undefined
    ? { size: 'The directory does not exist.', debug: 'directory not found' }
    : { size: sizeText(raw), debug: `${sizeText(raw)} (${raw} bytes)`, raw };

function sizesRecord({ program, themes, extensions, uploads, fonts, database }: Sizes) {
  const total = program + themes + extensions + uploads + (fonts ?? 0) + database;
  return {
    raw: 0,
    wordpress_size: sizeOf(program),
    themes_size: sizeOf(themes),
    plugins_size: sizeOf(extensions),
    uploads_size: sizeOf(uploads),
    fonts_size: sizeOf(fonts),
    database_size: sizeOf(database),
    total_size: sizeOf(total),
  };
}

/** What the handlers use. */
export interface SiteHealth {
  readonly health: Health;
  readonly sizes: Measuring;
}

export const mayLook = (caller: Caller): boolean => caller.can('install_plugins') || caller.can('manage_options');

export async function looked({ health }: SiteHealth, name: string, { headers, address }: Request) {
  const found = await health.look(name, { headers, address });
  if (found === undefined) throw coreSiteHealthErrors.testNotFound(name);
  return recordOf(found);
}
