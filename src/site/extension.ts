// What an extension is: a function that is given this toolkit and returns one declaration. A bundled extension and one
// installed from a package have the same shape, and an installed one imports nothing of ours.
import { sql } from 'kysely';
import type { OperatorSettings } from '#config/setting.ts';
import { anyone, on, when } from '#kernel/access.ts';
import { created, deleted, keyed, lasting, raw, withStatus } from '#kernel/answer.ts';
import type { Caller } from '#kernel/caller.ts';
import type { Page } from '#kernel/http/page.ts';
import { offsetOf } from '#kernel/paging.ts';
import { denied, Problem } from '#kernel/problem.ts';
import { reading } from '#kernel/reading.ts';
import { resource } from '#kernel/resource.ts';
import { type Route, type RouteMaker, routeMaker } from '#kernel/route.ts';
import { context, page, perPage, t } from '#kernel/schema.ts';
import { Unavailable } from '#lib/failures.ts';
import { html } from '#lib/html.ts';
import type { Operator } from '#lib/operator.ts';
import { flag } from '#store/columns.ts';
import { contains } from '#store/contains.ts';
import type { TableOwner } from '#store/migrate.ts';
import { type Addition, type Extras, noExtras } from './content/extending.ts';
import { live } from './content/rendering/live.ts';
import type { Rendered } from './content/rendering/rendering.ts';
import type { OwnHealth } from './health/check.ts';
import { note, ok, warning, wrong } from './health/check.ts';
import type { AbilityMaker, Offer } from './hooks/abilities/ability.ts';
import type { Counts } from './hooks/counts.ts';
import type { Guard } from './hooks/guards.ts';
import type { Check } from './identity/checks.ts';
import type { Detector } from './identity/clients.ts';
import { credentialOf } from './identity/credential.ts';
import type { DeclaredRoles } from './identity/roles.ts';
import { Hopeless, type Kind, type Queue, type Work } from './jobs/job.ts';
import type { Schedule } from './jobs/jobs.ts';
import { refusing } from './outgoing/outgoing.ts';
import { type HouseNow, opened } from './pages/door.ts';
import { alert, asking, check, choice, faultsOf, field, hidden, note as said, textOf } from './pages/forms.ts';
import { redirect, page as sheet } from './pages/layout.ts';
import { signedIn } from './pages/signed-in.ts';
import type { EventName, SiteEvents } from './platform/events.ts';
import { confidential, type Group } from './platform/settings/group.ts';
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
  keyed,
  raw,
  withStatus,
  lasting,
  Problem,
  denied,
  credentialOf,
  contains,
  sql,
  flag,
  confidential,
  Hopeless,
  Unavailable,
  refusing,
  live,
  html,
  /** Pages: in the frame of the site, at its door, for whoever is signed in, and on to another. */
  sheet,
  opened,
  signedIn,
  redirect,
  /** What forms are made of, how they are read by a schema, and what was wrong with them. */
  parts: { field, choice, check, hidden, asking, alert, note: said },
  reading,
  faultsOf,
  textOf,
  /** What was seen, by which a check answers. */
  seen: { ok, note, warning, wrong },
};

/** Everything a declaration is written with. `route`, `job` and `ability` know the nouns that they use. */
export type Toolkit<Use> = typeof tools & {
  readonly route: RouteMaker<Use>;
  readonly job: JobMaker<Use>;
  readonly ability: AbilityMaker<Use>;
};

export const toolkit = <Use>(): Toolkit<Use> => ({
  ...tools,
  route: routeMaker<Use>(),
  job: (kind) => kind,
  ability: (one) => one,
});

/** A kind of job whose work is done with the nouns of its extension. */
export interface OwnKind<P, Use> extends Omit<Kind<P>, 'run'> {
  run(payload: P, work: Work, use: Use): ReturnType<Kind<P>['run']>;
}

type JobMaker<Use> = <P>(kind: OwnKind<P, Use>) => OwnKind<P, Use>;

/** Written as a method, as below. */
interface OwnSchedule<Use> extends Omit<Schedule, 'add'> {
  add(use: Use): Promise<unknown>;
}

/** What runs here. */
export interface Program {
  readonly version: string;
  /** Whether it serves the site; else it is a command that works on its data. */
  readonly isServing: boolean;
  /** By slug, whether an extension is on. */
  readonly extensions: Readonly<Record<string, boolean>>;
  /** By id, which modules of extensions the deployment switches on or off. */
  readonly modules: Readonly<Record<string, boolean>>;
  /** Whether a new site begins with user groups. */
  readonly firstGroups: boolean;
}

