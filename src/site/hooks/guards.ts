// The request guards of a site: extensions add to them, and the kernel asks all of them as one.
import type { IncomingRequest } from '#kernel/request.ts';
import type { CombinedGuard, KnownRequest, Refusal, RequestGuard, Verdict } from '#kernel/request-guard.ts';
import { withoutUndefined } from '#lib/objects.ts';
import type { User } from '../identity/users/user.ts';
import { derived, renewDerived } from '../platform/cache/snapshot.ts';
import { hookErrors } from './errors.ts';

export type Guard = RequestGuard<User>;
export type Known = KnownRequest<User>;

const moments = [
  'onConnect',
  'mayServeCached',
  'needsBody',
  'onBody',
  'onCaller',
  'onWrite',
  'onEmbed',
] as const satisfies (keyof Guard)[];
type Moment = (typeof moments)[number];

export interface Guards {
  /** Those with something to judge at that moment, in the order of the extensions. */
  at(moment: Moment): readonly Guard[];
  /** Throws what a guard throws. */
  readonly isReady: boolean;
  /** Resolves when all guards of now are ready. */
  ready(): Promise<void>;
  /** Returns how to remove it. */
  also(guard: Guard | FormerGuard): () => void;
}

export function createGuards(): Guards {
  let all: readonly Guard[] = [];
  let wereReady = false;
  const askedAt = derived(() => {
    const needed = all.filter(isNeeded);
    return new Map(moments.map((moment) => [moment, needed.filter((guard) => guard[moment] !== undefined)]));
  });
  const take = (guards: readonly Guard[]): void => {
    all = guards;
    wereReady = false;
    renewDerived();
  };
  return {
    at: (moment) => askedAt().get(moment)!,
    get isReady() {
      wereReady ||= all.every((guard) => guard.isReady?.() !== false);
      return wereReady;
    },
    ready: async () => void (await Promise.all(all.map(({ ready }) => ready))),
    also(added) {
      const guard = withCurrentNames(added);
      take([...all, guard]);
      return () => take(all.filter((one) => one !== guard));
    },
  };
}

/** A guard that cannot say so is asked. */
function isNeeded(guard: Guard): boolean {
  try {
    return guard.isNeeded?.() !== false;
  } catch {
    return true;
  }
}

/** Up to 0.6 guards named their moments so, and let requests through when they failed. */
const formerNames = {
  onConnect: 'arriving',
  mayServeCached: 'keeps',
  needsBody: 'reads',
  onBody: 'read',
  onCaller: 'known',
  onWrite: 'writes',
  onEmbed: 'led',
} as const satisfies Record<Moment, string>;

export type FormerGuard = Pick<Guard, 'isReady' | 'ready'> & {
  readonly [Name in Moment as (typeof formerNames)[Name]]?: Guard[Name];
};

function withCurrentNames(guard: Guard | FormerGuard): Guard {
  if ('whenFailing' in guard) return guard;
  const current = moments.flatMap((moment) => {
    const method = guard[formerNames[moment]];
    return method === undefined ? [] : [[moment, method.bind(guard)]];
  });
  const { isReady, ready } = guard;
  return {
    whenFailing: 'open',
    ...withoutUndefined({ isReady: isReady?.bind(guard), ready }),
    ...Object.fromEntries(current),
  };
}

/** Monitors ask it, whatever state the process is in. */
const isHealthCheck = ({ url }: IncomingRequest): boolean => url.split('?', 1)[0] === '/healthz';

/** All guards as one. `report` is told of each that fails. */
export function combined(guards: Guards, report: (error: unknown, request: string) => void): CombinedGuard {
  const ask = <V>({ id }: IncomingRequest, question: () => V, whenItFails: () => V): V => {
    try {
      return question();
    } catch (error) {
      report(error, id);
      return whenItFails();
    }
  };
  const areReady = (): boolean => guards.isReady;
  const no = (): boolean => false;
  async function first(
    moment: 'onBody' | 'onCaller' | 'onEmbed',
    incoming: IncomingRequest,
    verdictOf: (guard: RequestGuard) => Verdict | Promise<Verdict>,
  ): Promise<Verdict> {
    for (const guard of guards.at(moment)) {
      const refusal = await Promise.try(verdictOf, guard).catch((error) => {
        report(error, incoming.id);
        return whileFailing(guard, incoming);
      });
      if (refusal !== undefined) return refusal;
    }
    return undefined;
  }
  return {
    judges: (moment) => guards.at(moment).length > 0,
    onConnect(incoming) {
      if (!ask(incoming, areReady, no)) return isHealthCheck(incoming) ? undefined : starting();
      for (const guard of guards.at('onConnect')) {
        const whenItFails = () => whileFailing(guard, incoming);
        const refusal = ask(incoming, () => guard.onConnect?.(incoming), whenItFails);
        if (refusal !== undefined) return refusal;
      }
      return undefined;
    },
    mayServeCached(incoming) {
      const serves = (guard: Guard) => guard.mayServeCached?.(incoming) !== false;
      return guards.at('mayServeCached').every((guard) => ask(incoming, () => serves(guard), no));
    },
    needsBody(incoming) {
      const needs = (guard: Guard) => guard.needsBody?.(incoming) === true;
      const isClosed = ({ whenFailing }: Guard) => whenFailing === 'closed';
      const isAsked = (guard: Guard) =>
        ask(
          incoming,
          () => needs(guard),
          () => isClosed(guard),
        );
      return guards.at('needsBody').some(isAsked);
    },
    onBody: (incoming, body) => first('onBody', incoming, (guard) => guard.onBody?.(incoming, body)),
    onCaller: (incoming, known) => first('onCaller', incoming, (guard) => guard.onCaller?.(incoming, known)),
    onEmbed: (incoming, known) => first('onEmbed', incoming, (guard) => guard.onEmbed?.(incoming, known)),
  };
}

/** What a guard that throws says of a request. */
export const whileFailing = ({ whenFailing }: Guard, incoming: IncomingRequest): Verdict =>
  whenFailing === 'open' || isHealthCheck(incoming) ? undefined : { problem: hookErrors.guardFailed() };

const starting = (): Refusal => ({ problem: hookErrors.starting() });
