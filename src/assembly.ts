// Which extensions a deployment switches on, and what they bring: tables, capabilities, jobs, routes in the order
// of the index.
import type { Route } from '#kernel/route.ts';
import type { Mount } from '#kernel/table.ts';
import type { Abilities } from '#site/abilities/abilities.ts';
import { UnfitAbility } from '#site/abilities/fitting.ts';
import { UnfitRendered } from '#site/content/rendering/kit.ts';
import type { Rendering } from '#site/content/rendering/rendering.ts';
import { createKinds } from '#site/content/types.ts';
import { type Addition, type Extras, extraOf } from '#site/extending.ts';
import { type AnyEntry, type Extension, type OwnKind, routesOf, type Services, toolkit } from '#site/extension.ts';
import { type Health, UnfitChecks } from '#site/health/health.ts';
import { bound } from '#site/health/own.ts';
import type { Kind, Queue } from '#site/jobs/job.ts';
import type { Jobs } from '#site/jobs/jobs.ts';
import { UnfitJobs } from '#site/jobs/unfit.ts';
import { faultIn, type Group } from '#site/settings/group.ts';
import type { TableOwner } from '#store/migrate.ts';
import type { Deployment } from './config.ts';

/** A site that cannot be put together; its message is the sentence the boot stops with. */
class AssemblyProblem extends Error {}

export const declarations = (entries: readonly AnyEntry[]): Extension[] =>
  entries.map((entry) => entry(toolkit<never>()));

export const isActive = ({ name, always }: Extension, { extensions }: Deployment): boolean =>
  always === true || extensions[name] === true;

/** Tables stay up to date whether their extension is on or not, so that switching it on is a matter of a moment. */
export const ownersOf = (extensions: readonly Extension[]): TableOwner[] =>
  extensions.flatMap(({ name, tables }) => (tables === undefined ? [] : [{ owner: name, ...tables }]));

export const capabilitiesOf = (extensions: readonly Extension[], { roles }: Deployment): Set<string> =>
  new Set([
    ...Object.values(roles).flatMap(({ capabilities }) => capabilities),
    ...extensions.flatMap(({ capabilities }) => capabilities ?? []),
  ]);

/** Every group of settings, the site's own first. */
export function groupsOf(extensions: readonly Extension[], own: Group): Group[] {
  const groups = [own, ...extensions.flatMap(({ settings }) => settings ?? [])];
  const fault = faultIn(groups);
  if (fault !== undefined) throw new AssemblyProblem(fault);
  return groups;
}

/** The nouns of each extension, those it needs made before it. */
export function nounsOf(extensions: readonly Extension[], services: Omit<Services, 'needed'>): Map<Extension, unknown> {
  const provider = new Map(extensions.flatMap((one) => (one.provides ?? []).map((name) => [name, one] as const)));
  const made = new Map<Extension, unknown>();
  const make = (extension: Extension, askedBy: readonly Extension[]): unknown => {
    if (made.has(extension)) return made.get(extension);
    if (askedBy.includes(extension))
      throw new AssemblyProblem(`The extension ${extension.name} needs itself, by way of others.`);
    const needed = (extension.needs ?? []).map((name) => {
      const from = provider.get(name);
      if (from === undefined)
        throw new AssemblyProblem(`The extension ${extension.name} needs ${name}, which no active extension provides.`);
      return [name, (make(from, [...askedBy, extension]) as Record<string, unknown>)[name]] as const;
    });
    const nouns = extension.nouns({ ...services, needed: Object.fromEntries(needed) });
    made.set(extension, nouns);
    return nouns;
  };
  for (const extension of extensions) make(extension, []);
  return made;
}

/** Makes the jobs that extensions declare known to the site. `nounsOf` is asked when one runs, and by then they are made. */
export function queuesOf(
  extensions: readonly Extension[],
  jobs: Jobs,
  nounsOf: (extension: Extension) => unknown,
): Services['queueOf'] {
  const queues = new Map<unknown, Queue<never>>();
  const declare = (extension: Extension): void => {
    const { kinds = [], schedules = [] } = extension.jobs ?? {};
    for (const kind of kinds) queues.set(kind, jobs.kind(withNouns(kind, () => nounsOf(extension))));
    for (const { add, ...schedule } of schedules)
      jobs.schedule({ ...schedule, add: () => add(nounsOf(extension) as never) });
  };
  for (const extension of extensions) fitting(extension, declare);
  return <P>(kind: OwnKind<P, never>) => {
    const queue = queues.get(kind);
    if (queue === undefined) throw new AssemblyProblem(`No active extension declares the jobs ${kind.name}.`);
    return queue as Queue<P>;
  };
}

