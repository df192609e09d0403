// What an extension is: a function that is given this toolkit and returns one declaration. A bundled extension and one
// installed from a package have the same shape, and an installed one imports nothing of ours.
import { anyone, on, when } from '#kernel/access.ts';
import { created, deleted, lasting, raw, withStatus } from '#kernel/answer.ts';
import { offsetOf } from '#kernel/paging.ts';
import { denied, Problem } from '#kernel/problem.ts';
import { resource } from '#kernel/resource.ts';
import { type Route, type RouteMaker, routeMaker } from '#kernel/route.ts';
import { context, page, perPage, t } from '#kernel/schema.ts';
import { flag } from '#store/columns.ts';
import { contains } from '#store/contains.ts';
import type { TableOwner } from '#store/migrate.ts';
import type { EventName, SiteEvents } from './events.ts';
import type { SiteServices } from './services.ts';

const tools = {
  t,
  context,
  page,
  perPage,
  offsetOf,
  resource,
  on,
  when,
  anyone,
  created,
  deleted,
  raw,
  withStatus,
  lasting,
  Problem,
  denied,
  contains,
  flag,
};

/** Everything a declaration is written with. `route` knows the nouns that the handlers use. */
export type Toolkit<Use> = typeof tools & { readonly route: RouteMaker<Use> };

export const toolkit = <Use>(): Toolkit<Use> => ({ ...tools, route: routeMaker<Use>() });

/** What the nouns of an extension are made from. */
export interface Services extends SiteServices {
  /** The services it named in `needs`. */
  readonly needed: Readonly<Record<string, unknown>>;
}

/** Written as a method, so that a declaration fits where its nouns are not known. */
interface Hearing<E, Use> {
  hear(event: E, use: Use): void | Promise<void>;
}

export interface Extension<Use = unknown> {
  /** The slug by which a deployment switches it on. */
  readonly name: string;
  readonly tables?: Omit<TableOwner, 'owner'>;
  /** Capabilities its routes ask for, beyond those of the site. */
  readonly capabilities?: readonly string[];
  /** Services of other extensions, by name. One that nobody provides stops the boot. */
  readonly needs?: readonly string[];
  /** Which of its nouns others may ask for, by name. */
  readonly provides?: readonly string[];
  /** Part of every site: no deployment lists it, and none switches it off. */
  readonly always?: true;
  /** What it does when something happens in the site. A listener that fails is written down and breaks nothing. */
  readonly on?: { readonly [N in EventName]?: Hearing<SiteEvents[N], Use>['hear'] };
  /** The nouns: made once, when the site starts, and given to every handler as `use`. */
  nouns(services: Services): Use;
  /** By namespace. */
  readonly routes: Readonly<Record<string, readonly Route[]>>;
}

/** An extension's entry, as a module exports it. */
export type Entry<Use> = (toolkit: Toolkit<Use>) => Extension<Use>;
/** An entry whose nouns are its own affair. */
export type AnyEntry = (toolkit: Toolkit<never>) => Extension;
