// What rooms have to say when settings of a module are saved.
import type { Problem } from '#kernel/problem.ts';
import type { Log } from '#store/engine.ts';
import type { Ahead, Along, Check, Effect, Saving, Settings, Values } from './types.ts';

export type Hooks = Pick<Settings, 'check' | 'along' | 'ahead' | 'effect'> & {
  faults(id: string, saving: Saving): Promise<Problem[]>;
  /** With all that changes with it. */
  with(id: string, before: Values, after: Values): Values;
  /** Whether somebody else is asked first. */
  asksAhead(id: string): boolean;
  asked(id: string, saving: Saving): Promise<Values>;
  /** What fails is written down, and undoes nothing. */
  follow(id: string, before: Values, after: Values): Promise<void>;
};

interface Registry<T> {
  of(id: string): readonly T[];
  add(id: string, one: T): void;
}

function registry<T>(): Registry<T> {
  const all = new Map<string, readonly T[]>();
  const of = (id: string): readonly T[] => all.get(id) ?? [];
  return { of, add: (id, one) => void all.set(id, [...of(id), one]) };
}

export function createHooks(log: Pick<Log, 'error'>): Hooks {
  const checks = registry<Check>();
  const alongs = registry<Along>();
  const aheads = registry<Ahead>();
  const effects = registry<Effect>();
  return {
    check: checks.add,
    along: alongs.add,
    ahead: aheads.add,
    effect: effects.add,
    async faults(id, saving) {
      const found: Problem[] = [];
      for (const check of checks.of(id)) found.push(...(await check(saving)));
      return found;
    },
    with(id, before, after) {
      const whole: Record<string, unknown> = { ...after };
      for (const along of alongs.of(id)) Object.assign(whole, along(before, whole));
      return whole;
    },
    asksAhead: (id) => aheads.of(id).length > 0,
    async asked(id, saving) {
      let learnt: Values = {};
      for (const ahead of aheads.of(id)) learnt = { ...learnt, ...(await ahead(saving)) };
      return learnt;
    },
    async follow(id, before, after) {
      for (const effect of effects.of(id))
        try {
          await effect(before, after);
        } catch (error) {
          log.error({ err: error, module: id }, 'What follows from changed settings has failed.');
        }
    },
  };
}
