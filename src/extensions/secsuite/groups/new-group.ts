// A group that somebody makes begins with what is on for everybody else; what cannot be begun so is not made.
import type { Behalf } from '../behalf.ts';
import type { Group } from './group.ts';
import { type Groups, type NewGroup, Twins } from './groups.ts';
import type { MatchableSettings } from './matchable-settings.ts';

interface Needs {
  readonly groups: Pick<Groups, 'add' | 'remove'>;
  readonly matchableSettings: Pick<MatchableSettings, 'inherit'>;
}

interface Wanted extends NewGroup {
  /** Whether it matters that there is one like it. */
  readonly ignore_duplicate?: boolean;
}

export async function addGroup(
  { groups, matchableSettings }: Needs,
  { ignore_duplicate, ...wanted }: Wanted,
  behalf: Behalf,
): Promise<Group | Twins> {
  const made = await groups.add(wanted, behalf, ignore_duplicate);
  if (made instanceof Twins) return made;
  try {
    await matchableSettings.inherit(made.id);
  } catch (error) {
    await groups.remove(made.id);
    throw error;
  }
  return made;
}
