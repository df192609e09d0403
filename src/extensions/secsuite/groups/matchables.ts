// What settings may list: the groups, and everybody whom no group matches.

import type { Somebody } from './group.ts';
import type { Groups } from './groups.ts';

export const everybodyElse = 'everybody-else';

export interface Matchable {
  readonly id: string;
  readonly label: string;
  readonly type: 'user-group' | 'meta';
}

export interface Matchables {
  /** The groups, the oldest first, then everybody else. */
  list(): Promise<Matchable[]>;
  /** Without waiting: the ids, in the same order. */
  readonly ids: readonly string[];
  has(id: string): boolean;
  isOfSomebody(id: string): boolean;
  /** Whether any of these matches; ids of groups that are gone match nobody. */
  matches(ids: readonly string[], who: Somebody): boolean;
}

export function createMatchables(
  groups: Pick<Groups, 'list' | 'ids' | 'has' | 'isOfSomebody' | 'matches'>,
): Matchables {
  const matchesOne = (id: string, who: Somebody): boolean =>
    id === everybodyElse ? !groups.ids.some((one) => groups.matches(one, who)) : groups.matches(id, who);
  return {
    async list() {
      const all = await groups.list();
      return [...all.map(({ id, label }) => ({ id, label, type: 'user-group' as const })), others];
    },
    get ids() {
      return [...groups.ids, everybodyElse];
    },
    has: (id) => id === everybodyElse || groups.has(id),
    isOfSomebody: (id) => id === everybodyElse || groups.isOfSomebody(id),
    matches: (ids, who) => ids.some((id) => matchesOne(id, who)),
  };
}

const others: Matchable = { id: everybodyElse, label: 'Everybody else', type: 'meta' };