/** Makes what extensions show in texts known to the site. */
export function showing(
  extensions: readonly Extension[],
  nouns: Map<Extension, unknown>,
  rendering: Pick<Rendering, 'also'>,
): void {
  for (const extension of extensions)
    fitting(extension, ({ render }) => rendering.also(render?.(nouns.get(extension)) ?? {}));
}

/** Makes what extensions say of their health known to the site. */
export function examining(
  extensions: readonly Extension[],
  nouns: Map<Extension, unknown>,
  health: Pick<Health, 'also'>,
): void {
  for (const extension of extensions)
    fitting(extension, ({ health: own }) => {
      const use = nouns.get(extension);
      if (own !== undefined) health.also(bound(own.checks ?? [], use), () => own.remotes?.(use) ?? []);
    });
}

/** Makes what programs may have extensions do known to the site. */
export function offering(
  extensions: readonly Extension[],
  nouns: Map<Extension, unknown>,
  abilities: Pick<Abilities, 'also'>,
): void {
  for (const extension of extensions)
    fitting(extension, ({ abilities: own }) => {
      if (own !== undefined) abilities.also(own, nouns.get(extension));
    });
}

const unfit = [UnfitJobs, UnfitRendered, UnfitChecks, UnfitAbility];

/** It can stand in the way of what the site has of its own, too. */
function fitting(extension: Extension, declare: (extension: Extension) => void): void {
  try {
    declare(extension);
  } catch (error) {
    if (!unfit.some((kind) => error instanceof kind)) throw error;
    throw new AssemblyProblem(`The extension ${extension.name} cannot be used. ${(error as Error).message}`);
  }
}

const withNouns = (kind: OwnKind<never, unknown>, nouns: () => unknown): Kind<never> => ({
  ...kind,
  run: (payload, work) => kind.run(payload, work, nouns()),
});

/** What is added to each type of content, by whichever extension. */
function extrasOf(extensions: readonly Extension[], nouns: Map<Extension, unknown>): Extras {
  const added = extensions.flatMap((extension) =>
    Object.entries(extension.extends ?? {}).map(([type, addition]) => ({ type, addition, extension })),
  );
  const kinds = createKinds();
  for (const { type, extension } of added)
    if (kinds.type(type) === undefined)
      throw new AssemblyProblem(`The extension ${extension.name} adds to the type ${type}, which does not exist.`);
  for (const type of new Set(added.map((one) => one.type))) refuseTwice(type, added);
  return (wanted) =>
    extraOf(
      added
        .filter(({ type }) => type === wanted)
        .map(({ addition, extension }) => ({ addition, use: () => nouns.get(extension) })),
    );
}

interface AddedBy {
  readonly type: string;
  readonly addition: Addition<unknown>;
  readonly extension: Extension;
}

function refuseTwice(type: string, added: readonly AddedBy[]): void {
  for (const part of ['fields', 'filters'] as const) {
    const by = new Map<string, string>();
    for (const { addition, extension } of added.filter((one) => one.type === type))
      for (const name of Object.keys(addition[part] ?? {})) {
        const other = by.get(name);
        if (other !== undefined)
          throw new AssemblyProblem(`The extensions ${other} and ${extension.name} both add ${name} to ${type}.`);
        by.set(name, extension.name);
      }
  }
}

/** Routes in the order in which the deployment lists their namespaces. */
export function mountsOf(
  extensions: readonly Extension[],
  { namespaces }: Deployment,
  nouns: Map<Extension, unknown>,
): Mount[] {
  const extras = extrasOf(extensions, nouns);
  const offered = extensions.flatMap((extension) =>
    Object.entries(routesOf(extension, extras)).map(([namespace, routes]) => ({
      namespace,
      routes,
      use: nouns.get(extension),
      extension,
    })),
  );
  // A deployment that was written before the site had a namespace of its own goes on without it.
  const unlisted = offered.find(({ namespace, extension }) => !namespaces.includes(namespace) && !extension.always);
  if (unlisted !== undefined) {
    throw new AssemblyProblem(
      `The extension ${unlisted.extension.name} serves ${unlisted.namespace}, which the deployment does not list.`,
    );
  }
  return namespaces.flatMap((listed) => offered.filter(({ namespace }) => namespace === listed)).map(mountOf);
}

const mountOf = ({ namespace, routes, use }: { namespace: string; routes: readonly Route[]; use: unknown }): Mount => ({
  namespace,
  routes,
  use,
});
