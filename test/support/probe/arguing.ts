import type { Toolkit } from '#site/extension.ts';
import type { Probe } from '../probe.ts';

/** Routes that give back what they were given. */
export function arguing({ route, t, context, page, perPage }: Toolkit<Probe>) {
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
