// A part is one capability of the suite, declared as a value: everything that is true of it stands in the `part.ts` of its folder.
// A part uses the shared nouns and its own noun, never those of another part.
import type { Caller } from '#kernel/caller.ts';
import type { Page } from '#kernel/http/page.ts';
import type { ErrorTable } from '#kernel/problem.ts';
import type { Route } from '#kernel/route.ts';
import type { Columns } from '#site/content/renumbering.ts';
import type { Extension, Services, Toolkit } from '#site/extension.ts';
import type { Guard } from '#site/hooks/guards.ts';
import type { Check } from '#site/identity/checks.ts';
import type { Roles } from '#site/identity/roles.ts';
import type { UserAddition } from '#site/identity/users/additions.ts';
import type { User } from '#site/identity/users/user.ts';
import type { HouseNow } from '#site/pages/door.ts';
import type { ListedModule } from './groups/listed.ts';
import type { Gate } from './groups/manage.ts';
import type { LoggedModules, LogNames } from './logs/named.ts';
import type { Module, SitePaths } from './module.ts';
import type { Highlights } from './notices/highlights.ts';
import type { NoticeSource } from './notices/notice.ts';
import type { Notification } from './notifications/notification.ts';
import type { Shared } from './shared.ts';
import type { KnownHole } from './software/inventory.ts';
import type { Task } from './tools/tasks.ts';
import type { Doing } from './tools/tools.ts';
import type { TransferSource } from './transfer.ts';

/** The services of other extensions that parts use. */
export type SuiteNeed = 'userSearch';
export type SuiteServices = Services<SuiteNeed>;

interface PartTables extends NonNullable<Extension['tables']> {
  /** Columns that hold the ids of users, by table. They change when a user gets another id. */
  readonly users?: Columns;
  /** Tables that a backup leaves out, by the name that the setting `backup.exclude` has for them. */
  readonly leftOut?: Readonly<Record<string, readonly string[]>>;
}

/** Both ends of the period are included. */
export type CardSource = (period: { readonly start: Date; readonly end: Date }) => Promise<unknown>;

/** What a button on cards of dashboards does. The routes of the dashboard judge who may use it. */
export interface CardAction {
  /** Without this, it always is. */
  isOffered?(): boolean;
  /** Whether cards link to it; without this, while it is offered. */
  isLinked?(): boolean;
  /** Without a result it resolves to null. `user` is there for actions on a user. */
  run(caller: Caller, user: User | undefined): Promise<object | null>;
}

/** What routes are made of. `use` is missing while a site starts; `isRunning` then says which modules run by default. */
export interface RouteContext<Use> {
  readonly tools: Toolkit<Use>;
  readonly use: Use | undefined;
  readonly facts: FoldedFacts;
  readonly gate: Gate;
  readonly roles: Roles;
  readonly listed: readonly ListedModule[];
  isRunning(module: string): boolean;
  hrefOf(face: 'neutral' | 'classic', path: string): string;
}

interface PartRoutes {
  /** Below `secsuite/rpc`. */
  readonly rpc?: readonly Route[];
  /** Below `secsuite/v1`. */
  readonly v1?: readonly Route[];
}

/** Facts that hold without any noun. */
interface PartFacts {
  readonly name: string;
  /** Errors that this part alone raises. */
  readonly errors?: ErrorTable;
  /** The modules that clients turn on and off, with the schemas of their settings. */
  readonly modules?: readonly (Module | ((paths: SitePaths) => Module))[];
  readonly tables?: PartTables;
  readonly notifications?: readonly Notification[];
  /**
   * What entries of the security log are called for people, by the names that `logs.write` is given. These have underscores:
   * `file_change`, where the module is `file-change`. Of a code `reset::ada,kim`, the label of `reset` is given `ada` and `kim`.
   */
  readonly logged?: LoggedModules;
  /** Entries of the log that managers see as notices, by kind. */
  readonly highlights?: Highlights;
}

/** What a part does with its noun. Members are functions of the nouns they use, so that a part fits where more nouns are known. */
export interface PartUse<Use> extends PartFacts {
  guards?(use: Use): readonly Guard[];
  checks?(use: Use): readonly Check[];
  pages?(use: Use, house: HouseNow): readonly Page[];
  routes?(context: RouteContext<Use>): PartRoutes;
  readonly tasks?: readonly Task<Use>[];
  /** Jobs and schedules that do not run in the lane of the tasks. */
  readonly jobs?: Extension<Use>['jobs'];
  readonly notices?: readonly NoticeSource<Use>[];
  /** What the tools of its modules do, by name. */
  tools?(use: Use): Readonly<Record<string, Doing>>;
  /** What of it is exported for another site, and how it is imported there. */
  transfers?(use: Use): readonly TransferSource[];
  counters?(use: Use): Promise<Readonly<Record<string, number>>>;
  /** Known vulnerabilities of extensions, for whoever updates them. */
  holes?(use: Use): Promise<readonly KnownHole[]>;
  /** What cards of dashboards show, by the slug of the card. */
  cards?(use: Use): Readonly<Record<string, CardSource>>;
  /** Actions of these cards, by the end of their paths. */
  cardActions?(use: Use): Readonly<Record<string, CardAction>>;
  readonly health?: Extension<Use>['health'];
  readonly doctor?: Extension['doctor'];
  /** What it adds to users and their list. */
  readonly extendsUsers?: UserAddition<Use>;
  /** Several parts may listen to one event. */
  readonly on?: Extension<Use>['on'];
  /** Done once when everything is read, by a process that serves the site. */
  start?(use: Use): Promise<void>;
  end?(use: Use): void | Promise<void>;
}

export interface Part<Noun extends object> extends PartUse<Shared & Noun> {
  /** Makes its noun of the services of the site and the nouns that all parts share. */
  make?(services: SuiteServices, shared: Shared, facts: FoldedFacts): Noun;
}

/** What all parts together declare, for the few parts that work with the others without knowing them. */
export interface FoldedFacts {
  readonly users: Columns;
  readonly leftOut: Readonly<Record<string, readonly string[]>>;
  readonly logNames: LogNames;
  readonly highlights: Highlights;
}

/** Keeps the type of the noun that a part makes. */
export const part = <Noun extends object = object>(declaration: Part<Noun>): Part<Noun> => declaration;

/** What all parts do when something happens. One that fails keeps no other from hearing of it. */
export function listenersOf<Use>(parts: readonly Pick<PartUse<Use>, 'on'>[]): NonNullable<Extension<Use>['on']> {
  const listeners = parts.flatMap(({ on = {} }) => Object.entries(on));
  const hearing = (name: string) => async (event: never, use: Use) => {
    const mine = listeners.filter(([other]) => other === name);
    const heard = await Promise.allSettled(mine.map(async ([, hear]) => hear(event, use)));
    const failed = heard.filter((one) => one.status === 'rejected').map(({ reason }) => reason);
    if (failed.length > 0) throw failed.length === 1 ? failed[0] : new AggregateError(failed, 'Several parts failed.');
  };
  return Object.fromEntries(listeners.map(([name]) => [name, hearing(name)]));
}
