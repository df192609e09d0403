// Who may have done something, by kind.
import { shortTerm } from '#kernel/bounds.ts';
import type { Caller } from '#kernel/caller.ts';
import type { Route } from '#kernel/route.ts';
import type { Toolkit } from '#site/extension.ts';
import type { ActorKind, Actors } from './actors.ts';

export interface ActorsUse {
  readonly actors: Actors;
}

interface Wiring {
  /** Managers, and whoever else may make dashboards. */
  mayMakeDashboards(caller: Caller): boolean;
}

export function actorRoutes(tools: Toolkit<ActorsUse>, { mayMakeDashboards }: Wiring): Route[] {
  const { route, t, when, resource, denied } = tools;
  const access = when(
    (caller) => mayMakeDashboards(caller) || denied('rest_forbidden', 'You are not allowed to look for actors.'),
    'Security managers (`secsuite_manage`), and accounts that may create dashboards.',
  );
  const kind = resource({
    name: 'secsuite-actor-type',
    fields: { slug: t.fixed(t.string()), label: t.fixed(t.string()) },
    links: ({ slug, isClosed }: ActorKind) => ({
      'wp:items': [{ embeddable: isClosed, href: `/secsuite/v1/actors/${slug}/search` }],
    }),
  });
  return [
    route({
      method: 'GET',
      path: 'actors',
      summary: 'Kinds of actors',
      access,
      resource: kind,
      several: 'list',
      handle: ({ use }) => use.actors.kinds,
    }),
    route({
      method: 'GET',
      path: 'actors/(?P<type>[\\w\\-\\_]+)/search',
      summary: 'Actors of one kind',
      access,
      args: { type: t.string() },
      payload: t.object({ search: t.optional(t.string({ check: shortTerm })) }),
      answers: { 200: t.list(t.object({ id: t.string(), label: t.string() })) },
      handle: ({ args, payload, caller, use }) => use.actors.search(args.type, payload.search ?? '', caller),
    }),
  ];
}