/** What the nouns of an extension are made from. */
export interface Services extends SiteServices {
  readonly program: Program;
  readonly operator: Operator;
  /** The services it named in `needs`. */
  readonly needed: Readonly<Record<string, unknown>>;
  /** Where jobs of this kind are put, which the extension declares in `jobs`. */
  queueOf<P>(kind: OwnKind<P, never>): Queue<P>;
  /** Its routes and its pages are asked for again, in this process: other processes hear of nothing by this. */
  servesAnew(): void;
}

/** Written as a method, so that a declaration fits where its nouns are not known. */
interface Hearing<E, Use> {
  hear(event: E, use: Use): unknown;
}

type RoutesByNamespace = Readonly<Record<string, readonly Route[]>>;

/** Written as a method, as above. */
interface Serving<Use> {
  routes(extras: Extras, use: Use | undefined, roles: DeclaredRoles): RoutesByNamespace;
}

/** Written as a method, as above. */
interface Heading<Use> {
  head(caller: Caller, use: Use): Record<string, unknown>;
}

/** What it says at the head of indexes. */
interface OwnIndex<Use> {
  /** In that of the whole site. */
  readonly site?: Readonly<Record<string, unknown>>;
  /** In those of its namespaces, by name: more than what routes there are. */
  readonly namespaces?: Readonly<Record<string, Heading<Use>['head']>>;
}

export interface Extension<Use = unknown> {
  /** The slug by which a deployment switches it on. */
  readonly name: string;
  readonly tables?: Omit<TableOwner, 'owner'> | undefined;
  /** Capabilities its routes ask for, beyond those of the site. */
  readonly capabilities?: readonly string[];
  /** Services of other extensions, by name. One that nobody provides stops the boot. */
  readonly needs?: readonly string[];
  /** Which of its nouns others may ask for, by name. */
  readonly provides?: readonly string[];
  /** What people call it, and what it does. Those of a package are in its manifest. */
  readonly title?: string;
  readonly about?: string;
  /** What the operator sets when the site is started: flags, environment variables, keys of the deployment file. */
  readonly config?: OperatorSettings;
  /** Part of every site: no deployment lists it, and none switches it off. */
  readonly always?: true;
  /** What people may set while the site runs; the nouns read them by `settings`. */
  readonly settings?: readonly Group[];
  /** What it does when something happens in the site. A listener that fails is written down and breaks nothing. */
  readonly on?: { readonly [N in EventName]?: Hearing<SiteEvents[N], Use>['hear'] };
  /** Work that outlives a request, and what is to be done every so often. */
  readonly jobs?: { readonly kinds: readonly OwnKind<never, Use>[]; readonly schedules?: readonly OwnSchedule<Use>[] };
  /** The nouns: made once, when the site starts or it is switched on, and given to every handler as `use`. */
  nouns(services: Services): Use;
  /** Ends what its nouns began, once it is switched off or the site stops: timers, and whatever else would go on. */
  ends?(use: Use): void | Promise<void>;
  /** What it adds to the records of types of content, by the name of the type. */
  readonly extends?: Readonly<Record<string, Addition<Use>>>;
  /** Who is asked of every request, in the order in which extensions are listed. */
  guards?(use: Use): readonly Guard[];
  /** Who is asked when somebody signs in, and when a password is chosen. */
  checks?(use: Use): readonly Check[];
  /** How much there is of what it keeps, for whoever looks after the site. */
  counts?(use: Use): Promise<Counts>;
  /** Whose request it is, where it knows better than the connection says. */
  client?(use: Use): Detector;
  /** What it shows in texts: for shortcodes, blocks and addresses. Asked once, after the nouns are made. */
  render?(use: Use): Rendered;
  /** What is looked at to tell whether it is well, and the services elsewhere that it asks. */
  readonly health?: OwnHealth<Use>;
  /** What programs may have it do, by name. */
  readonly abilities?: Offer<Use>;
  /** Pages outside the interface, by path. A package has none at an address of the site itself. */
  pages?(use: Use, house: HouseNow): readonly Page[];
  /**
   * By namespace. Whoever serves records that others add to is told what they add. Asked again when its nouns have said by
   * `services.servesAnew` that it serves something else now; without nouns, where the data is not open.
   */
  readonly routes?: RoutesByNamespace | Serving<Use>['routes'];
  readonly index?: OwnIndex<Use>;
}

export const routesOf = (
  { routes = {} }: Pick<Extension, 'routes'>,
  extras: Extras = noExtras,
  use?: unknown,
  roles: DeclaredRoles = {},
): RoutesByNamespace => (typeof routes === 'function' ? routes(extras, use, roles) : routes);

/** An extension's entry, as a module exports it. */
export type Entry<Use> = (toolkit: Toolkit<Use>) => Extension<Use>;
/** An entry whose nouns are its own affair. */
export type AnyEntry = (toolkit: Toolkit<never>) => Extension;
