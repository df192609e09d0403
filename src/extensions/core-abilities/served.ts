// What stands behind the routes of this namespace.
import type { Abilities } from '#site/hooks/abilities/abilities.ts';
import type { AbilityRuns } from '#site/hooks/abilities/running.ts';

export interface Served {
  readonly abilities: Abilities;
  readonly runs: AbilityRuns;
}
