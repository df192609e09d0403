// Registers everything a declaration holds with the site, except routes and pages; each registration can be taken back.

import type { Live } from '#site/content/rendering/live.ts';
import type { Rendered } from '#site/content/rendering/rendering.ts';
import type { Extension, OwnKind, Services, SharedServices } from '#site/extension.ts';
import type { Check as Look } from '#site/health/check.ts';
import { bound } from '#site/health/own.ts';
import type { Offer } from '#site/hooks/abilities/ability.ts';
import { announcing } from '#site/hooks/writes/judging.ts';
import type { Kind, Queue } from '#site/jobs/job.ts';
import { packageOwner } from '#store/packaged.ts';
import type { AnyStore } from '#store/store.ts';
import { AssemblyProblem, saidBy } from './assembly.ts';
import type { CallsUnderWay } from './ending.ts';
import type { Member } from './member.ts';

interface Registration {
  readonly services: Omit<Services, 'needed' | 'queueOf'>;
  readonly capabilities: Capabilities;
  /** How to take back everything that is registered. */
  readonly undo: DisposableStack;
  /** Whoever is at work with its nouns. */
  readonly callsUnderWay: CallsUnderWay;
  /** Whether it came from a package. */
  readonly isPackage: boolean;
}

/** Its nouns, with what they may rest on already: its capabilities, its settings, its jobs, and the services of others that it needs. */
export function createNouns(
  extension: Extension,
  needed: SharedServices,
  { services, capabilities, undo, callsUnderWay, isPackage }: Registration,
): unknown {
  const { jobs, settings } = services;
  return saidBy(extension, () => {
    for (const capability of extension.capabilities ?? []) undo.defer(capabilities.declare(capability));
    undo.defer(settings.also(extension.settings ?? []));
    let use: unknown;
    const queues = declareJobs(extension, { jobs, undo, callsUnderWay, isPackage, nouns: () => use });
    const queueOf = <P>(kind: OwnKind<P, never>): Queue<P> => {
      const queue = queues.get(kind);
      if (queue === undefined)
        throw new AssemblyProblem(`No active extension declares these background jobs: ${kind.name}.`);
      return queue as Queue<P>;
    };
    const store = scoped(services.store, undo);
    use = extension.nouns({ ...services, store, needed, queueOf });
    return use;
  });
}

/** Everything else that it declares, but for what the interface and the pages are made of. */
export function register(member: Member, registration: Registration): void {
  saidBy(member.extension, () => {
    registerShown(member, registration);
    registerHooks(member, registration);
  });
}

function registerShown({ extension, use }: Member, { services, undo, callsUnderWay }: Registration): void {
  const { content, health, abilities } = services;
  undo.defer(content.activateTypes(extension.types ?? []));
  const made = extension.render?.(use);
  if (made !== undefined) undo.defer(content.rendering.also(countedShown(made, callsUnderWay)));
  const own = extension.health;
  if (own !== undefined)
    undo.defer(health.also(countedChecks(bound(own.checks ?? [], use), callsUnderWay), () => own.remotes?.(use) ?? []));
  if (extension.abilities !== undefined)
    undo.defer(abilities.also(countedOffer(extension.abilities, callsUnderWay) as never, use));
}

function registerHooks({ extension, use }: Member, { services, undo, callsUnderWay }: Registration): void {
  const { events, guards, counts, clients, identity } = services;
  for (const guard of extension.guards?.(use) ?? []) undo.defer(guards.also(guard));
  for (const check of extension.checks?.(use) ?? []) undo.defer(identity.checks.also(check));
  if (extension.counts !== undefined)
    undo.defer(counts.also(() => callsUnderWay.of(async () => extension.counts!(use))));
  const detector = extension.client?.(use);
  if (detector !== undefined) undo.defer(clients.detect(detector));
  for (const [name, listener] of Object.entries(extension.on ?? {}))
    undo.defer(
      events.on(name as 'post.saved', (event) => callsUnderWay.of(() => listener(event as never, use as never))),
    );
}

interface Declaring extends Pick<Registration, 'callsUnderWay' | 'undo' | 'isPackage'> {
  readonly jobs: Services['jobs'];
  nouns(): unknown;
}

