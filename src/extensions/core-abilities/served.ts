// What stands behind the routes of this namespace.
import type { Abilities } from '#site/abilities/abilities.ts';
import type { AbilityRuns } from '#site/abilities/running.ts';

export interface Served {
  readonly abilities: Abilities;
  readonly runs: AbilityRuns;
}
