// An extension that only tests switch on: one route for each thing a route can be, and a namespace that the two faces
// name differently.
import type { Generated } from 'kysely';
import { OutOfSpace, Unavailable } from '#lib/failures.ts';
import type { Entry, Toolkit } from '#site/extension.ts';
import type { Store } from '#store/store.ts';
import { hello } from '../../examples/hello/extension.ts';
import { readConfig } from '../../src/config.ts';
import type { SiteOptions } from './site.ts';
import { things } from './things.ts';

interface ProbeTables {
  probe_red: { id: Generated<number>; text: string };
  probe_blue: { id: Generated<number>; text: string };
}
type Colour = 'red' | 'blue';

/** What the handlers use. `calls` counts how often a handler ran: a kept answer does not move it. */
export interface Probe {
  readonly store: Store<ProbeTables>;
  readonly calls: Map<string, number>;
}

const colours = ['red', 'blue'] as const;

export const probe: Entry<Probe> = (tools) => ({
  name: 'probe',
  capabilities: ['probe_use'],
  tables: {
    migrations: [
      {
        name: '0001-colours',
        up: async ({ table, column }) => {
          for (const colour of colours) {
            await table(`probe_${colour}`)
              .addColumn('id', column.id)
              .addColumn('text', column.text, (c) => c.notNull())
              .execute();
          }
        },
      },
    ],
  },
  nouns: ({ store }) => ({ store: store as unknown as Store<ProbeTables>, calls: new Map() }),
  routes: {
    'probe/v1': [
      ...arguing(tools),
      ...failing(tools),
      ...answering(tools),
      ...colours.flatMap((colour) => counting(colour, tools)),
    ],
    'core/v2': things(tools),
  },
});

/** A site with `examples/hello` and the probe switched on. */
export function withProbe(options: SiteOptions = {}): SiteOptions {
  const { deployment } = readConfig({ flags: { data: '/nowhere', deployment: options.deployment ?? 'b' }, env: {} });
  return {
    ...options,
    extensions: [hello, probe],
    config: {
      ...options.config,
      deployment: {
        ...deployment,
        namespaces: [...deployment.namespaces, 'hello/v1', 'probe/v1'],
        extensions: { hello: true, probe: true },
      },
    },
  };
}

/** Routes that give back what they were given. */
function arguing({ route, t, context, page, perPage }: Toolkit<Probe>) {
  const args = {
    word: t.optional(t.string()),
    number: t.optional(t.integer()),
    list: t.optional(t.list(t.string())),
    tree: t.optional(t.free()),
    maybe: t.optional(t.nullable(t.string())),
  };
  return [
    route({
      method: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
      path: 'echo',
      summary: 'What was sent',
      access: 'public',
      args: { ...args, filled: t.integer({ default: 7 }), loose: t.untyped({ default: '5' }) },
      handle: ({ args: settled }) => ({ ...settled }),
    }),
    route({
      method: ['GET', 'POST'],
      path: 'echo/(?P<number>[\\d]+)',
      summary: 'What was sent, with a number in the path',
      access: 'public',
      args: { number: t.integer(), word: args.word },
      handle: ({ args: settled }) => ({ ...settled }),
    }),
    route({
      method: 'GET',
      path: 'word/(?P<word>[^/]+)',
      summary: 'A word of the path',
      access: 'public',
      handle: ({ path }) => ({ word: path.word }),
    }),
    route({
      method: 'GET',
      path: 'passes',
      summary: 'Arguments that are judged in two passes',
      access: 'public',
      args: {
        context: context(),
        page: page(),
        per_page: perPage(),
        search: t.optional(t.string({ minLength: 2 })),
        order: t.optional(t.choice(['asc', 'desc'])),
        number: t.optional(t.integer()),
        checked: t.optional(t.integer({ check: (value: number) => (value === 13 ? false : undefined) })),
      },
      handle: () => ({ passed: true }),
    }),
    route({
      method: 'POST',
      path: 'passes',
      summary: 'Arguments of a write, and a capability',
      access: 'probe_use',
      args: { first: t.integer(), second: t.choice(['a', 'b']), third: t.optional(t.integer()) },
      handle: ({ args: settled }) => ({ ...settled }),
    }),
    route({
      method: 'POST',
      path: 'members',
      summary: 'A payload with members',
      access: 'public',
      payload: t.object({ word: t.string(), number: t.integer({ default: 2 }) }),
      handle: ({ payload }) => ({ payload }),
    }),
    route({
      method: 'POST',
      path: 'list',
      summary: 'A payload that is a list',
      access: 'public',
      payload: t.list(t.integer()),
      handle: ({ payload }) => ({ payload }),
    }),
    route({
      method: 'POST',
      path: 'document',
      summary: 'A payload of any shape',
      access: 'public',
      payload: t.untyped(),
      handle: ({ payload }) => ({ payload: payload ?? null }),
    }),
  ];
}

