// The routes of application passwords. Their access rules ask whether the caller may edit the user that a password belongs to.
import type { Caller } from '#kernel/caller.ts';
import type { Problem } from '#kernel/problem.ts';
import type { Route } from '#kernel/route.ts';
import { contentErrors } from '#site/content/errors.ts';
import type { Toolkit } from '#site/extension.ts';
import { interfaceNames } from '#site/identity/application-passwords/uses.ts';
import { type Credential, credentialOf } from '#site/identity/credential.ts';
import type { Doing } from '#site/identity/doing.ts';
import { identityErrors } from '#site/identity/errors.ts';
import type { User } from '#site/identity/users/user.ts';
import type { Core } from '../core.ts';
import { coreErrors } from '../errors.ts';
import { applicationPassword, type Held, type Named } from './resource.ts';

const theirs = 'users/(?P<user_id>(?:[\\d]+|me))/application-passwords' as const;
const one = `${theirs}/(?P<uuid>[\\w\\-]+)` as const;

export function routes(tools: Toolkit<Core>): Route[] {
  const { route, t, context, created, deleted } = tools;
  const record = applicationPassword(tools);
  const { ownerOf, passwordOf, may, mayIntrospect, doingFor } = createAccess(tools);

  const user = { user_id: t.string({ description: 'Id of the user, or `me`.' }) };
  const ofUser = t.object(user);
  const ofOne = t.object({ ...user, uuid: t.string() });
  const limits = {
    rest_api_permissions: t.optional(
      t.choice(['read', 'write'], { description: 'Whether the password allows changes: `read` or `write`.' }),
    ),
    enabled_for: t.optional(t.list(t.choice(interfaceNames), { description: 'APIs that accept the password.' })),
  };

  const held = (named: Named, caller: Caller, password: Held['password']): Held => ({
    ...named,
    owner: ownerOf(named, caller),
    password,
  });

  return [
    route({
      method: 'GET',
      path: theirs,
      payload: ofUser,
      summary: 'List the application passwords of a user, oldest first',
      access: may(coreErrors.cannotListApplicationPasswords),
      resource: record,
      args: { context: context() },
      several: 'list',
      handle: async ({ record: named, caller, use }) => {
        const passwords = await use.identity.applicationPasswords.list(ownerOf(named, caller));
        return passwords.map((password) => held(named, caller, password));
      },
    }),
    route({
      method: 'POST',
      path: theirs,
      payload: t.object({ ...user, ...limits }),
      summary: 'Create an application password; only this answer shows it',
      access: may(coreErrors.cannotCreateApplicationPasswords),
      resource: record,
      args: record.createArgs,
      handle: async ({ args, payload: { user_id: _, ...limits }, record: named, caller, use }) => {
        const wanted = { ...args, ...limits };
        const made = await use.identity.applicationPasswords.add(ownerOf(named, caller), wanted, doingFor(caller, use));
        return created(held(named, caller, made));
      },
    }),
    route({
      method: 'DELETE',
      path: theirs,
      payload: ofUser,
      summary: 'Revoke all application passwords of a user',
      access: may(coreErrors.cannotDeleteApplicationPasswords),
      answers: { 200: t.object({ deleted: t.boolean(), count: t.integer() }) },
      handle: async ({ record: named, caller, use }) => ({
        deleted: true,
        count: await use.identity.applicationPasswords.revokeAll(ownerOf(named, caller), doingFor(caller, use)),
      }),
    }),
    route({
      method: 'GET',
      path: `${theirs}/introspect`,
      payload: ofUser,
      summary: 'Get the application password of this request',
      access: mayIntrospect,
      resource: record,
      args: { context: context() },
      handle: async ({ record: named, caller, use }) => {
        const { user, uuid } = passwordOf(caller);
        return held(named, caller, await use.identity.applicationPasswords.get(user, uuid));
      },
    }),
    route({
      method: 'GET',
      path: one,
      payload: ofOne,
      summary: 'Get an application password, without the password itself',
      access: may(coreErrors.cannotReadApplicationPassword),
      resource: record,
      args: { context: context() },
      handle: async ({ payload: { uuid }, record: named, caller, use }) =>
        held(named, caller, await use.identity.applicationPasswords.get(ownerOf(named, caller), uuid)),
    }),
    route({
      method: ['POST', 'PUT', 'PATCH'],
      path: one,
      payload: t.object({ ...user, uuid: t.string(), ...limits }),
      summary: 'Change the name or the limits of an application password',
      access: may(coreErrors.cannotEditApplicationPassword),
      resource: record,
      args: record.updateArgs,
      handle: async ({ args: { name }, payload: { user_id: _, uuid, ...limits }, record: named, caller, use }) => {
        const owner = ownerOf(named, caller);
        const changes = { ...(name !== undefined && { name }), ...limits };
        const changed = use.identity.applicationPasswords.change(owner, uuid, changes, doingFor(caller, use));
        return held(named, caller, await changed);
      },
    }),
    route({
      method: 'DELETE',
      path: one,
      payload: ofOne,
      summary: 'Revoke an application password',
      access: may(coreErrors.cannotDeleteApplicationPassword),
      resource: record,
      handle: async ({ payload: { uuid }, record: named, caller, use }) =>
        deleted(
          held(
            named,
            caller,
            await use.identity.applicationPasswords.revoke(ownerOf(named, caller), uuid, doingFor(caller, use)),
          ),
        ),
    }),
  ];
}

function createAccess({ on }: Toolkit<Core>) {
  const find = async ({ user_id: named }: { user_id: string }, { identity }: Core): Promise<Named> => {
    const { rights, users, applicationPasswords } = identity;
    if (!applicationPasswords.available) throw notHere();
    const id = Number(named);
    if (Number.isNaN(id)) return { owner: undefined, rights };
    return { owner: await users.get(Number.isSafeInteger(id) ? id : 0), rights };
  };

  const notHere = () =>
    identityErrors
      .applicationPasswordsDisabled()
      .saying('Application passwords are not available, because this site does not use HTTPS.');

  const ownerOf = ({ owner }: Named, caller: Caller): User => {
    const found = owner ?? credentialOf(caller)?.user;
    if (found === undefined) throw identityErrors.notLoggedIn();
    return found;
  };

  return {
    ownerOf,

    /** Asked again inside the write. */
    doingFor: (caller: Caller, { identity: { doing, rights } }: Core): Doing =>
      doing(credentialOf(caller), (asker, owner) => {
        if (owner !== undefined && rights.mayEdit(asker, owner)) return;
        throw contentErrors.cannotEdit('manage the application passwords of this user');
      }),

    /** What let this request in, when that was an application password. */
    passwordOf(caller: Caller): Credential & { readonly kind: 'application_password' } {
      const credential = credentialOf(caller);
      if (credential?.kind === 'application_password') return credential;
      throw coreErrors.noAuthenticatedAppPassword();
    },

    may: (refusal: () => Problem) =>
      on(
        find,
        (caller, named) => named.rights.mayEdit(caller, ownerOf(named, caller)) || refusal(),
        'Signed-in users: for their own account. For users with no more rights than the caller: with `edit_users`.',
      ),

    mayIntrospect: on(
      find,
      (caller, named) => caller.id === ownerOf(named, caller).id || coreErrors.cannotIntrospectAppPassword(),
      'The app that signed in with the application password.',
    ),
  };
}
