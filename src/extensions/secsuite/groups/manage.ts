// Who manages the security of the site: asked anew at every request, and written nowhere.

import type { Transaction } from 'kysely';
import type { Rule, Verdict } from '#kernel/access.ts';
import { type Caller, isNobody } from '#kernel/caller.ts';
import { kernelErrors } from '#kernel/errors.ts';
import type { Denial } from '#kernel/problem.ts';
import type { Asker } from '#kernel/schema.ts';
import type { Toolkit } from '#site/extension.ts';
import type { Checks } from '#site/identity/checks.ts';
import { credentialOf } from '#site/identity/credential.ts';
import type { DoingFor } from '#site/identity/doing.ts';
import type { Roles } from '#site/identity/roles.ts';
import { findUser } from '#site/identity/users/rows.ts';
import type { AnyTables } from '#store/handles.ts';
import type { Behalf } from '../base.ts';
import type { Settings } from '../settings/types.ts';
import type { Somebody } from './group.ts';
import type { Matchables } from './groups.ts';

export interface Manage {
  /** Whether they hold `secsuite_manage`. */
  allows(caller: Asker): boolean;
  /** Whether they would, if these were the groups that manage. */
  wouldAllow(groups: readonly string[], caller: Asker, known?: Known): boolean;
  /** Of a user who does not ask just now. */
  isManager(who: Somebody): boolean;
  /** Whether they may make dashboards: managers, and the groups that are let. */
  mayMakeDashboards(caller: Asker): boolean;
  /** On behalf of a manager, who is asked once more inside the write. */
  behalfOf(caller: Caller): Behalf;
}

/** The groups that decide: those of the site, or those that a write under way would make. */
type Known = Pick<Matchables, 'isOfSomebody' | 'matches'>;

interface Needs {
  /** The lists of groups as they are set. */
  readonly settings: Pick<Settings, 'of'>;
  readonly matchables: Known;
  readonly roles: Roles;
  readonly doing: DoingFor;
  readonly checks: Pick<Checks, 'withholds'>;
}

const capability = 'secsuite_manage';

export function createManage({ settings, matchables, roles, doing, checks }: Needs): Manage {
  /** Where no group manages that is there and of somebody, whoever runs the site does: else nobody could, and nobody could change it. */
  const would = (groups: readonly string[], who: Somebody, known: Known = matchables): boolean =>
    groups.some(known.isOfSomebody)
      ? known.matches(groups, who)
      : roles.capabilitiesOf(who.roles).has('manage_options');
  const isManager = (who: Somebody): boolean => would(settings.of('global').manage_group, who);
  const isWithheld = (caller: Asker): boolean => {
    const credential = credentialOf(caller);
    return credential !== undefined && checks.withholds(credential, capability);
  };
  const allows = (caller: Asker): boolean => {
    const user = userOf(caller);
    return user !== undefined && isManager(user) && !isWithheld(caller);
  };

  return {
    allows,
    isManager,
    wouldAllow(groups, caller, known) {
      const user = userOf(caller);
      return user !== undefined && would(groups, user, known);
    },
    mayMakeDashboards(caller) {
      const user = userOf(caller);
      if (isWithheld(caller)) return false;
      return user !== undefined && (isManager(user) || matchables.matches(settings.of('dashboard').group, user));
    },
    behalfOf(caller) {
      const { again } = doing(credentialOf(caller), async ({ id }, _target, tx) => {
        const user = await findUser(tx, id);
        if (user === undefined || !isManager(user) || isWithheld(caller)) throw kernelErrors.forbidden(managing);
      });
      return { caller, again: (tx: Transaction<AnyTables>) => again(tx as never, undefined) };
    },
  };
}

/** Groups are made of users, so it is by their user that somebody is known; a caller without one manages nothing. */
const userOf = (caller: Caller): Somebody | undefined => (isNobody(caller) ? undefined : credentialOf(caller)?.user);

/** Who sees cards of dashboards, which the part that has the dashboards knows. */
export interface CardAccess {
  provide(sees: CardAccess['sees']): void;
  /** Whether the caller sees one of these cards: they may make dashboards, or it is on one that is shared with them. */
  sees(caller: Caller, cards: readonly string[]): Promise<boolean>;
}

export function createCardAccess(): CardAccess {
  let known: CardAccess['sees'] = async () => false;
  return {
    provide: (sees) => {
      known = sees;
    },
    sees: (caller, cards) => known(caller, cards),
  };
}

type OfManagers = Rule<undefined, unknown, object>;

export interface Gate {
  /** At this moment. */
  manages(caller: Caller): boolean;
  /** Managers may; others are refused with this. */
  judge(caller: Caller, denial: Denial): Verdict;
  readonly manager: OfManagers;
  managerOr(denial: Denial, phrase?: string): OfManagers;
}

const managing = 'manage the security of this site';
export const whoManages = 'Security managers (`secsuite_manage`).';

/** Without nouns nobody asks. */
export function gateOf({ when }: Pick<Toolkit<never>, 'when'>, manage: Pick<Manage, 'allows'> | undefined): Gate {
  const manages = (caller: Caller): boolean => manage?.allows(caller) === true;
  const judge = (caller: Caller, denial: Denial, phrase = managing): Verdict => manages(caller) || denial(phrase);
  const managerOr = (denial: Denial, phrase?: string): OfManagers =>
    when((caller) => judge(caller, denial, phrase), whoManages) as OfManagers;
  return { manages, judge, manager: managerOr(kernelErrors.forbidden), managerOr };
}
