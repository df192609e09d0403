// What an extension is: a function that is given this toolkit and returns one declaration. A bundled extension and one
// installed from a package have the same shape, and an installed one imports nothing of ours.
import { sql } from 'kysely';
import type { Config } from '#config/config.ts';
import type { OperatorSettings } from '#config/setting.ts';
import { anyone, on, when } from '#kernel/access.ts';
import { created, deleted, keyed, lasting, raw, withStatus } from '#kernel/answer.ts';
import { reading } from '#kernel/args/settle.ts';
import type { Caller } from '#kernel/caller.ts';
import type { Page } from '#kernel/http/page.ts';
import { offsetOf } from '#kernel/paging.ts';
import { denied, type ErrorTable, Problem } from '#kernel/problem.ts';
import { resource } from '#kernel/resource.ts';
import { type Route, type RouteMaker, routeMaker } from '#kernel/route.ts';
import { context, page, perPage, t } from '#kernel/schema.ts';
import { Unavailable } from '#lib/failures.ts';
import { html } from '#lib/html.ts';
import type { Operator } from '#lib/operator.ts';
import { flag } from '#store/columns.ts';
import { contains } from '#store/contains.ts';
import type { TableOwner } from '#store/migrate.ts';
import type { AnyStore } from '#store/store.ts';
import { type Addition, type Extras, type FieldMaker, type FilterMaker, noExtras } from './content/extending.ts';
import { live } from './content/rendering/live.ts';
import type { Rendered } from './content/rendering/rendering.ts';
import type { ContentType } from './content/types.ts';
import { note, type OwnHealth, ok, type Seen, warning, wrong } from './health/check.ts';
import type { AbilityMaker, Offer } from './hooks/abilities/ability.ts';
import type { Counts } from './hooks/counts.ts';
import type { FormerGuard, Guard } from './hooks/guards.ts';
import type { Check } from './identity/checks.ts';
import type { Detector } from './identity/clients.ts';
import { credentialOf } from './identity/credential.ts';
import type { DeclaredRoles } from './identity/roles.ts';
import type { Parting, UserColumns } from './identity/users/users.ts';
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

/** Everything a declaration is written with. `route`, `job`, `ability`, `field` and `filter` know the nouns that they use. */
export type Toolkit<Use> = typeof tools & {
  readonly route: RouteMaker<Use>;
  readonly job: JobMaker<Use>;
  readonly ability: AbilityMaker<Use>;
  readonly field: FieldMaker<Use>;
  readonly filter: FilterMaker<Use>;
};

export const toolkit = <Use>(): Toolkit<Use> => ({
  ...tools,
  route: routeMaker<Use>(),
  job: (kind) => kind,
  ability: (one) => one,
  field: (one) => one,
  filter: (one) => one,
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

/** Services that extensions provide for others. The extension that provides one adds it here by `declare module`, as with events. */
// biome-ignore lint/suspicious/noEmptyInterface: others add to it
export interface SharedServices {}
type SharedName = keyof SharedServices;

/** Shared services that its nouns have. */
type Provided<Use> = unknown extends Use
  ? SharedName
  : { [N in SharedName]: Use extends Pick<SharedServices, N> ? N : never }[SharedName];

/** What the nouns of an extension are made from. */
export interface Services<Need extends SharedName = never> extends SiteServices {
  readonly program: Program;
  readonly operator: Operator;
  /** The services it named in `needs`. */
  readonly needed: Readonly<Pick<SharedServices, Need>>;
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

/** An extension that defends the site says when it does not. It is asked while it is off, too. */
export interface Defence {
  /** As people call it: `security suite`. */
  readonly called: string;
  /** `lockouts, bans and the firewall`. */
  readonly by: string;
  /** Why it is not turned off without a question, and what ends then. */
  readonly why: string;
  readonly stops: readonly string[];
  /** What a setting of the operator keeps from defending the site. */
  leftOpen(operator: Operator): { readonly what: string; readonly setting: string } | undefined;
}

/** What `gatehouse doctor` has at hand: nothing is served, and no nouns are made. */
export interface Inspected {
  readonly config: Config;
  readonly store: AnyStore;
  readonly version: string;
}

interface Inspection {
  readonly what: string;
  /** Nothing, if there is nothing to say. */
  look(inspected: Inspected): Promise<Seen | undefined>;
}

export interface Extension<Use = unknown, Need extends SharedName = SharedName> {
  /** The slug by which a deployment switches it on. */
  readonly name: string;
  readonly tables?: Omit<TableOwner, 'owner'> | undefined;
  /** Capabilities its routes ask for, beyond those of the site. */
  readonly capabilities?: readonly string[];
  /** Content types of its own, in bundled extensions: `core` serves their records. */
  readonly types?: readonly ContentType[];
  /** Services of other extensions, by name. One that nobody provides stops the boot. */
  readonly needs?: readonly Need[];
  /** Which of its nouns others may ask for, by name. */
  readonly provides?: readonly Provided<Use>[];
  /** What people call it, and what it does. Those of a package are in its manifest. */
  readonly title?: string;
  readonly about?: string;
  /** The errors that it raises, in bundled extensions: docs/errors.md lists them. */
  readonly errors?: ErrorTable;
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
  nouns(services: Services<Need>): Use;
  /** Ends what its nouns began, once it is switched off or the site stops: timers, and whatever else would go on. */
  ends?(use: Use): void | Promise<void>;
  /** What it adds to the records of types of content, by the name of the type. */
  readonly extends?: Readonly<Record<string, Addition<Use>>>;
  /** What it keeps of users, in bundled extensions: it counts also while they are turned off, because their tables are there. */
  readonly users?: {
    /** Columns that hold ids of users, by table. */
    readonly columns: UserColumns;
    /** What becomes of that in the write that deletes a user. */
    readonly deleted: Parting;
  };
  /** Who is asked of every request, in the order in which extensions are listed. */
  guards?(use: Use): readonly (Guard | FormerGuard)[];
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
  /** What `gatehouse doctor` looks at, in bundled extensions. */
  readonly doctor?: readonly Inspection[];
  /** Lines that `gatehouse serve` prints at its start, in bundled extensions. */
  startLines?(config: Config, services: SiteServices, cwd: string): readonly string[] | Promise<readonly string[]>;
  /** That it keeps attackers out. */
  readonly defends?: Defence;
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
export type Entry<Use, Need extends SharedName = never> = (
  toolkit: Toolkit<Use>,
) => Extension<Use, Need> & ([Need] extends [never] ? unknown : { readonly needs: readonly [Need, ...Need[]] });
/** An entry whose nouns are its own affair. */
export type AnyEntry = (toolkit: Toolkit<never>) => Extension;
