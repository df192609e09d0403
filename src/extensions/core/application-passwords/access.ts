// Who may do what with the application passwords of whom: whoever may edit the user.
import type { Caller } from '#kernel/caller.ts';
import type { Toolkit } from '#site/extension.ts';
import { type Credential, credentialOf } from '#site/identity/credential.ts';
import type { Doing } from '#site/identity/doing.ts';
import type { User } from '#site/identity/users/user.ts';
import type { Core } from '../core.ts';
import type { Named } from './record.ts';

export function createAccess({ on, denied, Problem }: Toolkit<Core>) {
  const find = async ({ user_id: named }: { user_id: string }, { identity }: Core): Promise<Named> => {
    const { rights, users, applicationPasswords } = identity;
    if (!applicationPasswords.available) throw notHere();
    const id = Number(named);
    if (Number.isNaN(id)) return { owner: undefined, rights };
    return { owner: await users.get(Number.isSafeInteger(id) ? id : 0), rights };
  };

  const notHere = () =>
    new Problem(
      501,
      'application_passwords_disabled',
      'Application passwords are not to be had here: the site is not reached over HTTPS.',
    );

  const ownerOf = ({ owner }: Named, caller: Caller): User => {
    const found = owner ?? credentialOf(caller)?.user;
    if (found === undefined) throw new Problem(401, 'rest_not_logged_in', 'You are not signed in.');
    return found;
  };

  return {
    ownerOf,

    /** Asked again inside the write. */
    doingFor: (caller: Caller, { identity: { doing, rights } }: Core): Doing =>
      doing(credentialOf(caller), (asker, owner) => {
        if (owner !== undefined && rights.mayEdit(asker, owner)) return;
        throw denied('rest_cannot_edit', 'You are not allowed to look after the application passwords of this user.');
      }),

    /** What let this request in, when that was an application password. */
    passwordOf(caller: Caller): Credential & { readonly kind: 'application_password' } {
      const credential = credentialOf(caller);
      if (credential?.kind === 'application_password') return credential;
      const message = 'This request was not made with an application password.';
      throw new Problem(404, 'rest_no_authenticated_app_password', message);
    },

    may: (code: string, what: string) =>
      on(
        find,
        (caller, named) =>
          named.rights.mayEdit(caller, ownerOf(named, caller)) || denied(code, `You are not allowed to ${what}.`),
        'Signed-in users: of their own account. Of users who may do no more than the caller: with `edit_users`.',
      ),

    mayIntrospect: on(
      find,
      (caller, named) =>
        caller.id === ownerOf(named, caller).id ||
        denied(
          'rest_cannot_introspect_app_password_for_non_authenticated_user',
          'Only your own application password can be looked at in this way.',
        ),
      'The app that signed in with the application password.',
    ),
  };
}
