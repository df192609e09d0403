// What follows when a module is turned on or off.
import type { Log } from '#store/engine.ts';
import { suiteErrors } from '../errors.ts';

export interface Hooks {
  /** What it throws keeps the module off. */
  activated?(by: number): void | Promise<void>;
  deactivated?(by: number): void | Promise<void>;
}

/** Only the process that turns a module on or off runs its hooks, so each runs once. */
export interface Following {
  add(id: string, hooks: Hooks): void;
  /** What fails undoes it. */
  activated(id: string, by: number, undo: () => Promise<unknown>): Promise<void>;
  /** What fails is written down: nothing keeps a module on that somebody wants off. */
  deactivated(id: string, by: number): Promise<void>;
}

export function createFollowing(log: Pick<Log, 'error'>): Following {
  const all = new Map<string, readonly Hooks[]>();
  const of = (id: string): readonly Hooks[] => all.get(id) ?? [];
  return {
    add: (id, hooks) => void all.set(id, [...of(id), hooks]),
    async activated(id, by, undo) {
      try {
        for (const { activated } of of(id)) await activated?.(by);
      } catch (error) {
        log.error({ err: error, module: id }, 'A module could not start, and was turned off again.');
        await undo();
        throw suiteErrors.unsatisfiedDependencies().because(error);
      }
    },
    async deactivated(id, by) {
      for (const { deactivated } of of(id))
        try {
          await deactivated?.(by);
        } catch (error) {
          log.error({ err: error, module: id }, 'The follow-up work of turning off a module failed.');
        }
    },
  };
}
