// Who may see, add, change and delete users, and what each refusal is called.
import { isDeepStrictEqual } from 'node:util';
import { contentErrors } from '#site/content/errors.ts';
import type { Toolkit } from '#site/extension.ts';
import { credentialOf } from '#site/identity/credential.ts';
import { identityErrors } from '#site/identity/errors.ts';
import type { Core } from '../core.ts';
import { coreErrors } from '../errors.ts';
import type { ShownUser } from './shown-users.ts';

interface ByNumber {
  readonly id: number;
}

interface Giving {
  readonly roles?: readonly string[];
}

interface Looking {
  readonly context?: string;
  readonly roles?: readonly string[];
  readonly capabilities?: readonly string[];
  readonly orderby?: string;
  readonly who?: string;
}

/** Orders that say something of what only editors see. */
const telling = new Set(['email', 'registered_date']);

/** Programs send a record back whole. Roles that stay as they are give nobody anything, so they need nobody's leave. */
const isAsBefore = (roles: readonly string[] | undefined, held: readonly string[] | undefined): boolean =>
  roles === undefined || isDeepStrictEqual(roles, held);

export function userRules({ on, when }: Toolkit<Core>) {
  const find = ({ id }: ByNumber, { users }: Core) => users.get(id);
  const wrongContext = () => contentErrors.forbiddenContext('see users with `context=edit`');

  return {
    mayList: when<Looking>((caller, { context, roles = [], capabilities = [], orderby = 'name', who }) => {
      const lists = caller.can('list_users');
      if (roles.length + capabilities.length > 0 && !lists)
        return coreErrors.userCannotView('filter users by role, capability or email address');
      if (context === 'edit' && !lists) return wrongContext();
      if (telling.has(orderby) && !lists) return coreErrors.forbiddenOrderby();
      if (who === 'authors' && !caller.can('edit_posts')) return coreErrors.forbiddenWho();
      return true;
    }, 'All visitors: users who have published something. All other users, filters by email or role, and `context=edit`: with `list_users`. `who=authors`: with `edit_posts`.'),

    mayAdd: when(
      (caller) => caller.can('create_users') || identityErrors.cannotCreateUser(),
      'With `create_users`. To set roles: also with `promote_users`.',
    ),

    /** Others are seen once they have published something. */
    mayView: on<ShownUser, Core, ByNumber, { readonly context?: string }>(
      find,
      async (caller, user, { context }) => {
        const edits = user.basis.rights.mayEdit(caller, user);
        if (!edits && !caller.can('list_users') && !(await user.hasPublished())) return coreErrors.userCannotView();
        return edits || context !== 'edit' || wrongContext();
      },
      'All visitors: users who have published something. Signed-in users: their own account. All other users: with `list_users`. `context=edit`: accounts that may change the user.',
    ),

    mayEdit: on<ShownUser, Core, ByNumber, Giving>(
      find,
      (caller, user, { roles }) => {
        const { rights } = user.basis;
        if (!rights.mayEdit(caller, user)) return contentErrors.cannotEdit('edit this user');
        return isAsBefore(roles, user.roles) || rights.mayPromote(caller, user) || coreErrors.cannotEditRoles();
      },
      'Signed-in users: their own account. Users with no more rights than the caller: with `edit_users`. To change roles: also with `promote_users`.',
    ),

    mayDelete: on(
      find,
      (caller, user) => user.basis.rights.mayDelete(caller, user) || coreErrors.userCannotDelete(),
      'With `delete_users`: users with no more rights than the caller.',
    ),

    mayEditSelf: when<Giving>((caller, { roles }) => {
      if (caller.id === 0) return identityErrors.notLoggedIn();
      return (
        isAsBefore(roles, credentialOf(caller)?.user.roles) ||
        caller.can('promote_users') ||
        coreErrors.cannotEditRoles()
      );
    }, 'Signed-in users. Other roles: with `promote_users`.'),

    mayDeleteSelf: when((caller) => {
      if (caller.id === 0) return identityErrors.notLoggedIn();
      return caller.can('delete_users') || coreErrors.userCannotDelete();
    }, 'With `delete_users`.'),
  };
}
