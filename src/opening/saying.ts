// All that a declaration says to the site, but for what the interface and the pages are made of: each saying with how to take it back.

import type { Live } from '#site/content/rendering/live.ts';
import type { Rendered } from '#site/content/rendering/rendering.ts';
import type { Extension, OwnKind, Services } from '#site/extension.ts';
import type { Check as Look } from '#site/health/check.ts';
import { bound } from '#site/health/own.ts';
import type { Offer } from '#site/hooks/abilities/ability.ts';
import { announcing } from '#site/hooks/writes/announcing.ts';
import type { Kind, Queue } from '#site/jobs/job.ts';
import { packageOwner } from '#store/packaged.ts';
import type { AnyStore } from '#store/store.ts';
import { AssemblyProblem, saidBy } from '../assembly.ts';
import type { AtWork } from './at-work.ts';
import type { Capabilities } from './capabilities.ts';
import type { Member } from './member.ts';

interface Saying {
  readonly services: Omit<Services, 'needed' | 'queueOf'>;
  readonly capabilities: Capabilities;
  /** How to take back all that is said. */
  readonly said: DisposableStack;
  /** Whoever is at work with its nouns. */
  readonly atWork: AtWork;
  /** Whether it came from a package. */
  readonly isPackage: boolean;
}

/** Its nouns, with what they may rest on already: its capabilities, its settings, its jobs, and the services of others that it needs. */
export function nounsOf(
  extension: Extension,
  needed: Record<string, unknown>,
  { services, capabilities, said, atWork, isPackage }: Saying,
): unknown {
  const { jobs, settings } = services;
  return saidBy(extension, () => {
    for (const capability of extension.capabilities ?? []) said.defer(capabilities.declare(capability));
    said.defer(settings.also(extension.settings ?? []));
    let use: unknown;
    const queues = declareJobs(extension, { jobs, said, atWork, isPackage, nouns: () => use });
    const queueOf = <P>(kind: OwnKind<P, never>): Queue<P> => {
      const queue = queues.get(kind);
      if (queue === undefined) throw new AssemblyProblem(`No active extension declares the jobs ${kind.name}.`);
      return queue as Queue<P>;
    };
    const store = scoped(services.store, said);
    use = extension.nouns({ ...services, store, needed, queueOf });
    return use;
  });
}

/** Everything else that it declares, but for what the interface and the pages are made of. */
export function say({ extension, use }: Member, { services, said, atWork }: Saying): void {
  const { events, content, health, abilities, guards, counts, clients, identity } = services;
  saidBy(extension, () => {
    const made = extension.render?.(use);
    if (made !== undefined) said.defer(content.rendering.also(countedShown(made, atWork)));
    const own = extension.health;
    if (own !== undefined)
      said.defer(health.also(countedChecks(bound(own.checks ?? [], use), atWork), () => own.remotes?.(use) ?? []));
    for (const guard of extension.guards?.(use) ?? []) said.defer(guards.also(guard));
    for (const check of extension.checks?.(use) ?? []) said.defer(identity.checks.also(check));
    if (extension.counts !== undefined) said.defer(counts.also(() => atWork.of(async () => extension.counts!(use))));
    const detector = extension.client?.(use);
    if (detector !== undefined) said.defer(clients.detect(detector));
    if (extension.abilities !== undefined)
      said.defer(abilities.also(countedOffer(extension.abilities, atWork) as never, use));
    for (const [name, listener] of Object.entries(extension.on ?? {}))
      said.defer(events.on(name as 'post.saved', (event) => atWork.of(() => listener(event as never, use as never))));
  });
}

interface Declaring extends Pick<Saying, 'atWork' | 'said' | 'isPackage'> {
  readonly jobs: Services['jobs'];
  nouns(): unknown;
}

/** Where its jobs are put, by kind. Its nouns are asked for when one runs, and by then they are made. */
function declareJobs(
  { name, jobs: { kinds = [], schedules = [] } = { kinds: [] } }: Extension,
  { jobs, said, atWork, isPackage, nouns }: Declaring,
): Map<unknown, Queue<never>> {
  const queues = new Map<unknown, Queue<never>>();
  for (const kind of kinds) {
    const own = withNouns(kind, nouns, atWork);
    queues.set(kind, jobs.kind(isPackage ? announcing(own, packageOwner(name).prefix) : own));
    said.defer(() => jobs.forget({ kinds: [kind.name], schedules: [] }));
  }
  for (const { add, ...schedule } of schedules) {
    jobs.schedule({ ...schedule, add: () => atWork.of(() => add(nouns() as never)) });
    said.defer(() => jobs.forget({ kinds: [], schedules: [schedule.name] }));
  }
  return queues;
}

const withNouns = (kind: OwnKind<never, unknown>, nouns: () => unknown, atWork: AtWork): Kind<never> => ({
  ...kind,
  run: (payload, work) => atWork.of(() => kind.run(payload, work, nouns())),
});

const countedChecks = (checks: readonly Look[], atWork: AtWork): Look[] =>
  checks.map((check) => ({ ...check, look: (asked) => atWork.of(() => check.look(asked)) }));

const countedOffer = (offer: Offer<unknown>, atWork: AtWork): Offer<unknown> => ({
  ...offer,
  offered: offer.offered.map((one) => ({
    ...one,
    may: (asking) => atWork.of(() => one.may(asking)),
    run: (running) => atWork.of(() => one.run(running)),
  })),
});

function countedShown({ blocks = {}, shortcodes = {}, addresses = [], ...rest }: Rendered, atWork: AtWork): Rendered {
  const one = (live: Live): Live => ({
    ...live,
    ...(live.find && { find: (asked) => atWork.of(async () => live.find?.(asked)) }),
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
      find: (urls) => atWork.of(() => each.find(urls)),
    })),
  };
}

/** The same store; whoever watches by it, hears nothing more once its extension has left, however late it began. */
function scoped(store: AnyStore, said: DisposableStack): AnyStore {
  const { changes } = store;
  const watching = new Set<() => void>();
  said.defer(() => {
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
        if (said.disposed) return () => {};
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
