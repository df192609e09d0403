// The cards of all modules that have settings.
import { Problem } from '#kernel/problem.ts';
import { type Card, cardOf } from './card.ts';
import type { ModuleList } from './modules.ts';

export interface Cards {
  readonly all: readonly Card[];
  /** For whoever knows the module by heart. */
  get(id: string): Card;
  /** Refuses what is no module, or one without settings. */
  asked(id: string): Card;
}

export function createCards(modules: ModuleList): Cards {
  const all = modules.all.flatMap((module) => cardOf(module) ?? []);
  const byId = new Map(all.map((card) => [card.id, card]));
  return {
    all,
    get(id) {
      const card = byId.get(id);
      if (card === undefined) throw new Error(`The module ${id} has no settings.`);
      return card;
    },
    asked(id) {
      const card = byId.get(modules.get(id).id);
      if (card === undefined) throw new Problem(404, 'rest_unsupported_module', 'This module has no settings.');
      return card;
    },
  };
}
