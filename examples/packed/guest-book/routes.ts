import type { Route } from '#kernel/route.ts';
import type { Toolkit } from '#site/extension.ts';
import { type Lines, tidying } from './lines.ts';
import { lineResource } from './record.ts';

export function routes(tools: Toolkit<Lines>): Route[] {
  const { route, t, context, page, perPage, offsetOf, created, deleted } = tools;

  const line = lineResource(tools);

  return [
    route({
      method: 'GET',
      path: 'lines',
      summary: 'What was said, newest first',
      access: 'public',
      resource: line,
      args: { context: context(), page: page(), per_page: perPage() },
      handle: ({ args, use }) => use.list(args.per_page, offsetOf(args)),
    }),
    route({
      method: 'POST',
      path: 'lines',
      summary: 'Sign the book',
      access: 'read',
      resource: line,
      args: line.createArgs,
      handle: async ({ args, caller, use }) => created(await use.sign(args, caller)),
    }),
    route({
      method: 'DELETE',
      path: 'lines/(?P<id>[\\d]+)',
      summary: 'Take a line out of the book',
      access: tidying,
      resource: line,
      args: { id: t.integer() },
      handle: async ({ args, caller, use }) => deleted(await use.erase(args.id, caller)),
    }),
  ];
}
