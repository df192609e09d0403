// Who may do what with users. Nobody gives, takes or changes what goes beyond their own rights.
import { isNobody } from '#kernel/caller.ts';
import type { Asker } from '#kernel/schema.ts';
import { identityErrors } from './errors.ts';
import { type Roles, refuseUnknownRoles } from './roles.ts';
import type { User } from './users/user.ts';

type Somebody = Pick<User, 'id' | 'roles'>;

export interface Rights {
  mayEdit(asker: Asker, user: Somebody): boolean;
  /** May change which roles they have. */
  mayPromote(asker: Asker, user: Somebody): boolean;
  mayDelete(asker: Asker, user: Somebody): boolean;
  /** Throws `rest_user_invalid_role` when the asker may not give all of these; `to` is nobody yet where somebody is made. */
  demandGivable(asker: Asker, to: Somebody | undefined, wanted: readonly string[]): void;
}

export function createRights(roles: Roles): Rights {
  const isSelf = (asker: Asker, { id }: Somebody): boolean => !isNobody(asker) && asker.id === id;
  const has = (capability: string) => (asker: Asker, user: Somebody) =>
    asker.can(capability) && (isSelf(asker, user) || roles.within(user.roles, asker));
  const mayEditOthers = has('edit_users');
  const mayPromote = has('promote_users');
  return {
    mayEdit: (asker, user) => isSelf(asker, user) || mayEditOthers(asker, user),
    mayPromote,
    mayDelete: has('delete_users'),
    demandGivable(asker, to, wanted) {
      refuseUnknownRoles(roles, wanted);
      if (to !== undefined && !mayPromote(asker, to))
        throw identityErrors.roleNotAllowed('Your account cannot change the roles of this user.');
      if (!roles.within(wanted, asker))
        throw identityErrors.roleNotAllowed('You cannot give a role that has more rights than your account.');
      if (to !== undefined && isSelf(asker, to) && !roles.capabilitiesOf(wanted).has('edit_users'))
        throw identityErrors.roleNotAllowed(
          'You cannot remove your own right to edit users. Ask another administrator.',
        );
    },
  };
}
