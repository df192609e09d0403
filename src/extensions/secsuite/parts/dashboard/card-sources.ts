// Data of cards that other parts know, by the slug of the card.
import type { CardSource } from '../../part.ts';

export interface CardSources {
  provide(all: Readonly<Record<string, CardSource>>): void;
  /** Empty where no part knows of the card. */
  data(card: string, period: Parameters<CardSource>[0]): Promise<object>;
}

/** What cards show that other parts know. */
export function createCardSources(): CardSources {
  let known: Readonly<Record<string, CardSource>> = {};
  return {
    provide: (all) => {
      known = all;
    },
    data: async (card, period) => Object(await known[card]?.(period)),
  };
}
