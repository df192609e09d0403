// What follows when a module is switched, done by the process that switched it.
import { Problem } from '#kernel/problem.ts';
import type { Log } from '#store/engine.ts';
import type { Hooks } from './types.ts';

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
        log.error({ err: error, module: id }, 'A module could not begin its work, and is switched off again.');
        await undo();
        throw new Problem(
          500,
          'secsuite-modules-cannot-activate-module-unsatisfied-dependencies',
          'This module could not begin its work, and is off again.',
          {},
          { cause: error },
        );
      }
    },
    async deactivated(id, by) {
      for (const { deactivated } of of(id))
        try {
          await deactivated?.(by);
        } catch (error) {
          log.error({ err: error, module: id }, 'What follows when a module is switched off has failed.');
        }
    },
  };
}
