// Users and reasons for lockouts that may have caused something. Clients filter lists of bans and the like by them.
import { shortTerm } from '#kernel/bounds.ts';
import type { Caller } from '#kernel/caller.ts';
import { kernelErrors } from '#kernel/errors.ts';
import { defineError } from '#kernel/problem.ts';
import type { Route } from '#kernel/route.ts';
import type { Asker } from '#kernel/schema.ts';
import { fold } from '#lib/fold.ts';
import type { Toolkit } from '#site/extension.ts';
import type { Users } from '#site/identity/users/users.ts';
import type { LockoutCard } from '../../module.ts';
import { part } from '../../part.ts';

interface ActorsUse {
  readonly actors: Actors;
}

interface Wiring {
  /** Managers, and whoever else may make dashboards. */
  mayMakeDashboards(caller: Caller): boolean;
}

function actorRoutes(tools: Toolkit<ActorsUse>, { mayMakeDashboards }: Wiring): Route[] {
  const { route, t, when, resource } = tools;
  const access = when(
    (caller) => mayMakeDashboards(caller) || kernelErrors.forbidden('see actors'),
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
      summary: 'List the kinds of actors',
      access,
      resource: kind,
      several: 'list',
      handle: ({ use }) => use.actors.kinds,
    }),
    route({
      method: 'GET',
      path: 'actors/(?P<type>[\\w\\-\\_]+)/search',
      summary: 'List the actors of a kind',
      access,
      args: { type: t.string() },
      payload: t.object({ search: t.optional(t.string({ check: shortTerm })) }),
      answers: { 200: t.list(t.object({ id: t.string(), label: t.string() })) },
      handle: ({ args, payload, caller, use }) => use.actors.search(args.type, payload.search ?? '', caller),
    }),
  ];
}

const actorsErrors = {
  invalidActorType: defineError(404, 'secsuite_invalid_actor_type', 'Actors of this kind do not exist.'),
};

interface Actor {
  readonly id: string;
  readonly label: string;
}

interface ActorKind {
  readonly slug: string;
  readonly label: string;
  /** Whether there are so few that all of them may be told with the kind. */
  readonly isClosed: boolean;
}

interface Actors {
  readonly kinds: readonly ActorKind[];
  search(kind: string, term: string, asker: Asker): Promise<Actor[]>;
}

interface Needs {
  readonly users: Pick<Users, 'list'>;
  /** Reasons to lock somebody out, of the modules that run now. */
  lockouts(): readonly LockoutCard[];
}

const most = 500;
/** Longer terms find nobody. */
const longest = 200;

const kinds: readonly ActorKind[] = [
  { slug: 'user', label: 'User', isClosed: false },
  { slug: 'lockout_module', label: 'Lockout module', isClosed: true },
];

export function createActors({ users, lockouts }: Needs): Actors {
  const searches: Readonly<Record<string, (term: string, asker: Asker) => Promise<Actor[]>>> = {
    async user(search, asker) {
      const searchPrivate = asker.can('list_users');
      const columns = { searchColumns: ['username', 'name', 'email'], searchPrivate } as const;
      const order = { orderBy: 'name', order: 'asc', limit: most, offset: 0 } as const;
      const { items } = await users.list({ ...columns, ...order, search });
      return items.map(({ id, name, login }) => ({ id: String(id), label: name || login }));
    },
    async lockout_module(search) {
      const sought = fold(search);
      const isFound = ({ type, label, reason }: LockoutCard): boolean =>
        [type, label, reason].some((text) => fold(text).includes(sought));
      return lockouts()
        .filter(isFound)
        .map(({ type, label }) => ({ id: type, label }));
    },
  };
  return {
    kinds,
    async search(kind, term, asker) {
      if (!Object.hasOwn(searches, kind)) throw actorsErrors.invalidActorType();
      return term.length > longest ? [] : searches[kind]!(term.trim(), asker);
    },
  };
}

export const actorsPart = part({
  name: 'actors',
  errors: actorsErrors,
  make: ({ identity }, { running }) => ({
    actors: createActors({ users: identity.users, lockouts: () => running().flatMap(({ lockouts = [] }) => lockouts) }),
  }),
  routes: ({ tools, use }) => ({
    v1: actorRoutes(tools, { mayMakeDashboards: (caller) => use?.manage.mayMakeDashboards(caller) === true }),
  }),
});
