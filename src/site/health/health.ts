// The health of a site: all that can be looked at, one thing at a time, for whoever asks.

import { inTime } from '#lib/concurrency.ts';
import { Unavailable } from '#lib/failures.ts';
import { minute, second } from '#lib/spans.ts';
import type { Clock } from '../platform/clock.ts';
import { type Asked, type Check, type Remote, type Seen, wrong } from './check.ts';

export interface Examined {
  readonly check: Check;
  readonly seen: Seen;
}

export type Remotes = () => readonly Remote[] | Promise<readonly Remote[]>;

export interface Health {
  readonly checks: readonly Check[];
  find(name: string): Check | undefined;
  /** Nothing, where there is no check of this name. */
  look(name: string, asked: Asked): Promise<Examined | undefined>;
  /** More to look at, and more services that the site asks. Returns how to take them away again. */
  also(checks: readonly Check[], remotes?: Remotes): () => void;
  /** All services elsewhere that the site is set up to ask. */
  remotes(): Promise<readonly Remote[]>;
}

/** Checks that cannot be used; its message says why. */
export class UnfitChecks extends Error {}

const named = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
/** For any of them, whatever it waits for. */
const patience = 35 * second;
const rememberedFor = minute;

export function createHealth({ clock }: { readonly clock: Clock }): Health {
  const known = new Map<string, Check>();
  const looks = new Map<string, Check['look']>();
  const asked = new Set<Remotes>();
  return {
    get checks() {
      return [...known.values()];
    },
    find: (name) => known.get(name),
    async look(name, by) {
      const [check, look] = [known.get(name), looks.get(name)];
      return check && look && { check, seen: await look(by) };
    },
    also(checks, remotes) {
      refuseUnfit(checks, known);
      for (const check of checks) {
        known.set(check.name, check);
        looks.set(check.name, check.asks ? rarely(check, clock) : bounded(check));
      }
      if (remotes !== undefined) asked.add(remotes);
      return () => {
        for (const { name } of checks) {
          known.delete(name);
          looks.delete(name);
        }
        if (remotes !== undefined) asked.delete(remotes);
      };
    },
    remotes: async () => (await Promise.all([...asked].map((remotes) => remotes()))).flat(),
  };
}

function refuseUnfit(checks: readonly Check[], known: ReadonlyMap<string, Check>): void {
  const names = new Set(known.keys());
  for (const { name } of checks) {
    if (!named.test(name)) throw new UnfitChecks(`"${name}" is not a valid name of a check.`);
    if (names.has(name)) throw new UnfitChecks(`The check ${name} is declared twice.`);
    names.add(name);
  }
}

/** What is away, or takes too long, is seen to be so; anything else that fails is a bug. */
const bounded =
  (check: Check): Check['look'] =>
  async (asked) => {
    try {
      const late = () => new Unavailable('The check did not finish within the time limit.');
      return await inTime(Promise.try(check.look, asked), patience, late);
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error;
      return wrong(error.message.replace(/\.$/, ''), 'Check again in 1 minute.');
    }
  };

/** Nobody makes the site ask others over and over by having it looked at. */
function rarely(check: Check, clock: Clock): Check['look'] {
  const look = bounded(check);
  let last: { readonly at: number; readonly seen: Promise<Seen> } | undefined;
  return (asked) => {
    const at = clock().getTime();
    if (last !== undefined && at - last.at < rememberedFor && at >= last.at) return last.seen;
    const seen = Promise.try(look, asked);
    const now = { at, seen };
    last = now;
    seen.catch(() => {
      if (last === now) last = undefined;
    });
    return seen;
  };
}
