// Who manages the security of the site: asked anew at every request, and written nowhere.
import type { Transaction } from 'kysely';
import { type Caller, isNobody } from '#kernel/caller.ts';
import { denied } from '#kernel/problem.ts';
import type { Asker } from '#kernel/schema.ts';
import { credentialOf } from '#site/identity/credential.ts';
import type { DoingFor } from '#site/identity/doing.ts';
import type { Roles } from '#site/identity/roles.ts';
import { findUser } from '#site/identity/users/rows.ts';
import type { AnyTables } from '#store/any.ts';
import type { Behalf } from '../behalf.ts';
import type { Somebody } from './group.ts';
import type { Matchables } from './matchables.ts';

export interface Manage {
  /** Whether they hold `secsuite_manage`. */
  allows(caller: Asker): boolean;
  /** Whether they would, if these were the groups that manage. */
  wouldAllow(groups: readonly string[], caller: Asker): boolean;
  /** Of a user who does not ask just now. */
  isManager(who: Somebody): boolean;
  /** Whether they may make dashboards: managers, and the groups that are let. */
  mayMakeDashboards(caller: Asker): boolean;
  /** On behalf of a manager, who is asked once more inside the write. */
  behalfOf(caller: Caller): Behalf;
}

interface Needs {
  /** The lists of groups as they are set. */
  readonly settings: { of(module: string): Readonly<Record<string, unknown>> };
  readonly matchables: Pick<Matchables, 'isOfSomebody' | 'matches'>;
  readonly roles: Roles;
  readonly doing: DoingFor;
}

export function createManage({ settings, matchables, roles, doing }: Needs): Manage {
  const listed = (module: string, name: string): readonly string[] =>
    (settings.of(module)[name] as readonly string[] | undefined) ?? [];
  /** Where no group manages that is there and of somebody, whoever runs the site does: else nobody could, and nobody could change it. */
  const would = (groups: readonly string[], who: Somebody): boolean =>
    groups.some(matchables.isOfSomebody)
      ? matchables.matches(groups, who)
      : roles.capabilitiesOf(who.roles).has('manage_options');
  const isManager = (who: Somebody): boolean => would(listed('global', 'manage_group'), who);
  const allows = (caller: Asker): boolean => {
    const user = userOf(caller);
    return user !== undefined && isManager(user);
  };

  return {
    allows,
    isManager,
    wouldAllow(groups, caller) {
      const user = userOf(caller);
      return user !== undefined && would(groups, user);
    },
    mayMakeDashboards(caller) {
      const user = userOf(caller);
      return user !== undefined && (isManager(user) || matchables.matches(listed('dashboard', 'group'), user));
    },
    behalfOf(caller) {
      const { again } = doing(credentialOf(caller), async ({ id }, _target, tx) => {
        const user = await findUser(tx, id);
        if (user === undefined || !isManager(user)) throw notManager();
      });
      return { caller, again: (tx: Transaction<AnyTables>) => again(tx as never, undefined) };
    },
  };
}

const notManager = () => denied('rest_forbidden', 'You are not allowed to manage the security of this site.');

/** Groups are made of users, so it is by their user that somebody is known; a caller without one manages nothing. */
const userOf = (caller: Caller): Somebody | undefined => (isNobody(caller) ? undefined : credentialOf(caller)?.user);
