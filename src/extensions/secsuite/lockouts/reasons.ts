// Why somebody is locked out, and after how often. A reason is there while its module runs.
import type { LockoutCard, LockoutLimits, Module } from '../module.ts';
import type { Settings } from '../settings/types.ts';

export interface Reason extends Omit<LockoutCard, 'limits'>, LockoutLimits {}

export interface Reasons {
  find(type: string): Reason | undefined;
  readonly all: readonly LockoutCard[];
  /** In words, also while its module does not run. */
  card(type: string): LockoutCard | undefined;
}

interface Needs {
  readonly modules: readonly Module[];
  readonly settings: Pick<Settings, 'of'>;
  isRunning(module: string): boolean;
}

export function createReasons({ modules, settings, isRunning }: Needs): Reasons {
  const cards = modules.flatMap(({ id, lockouts = [] }) => lockouts.map((card) => ({ module: id, card })));
  const byType = new Map(cards.map((one) => [one.card.type, one]));
  return {
    get all() {
      return cards.filter(({ module }) => isRunning(module)).map(({ card }) => card);
    },
    card: (type) => byType.get(type)?.card,
    find(type) {
      const known = byType.get(type);
      if (known === undefined || !isRunning(known.module)) return undefined;
      const { limits, ...card } = known.card;
      return { ...card, ...limits(settings.of(known.module)) };
    },
  };
}
