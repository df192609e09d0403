// Who is asked before something is done, and what extensions offer and count.
import type { Kinds } from '../content/types.ts';
import type { Platform } from '../platform/open.ts';
import { createAbilities } from './abilities/abilities.ts';
import { createCounting } from './counts.ts';
import { createGuards } from './guards.ts';
import { judgeWrites } from './writes/judging.ts';

export function openHooks({ store, log }: Pick<Platform, 'store' | 'log'>, kinds: Kinds) {
  const guards = createGuards();
  judgeWrites({
    store,
    guards,
    kinds,
    report: (error, request) => log.error({ err: error, request }, 'A guard failed to check a write.'),
  });
  return {
    guards,
    counts: createCounting((error) => log.warn({ err: error }, 'A metric could not be counted.')),
    /** What programs may have done; extensions bring it. */
    abilities: createAbilities(),
  };
}
