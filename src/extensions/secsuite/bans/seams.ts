// What the routes of bans need of the suite around them.
import type { Rule } from '#kernel/access.ts';
import type { Caller } from '#kernel/caller.ts';
import type { Behalf, BehalfSource } from '../behalf.ts';
import type { Gate } from '../groups/access.ts';
import type { Actor, Bans } from './bans.ts';
import type { LabelOf } from './record.ts';

/** What the handlers use. */
export interface Banning {
  readonly bans: Bans;
  /** By which names these are known now. */
  labels(actors: readonly Actor[]): Promise<LabelOf>;
  /** Whether the site has a list of its own just now. */
  isListed(): boolean;
  /** Whether it can be looked up what an address did. */
  showsActivity(): boolean;
}

/** Who may, as the suite says it, and where its nouns are. */
export interface BanSeams<Use> {
  banning(use: Use): Banning;
  manages(caller: Caller): boolean;
  /** Managers; others are refused with this code. */
  managerOr(code: string, message: string): Rule<undefined, Use, object>;
  /** Whoever may see bans; others are refused with `rest_cannot_view`. */
  readonly viewer: Rule<undefined, Use, object>;
  behalf(caller: Caller, use: Use): Behalf;
}

/** The seams of a suite whose nouns are flat: routes of bans and of lockouts share them. */
export const banSeams = <Use extends { readonly banning: Banning; readonly manage: BehalfSource }>({
  manages,
  managerOr,
}: Gate): BanSeams<Use> => ({
  manages,
  managerOr,
  viewer: managerOr('rest_cannot_view'),
  banning: ({ banning }) => banning,
  behalf: (caller, { manage }) => manage.behalfOf(caller),
});