/** Where its jobs are put, by kind. Its nouns are asked for when one runs, and by then they are made. */
function declareJobs(
  { name, jobs: { kinds = [], schedules = [] } = { kinds: [] } }: Extension,
  { jobs, undo, callsUnderWay, isPackage, nouns }: Declaring,
): Map<unknown, Queue<never>> {
  const queues = new Map<unknown, Queue<never>>();
  for (const kind of kinds) {
    const own = withNouns(kind, nouns, callsUnderWay);
    queues.set(kind, jobs.kind(isPackage ? announcing(own, packageOwner(name).prefix) : own));
    undo.defer(() => jobs.forget({ kinds: [kind.name], schedules: [] }));
  }
  for (const { add, ...schedule } of schedules) {
    jobs.schedule({ ...schedule, add: () => callsUnderWay.of(() => add(nouns() as never)) });
    undo.defer(() => jobs.forget({ kinds: [], schedules: [schedule.name] }));
  }
  return queues;
}

const withNouns = (kind: OwnKind<never, unknown>, nouns: () => unknown, callsUnderWay: CallsUnderWay): Kind<never> => ({
  ...kind,
  run: (payload, work) => callsUnderWay.of(() => kind.run(payload, work, nouns())),
});

const countedChecks = (checks: readonly Look[], callsUnderWay: CallsUnderWay): Look[] =>
  checks.map((check) => ({ ...check, look: (asked) => callsUnderWay.of(() => check.look(asked)) }));

const countedOffer = (offer: Offer<unknown>, callsUnderWay: CallsUnderWay): Offer<unknown> => ({
  ...offer,
  offered: offer.offered.map((one) => ({
    ...one,
    may: (asking) => callsUnderWay.of(() => one.may(asking)),
    run: (running) => callsUnderWay.of(() => one.run(running)),
  })),
});

function countedShown(
  { blocks = {}, shortcodes = {}, addresses = [], ...rest }: Rendered,
  callsUnderWay: CallsUnderWay,
): Rendered {
  const one = (live: Live): Live => ({
    ...live,
    ...(live.find && { find: (asked) => callsUnderWay.of(async () => live.find?.(asked)) }),
    write: (placed, found) => live.write(placed, found),
  });
  const all = (some: Readonly<Record<string, Live>>): Record<string, Live> =>
    Object.fromEntries(Object.entries(some).map(([name, live]) => [name, one(live)]));
  return {
    ...rest,
    blocks: all(blocks),
    shortcodes: all(shortcodes),
    addresses: addresses.map((each) => ({
      rests: each.rests,
      knows: (url) => each.knows(url),
      find: (urls) => callsUnderWay.of(() => each.find(urls)),
    })),
  };
}

/** The same store; whoever watches by it, hears nothing more once its extension has left, however late it began. */
function scoped(store: AnyStore, undo: DisposableStack): AnyStore {
  const { changes } = store;
  const watching = new Set<() => void>();
  undo.defer(() => {
    for (const unwatch of watching) unwatch();
  });
  return {
    ...store,
    changes: {
      at: (topic) => changes.at(topic),
      get isCurrent() {
        return changes.isCurrent;
      },
      say: (topics) => changes.say(topics),
      watch(listener) {
        if (undo.disposed) return () => {};
        const unwatch = changes.watch(listener);
        const end = (): void => {
          unwatch();
          watching.delete(end);
        };
        watching.add(end);
        return end;
      },
    },
  };
}

/** Every capability there is just now: those that the deployment gives its roles, and those that extensions declare while they are on. */
export interface Capabilities {
  /** Grows and shrinks. */
  readonly all: ReadonlySet<string>;
  /** Returns how to take it back: it stays while somebody else has declared it as well. */
  declare(capability: string): () => void;
}

export function createCapabilities(own: ReadonlySet<string>): Capabilities {
  const all = new Set(own);
  const declared = new Map<string, number>();
  return {
    all,
    declare(capability) {
      declared.set(capability, (declared.get(capability) ?? 0) + 1);
      all.add(capability);
      return () => {
        const left = declared.get(capability)! - 1;
        declared.set(capability, left);
        if (left === 0 && !own.has(capability)) all.delete(capability);
      };
    },
  };
}
