// Who may see, add, change and delete users, and what each refusal is called.
import { isDeepStrictEqual } from 'node:util';
import type { Toolkit } from '#site/extension.ts';
import { credentialOf } from '#site/identity/credential.ts';
import type { Core } from '../core.ts';
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

export function userRules({ on, when, denied, Problem }: Toolkit<Core>) {
  const find = ({ id }: ByNumber, { users }: Core) => users.get(id);
  const notSignedIn = () => new Problem(401, 'rest_not_logged_in', 'You are not signed in.');
  const cannotView = () => denied('rest_user_cannot_view', 'You are not allowed to see this user.');
  const wrongContext = () => denied('rest_forbidden_context', 'You are not allowed to see users as their editors do.');
  const cannotGiveRoles = () => denied('rest_cannot_edit_roles', 'You are not allowed to change roles.');
  const cannotDelete = () => denied('rest_user_cannot_delete', 'You are not allowed to delete this user.');

  return {
    mayList: when<Looking>((caller, { context, roles = [], capabilities = [], orderby = 'name', who }) => {
      const lists = caller.can('list_users');
      if (roles.length + capabilities.length > 0 && !lists)
        return denied('rest_user_cannot_view', 'You are not allowed to look for users by what they may do.');
      if (context === 'edit' && !lists) return wrongContext();
      if (telling.has(orderby) && !lists)
        return denied('rest_forbidden_orderby', 'You are not allowed to sort users by that.');
      if (who === 'authors' && !caller.can('edit_posts'))
        return denied('rest_forbidden_who', 'You are not allowed to ask who may write.');
      return true;
    }, 'All visitors: users who have published something. All other users, filters by email or role, and `context=edit`: with `list_users`. `who=authors`: with `edit_posts`.'),

    mayAdd: when(
      (caller) => caller.can('create_users') || denied('rest_cannot_create_user', 'You are not allowed to add users.'),
      'With `create_users`; giving roles takes `promote_users`.',
    ),

    /** Others are seen once they have published something. */
    mayView: on<ShownUser, Core, ByNumber, { readonly context?: string }>(
      find,
      async (caller, user, { context }) => {
        const edits = user.basis.rights.mayEdit(caller, user);
        if (!edits && !caller.can('list_users') && !(await user.hasPublished())) return cannotView();
        return edits || context !== 'edit' || wrongContext();
      },
      'All visitors: users who have published something. Signed-in users: their own account. All other users: with `list_users`. `context=edit`: accounts that may change the user.',
    ),

    mayEdit: on<ShownUser, Core, ByNumber, Giving>(
      find,
      (caller, user, { roles }) => {
        const { rights } = user.basis;
        if (!rights.mayEdit(caller, user)) return denied('rest_cannot_edit', 'You are not allowed to edit this user.');
        return isAsBefore(roles, user.roles) || rights.mayPromote(caller, user) || cannotGiveRoles();
      },
      'Signed-in users: their own account. Users who may do no more than the caller: with `edit_users`. Other roles: also with `promote_users`.',
    ),

    mayDelete: on(
      find,
      (caller, user) => user.basis.rights.mayDelete(caller, user) || cannotDelete(),
      'With `delete_users`: users who may do no more than the caller.',
    ),

    mayEditSelf: when<Giving>((caller, { roles }) => {
      if (caller.id === 0) return notSignedIn();
      return isAsBefore(roles, credentialOf(caller)?.user.roles) || caller.can('promote_users') || cannotGiveRoles();
    }, 'Signed-in users. Other roles: with `promote_users`.'),

    mayDeleteSelf: when((caller) => {
      if (caller.id === 0) return notSignedIn();
      return caller.can('delete_users') || cannotDelete();
    }, 'With `delete_users`.'),
  };
}
