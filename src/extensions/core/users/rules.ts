import type { Toolkit } from '#site/extension.ts';
import type { Core } from '../core.ts';
import type { Person } from './person.ts';

interface Named {
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

export function userRules({ on, when, denied, Problem }: Toolkit<Core>) {
  const find = ({ id }: Named, { people }: Core) => people.get(id);
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
    }),

    mayAdd: when(
      (caller) => caller.can('create_users') || denied('rest_cannot_create_user', 'You are not allowed to add users.'),
    ),

    /** Others are seen once they have published something, which nobody has until there is content. */
    mayView: on<Person, Core, Named, { readonly context?: string }>(find, (caller, person, { context }) => {
      const edits = person.house.rights.mayEdit(caller, person);
      if (!edits && !caller.can('list_users')) return cannotView();
      return edits || context !== 'edit' || wrongContext();
    }),

    mayEdit: on<Person, Core, Named, Giving>(find, (caller, person, { roles }) => {
      const { rights } = person.house;
      if (!rights.mayEdit(caller, person)) return denied('rest_cannot_edit', 'You are not allowed to edit this user.');
      return roles === undefined || rights.mayPromote(caller, person) || cannotGiveRoles();
    }),

    mayDelete: on(find, (caller, person) => person.house.rights.mayDelete(caller, person) || cannotDelete()),

    mayEditSelf: when<Giving>((caller, { roles }) => {
      if (caller.id === 0) return notSignedIn();
      return roles === undefined || caller.can('promote_users') || cannotGiveRoles();
    }),

    mayDeleteSelf: when((caller) => {
      if (caller.id === 0) return notSignedIn();
      return caller.can('delete_users') || cannotDelete();
    }),
  };
}