/** Routes that refuse, each in its own way. */
function failing({ route, t, when, denied, Problem }: Toolkit<Probe>) {
  const envelope = {
    success: (body: unknown) => ({ success: true, data: body }),
    failure: () => ({ kind: 'probe' }),
  };
  const throwing = (path: string, error: () => Error) =>
    route({
      method: 'GET',
      path,
      summary: 'A failure',
      access: 'public',
      handle: () => {
        throw error();
      },
    });
  return [
    throwing('crash', () => new Error('the password is swordfish')),
    throwing('away', () => new Unavailable('connection refused by 10.1.2.3', { retryAfter: 7 })),
    throwing('full', () => new OutOfSpace('no room on /dev/sda1')),
    throwing('several', () => {
      const others = [{ code: 'probe_second', message: 'Another reason.', data: { status: 409 } }];
      return new Problem(409, 'probe_first', 'One reason.', { extra: true }, { others, headers: { 'X-Probe': 'yes' } });
    }),
    route({
      method: ['GET', 'POST'],
      path: 'enveloped',
      summary: 'A family with an envelope of its own',
      access: when(
        (_caller, { number }: { number?: number }) => number !== 1 || denied('probe_denied', 'Not the number one.'),
      ),
      args: { number: t.integer() },
      envelope,
      handle: ({ args }) => {
        if (args.number === 0) throw new Error('the password is swordfish');
        return { number: args.number };
      },
    }),
    route({
      method: 'GET',
      path: 'guarded',
      summary: 'Permission before arguments',
      access: 'probe_use',
      accessFirst: true,
      args: { number: t.integer() },
      handle: ({ args }) => ({ ...args }),
    }),
    route({
      method: 'POST',
      path: 'keyed',
      summary: 'A token of its own',
      access: when((caller) => caller.id === 99),
      credential: async ({ headers }) => ({ id: headers['x-probe-key'] === 'sesame' ? 99 : 0, can: () => false }),
      handle: ({ caller }) => ({ id: caller.id }),
    }),
    route({
      method: 'POST',
      path: 'small',
      summary: 'A limit of its own',
      access: 'public',
      bodyLimit: 100,
      args: { word: t.optional(t.string()) },
      handle: ({ args }) => ({ ...args }),
    }),
  ];
}

/** Routes whose answers are no records. */
function answering({ route, raw, withStatus, lasting, t }: Toolkit<Probe>) {
  return [
    route({
      method: 'GET',
      path: 'hidden',
      summary: 'Not in the index',
      access: 'public',
      hidden: true,
      handle: () => ({ here: true }),
    }),
    route({
      method: 'GET',
      path: 'csv',
      summary: 'No JSON',
      access: 'public',
      handle: () => raw('a,b\n1,2\n', 'text/csv; charset=UTF-8', { 'Content-Disposition': 'attachment' }),
    }),
    route({ method: 'DELETE', path: 'nothing', summary: 'No answer', access: 'public', handle: () => null }),
    route({
      method: 'POST',
      path: 'accepted',
      summary: 'A status of its own',
      access: 'public',
      handle: () => withStatus(202, { queued: true, deep: { one: 1, two: 2 } }),
    }),
    route({
      method: 'GET',
      path: 'calls',
      summary: 'How often each handler ran',
      access: 'public',
      handle: ({ use }) => withStatus(200, Object.fromEntries(use.calls)),
    }),
    route({
      method: 'GET',
      path: 'lasting',
      summary: 'True for a minute',
      access: 'public',
      handle: ({ use }) => lasting({ calls: called(use, 'lasting') }, Date.now() + 60_000),
    }),
    route({
      method: 'GET',
      path: 'long',
      summary: 'Long enough to be compressed',
      access: 'public',
      args: { times: t.integer({ default: 5000 }) },
      handle: ({ args }) => ({ text: 'ä'.repeat(args.times) }),
    }),
  ];
}

/** Routes that read and write one table, and count how often they were asked. */
function counting(colour: Colour, { route, t }: Toolkit<Probe>) {
  const table = `probe_${colour}` as const;
  return [
    route({
      method: 'GET',
      path: colour,
      summary: `How many ${colour} rows there are`,
      access: 'public',
      args: { word: t.optional(t.string()) },
      handle: async ({ use }) => {
        const rows = await use.store.db.selectFrom(table).select('id').execute();
        return { rows: rows.length, calls: called(use, colour) };
      },
    }),
    route({
      method: 'POST',
      path: colour,
      summary: `One more ${colour} row`,
      access: 'public',
      batch: true,
      handle: async ({ use }) => {
        await use.store.write((tx) => tx.insertInto(table).values({ text: 'x' }).execute());
        return { written: true };
      },
    }),
  ];
}

function called({ calls }: Probe, name: string): number {
  const count = (calls.get(name) ?? 0) + 1;
  calls.set(name, count);
  return count;
}
