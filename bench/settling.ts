// From the text of an address to settled arguments, in a table as large as a whole site's. In this process; nothing to compare with.

import { parseQuery } from '#kernel/args/query.ts';
import { nobody } from '#kernel/caller.ts';
import { type Route, routeMaker } from '#kernel/route.ts';
import { context, page, perPage, t } from '#kernel/schema.ts';
import { buildTable, type Table } from '#kernel/table.ts';
import { spread } from './measure.ts';
import { type Figure, microseconds, type Section } from './report.ts';

const ceiling = 15;
const resources = 30;
const routesEach = 5;

interface Case {
  readonly what: string;
  readonly method: string;
  readonly path: string;
  readonly query?: string;
  readonly json?: Record<string, unknown>;
}

const last = `/core/v2/things${resources - 1}`;

const cases: readonly Case[] = [
  { what: 'a list, no argument', method: 'GET', path: last },
  {
    what: 'a list, eight arguments',
    method: 'GET',
    path: last,
    query:
      'page=2&per_page=50&search=spring+f%C3%AAte&order=asc&orderby=title&status=draft,publish&include[]=3&include[]=4',
  },
  { what: 'one record', method: 'GET', path: `${last}/4711`, query: 'context=edit' },
  {
    what: 'a new record of ten fields',
    method: 'POST',
    path: last,
    json: {
      title: 'Spring fête',
      content: '<p>Everybody is welcome.</p>'.repeat(20),
      excerpt: 'Everybody is welcome.',
      status: 'publish',
      date: '2026-04-01T10:00:00',
      author: '3',
      sticky: 'false',
      tags: '4,8,15',
      categories: [1, 2],
      meta: { colour: 'green', seats: '120' },
    },
  },
];

export async function measureSettling(): Promise<Section> {
  const table = buildTable([{ namespace: 'core/v2', routes: allRoutes(), use: undefined }], new Set());
  return {
    title: 'Match and settle',
    about: `From the text of an address, its query and a parsed body to the settled arguments, once for the handler and for the path
once more for the rule that finds the record, in a table of ${resources * routesEach}
routes; the addresses asked for are the last in it. Processor time, the median of many rounds.`,
    figures: cases.map((one) => figureOf(table, one)),
  };
}

function figureOf(table: Table, { what, method, path, query = '', json }: Case): Figure {
  const once = (): unknown => {
    const match = table.match(method, path);
    if (match?.entry === undefined) throw new Error(`The table has no ${method} ${path}.`);
    match.group.coercePath(match.path);
    return match.entry.settleArgs({ path: match.path, json, query: parseQuery(query) }, nobody);
  };
  const took = spread(Array.from({ length: 12 }, () => cpuOf(once, 5000)).slice(2));
  return { what, ours: microseconds(took.median), wanted: `≤ ${ceiling} µs`, holds: took.median <= ceiling };
}

function cpuOf(work: () => unknown, times: number): number {
  const before = process.cpuUsage();
  for (let time = 0; time < times; time++) work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / times;
}

const allRoutes = (): Route[] => Array.from({ length: resources }, (_, at) => routesOf(`things${at}`)).flat();

function routesOf(name: string): Route[] {
  const route = routeMaker<undefined>();
  const id = t.integer();
  const one = `${name}/(?P<id>[\\d]+)` as const;
  const common = { access: 'public', summary: 'A route to be measured' } as const;
  const handle = () => null;
  return [
    route({ ...common, method: 'GET', path: name, args: listArgs(), handle }),
    route({ ...common, method: 'POST', path: name, args: recordArgs(), handle }),
    route({ ...common, method: 'GET', path: one, args: { id, context: context() }, handle }),
    route({ ...common, method: ['POST', 'PUT', 'PATCH'], path: one, args: { id, ...recordArgs() }, handle }),
    route({ ...common, method: 'DELETE', path: one, args: { id, force: t.boolean({ default: false }) }, handle }),
  ];
}

const listArgs = () => ({
  context: context(),
  page: page(),
  per_page: perPage(),
  search: t.optional(t.string()),
  after: t.optional(t.string({ format: 'date-time' })),
  before: t.optional(t.string({ format: 'date-time' })),
  author: t.list(t.integer(), { default: [] }),
  exclude: t.list(t.integer(), { default: [] }),
  include: t.list(t.integer(), { default: [] }),
  offset: t.optional(t.integer()),
  order: t.choice(['asc', 'desc'], { default: 'desc' }),
  orderby: t.choice(['author', 'date', 'id', 'include', 'modified', 'relevance', 'slug', 'title'], { default: 'date' }),
  slug: t.optional(t.list(t.string())),
  status: t.list(t.choice(['publish', 'future', 'draft', 'pending', 'private']), { default: ['publish'] }),
});

const recordArgs = () => ({
  title: t.optional(t.string()),
  content: t.optional(t.string()),
  excerpt: t.optional(t.string()),
  slug: t.optional(t.string()),
  status: t.optional(t.choice(['publish', 'future', 'draft', 'pending', 'private'])),
  date: t.optional(t.string({ format: 'date-time' })),
  author: t.optional(t.integer()),
  sticky: t.optional(t.boolean()),
  tags: t.optional(t.list(t.integer())),
  categories: t.optional(t.list(t.integer())),
  meta: t.optional(t.object({ colour: t.optional(t.string()), seats: t.optional(t.integer()) })),
});
