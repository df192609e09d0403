// What may be asked of the application passwords of one user.
import type { Caller } from '#kernel/caller.ts';
import type { Route } from '#kernel/route.ts';
import type { Toolkit } from '#site/extension.ts';
import type { Core } from '../core.ts';
import { createAccess } from './access.ts';
import { applicationPassword, type Held, type Named } from './record.ts';

const theirs = 'users/(?P<user_id>(?:[\\d]+|me))/application-passwords' as const;
const one = `${theirs}/(?P<uuid>[\\w\\-]+)` as const;

export function routes(tools: Toolkit<Core>): Route[] {
  const { route, t, context, created, deleted } = tools;
  const record = applicationPassword(tools);
  const { ownerOf, passwordOf, may, mayIntrospect, doingFor } = createAccess(tools);

  const user = { user_id: t.string({ description: 'The number of the user, or `me`.' }) };
  const ofUser = t.object(user);
  const ofOne = t.object({ ...user, uuid: t.string() });

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
      summary: 'The application passwords of a user, in the order they were made',
      access: may('rest_cannot_list_application_passwords', 'see the application passwords of this user'),
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
      payload: ofUser,
      summary: 'Make an application password; it is shown in this answer and never again',
      access: may('rest_cannot_create_application_passwords', 'make application passwords for this user'),
      resource: record,
      args: record.createArgs,
      handle: async ({ args, record: named, caller, use }) => {
        const made = await use.identity.applicationPasswords.add(ownerOf(named, caller), args, doingFor(caller, use));
        return created(held(named, caller, made));
      },
    }),
    route({
      method: 'DELETE',
      path: theirs,
      payload: ofUser,
      summary: 'Revoke all application passwords of a user',
      access: may('rest_cannot_delete_application_passwords', 'revoke the application passwords of this user'),
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
      summary: 'The application password this request is made with',
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
      summary: 'One application password, without the password',
      access: may('rest_cannot_read_application_password', 'see this application password'),
      resource: record,
      args: { context: context() },
      handle: async ({ payload: { uuid }, record: named, caller, use }) =>
        held(named, caller, await use.identity.applicationPasswords.get(ownerOf(named, caller), uuid)),
    }),
    route({
      method: ['POST', 'PUT', 'PATCH'],
      path: one,
      payload: ofOne,
      summary: 'Give an application password another name',
      access: may('rest_cannot_edit_application_password', 'change this application password'),
      resource: record,
      args: record.updateArgs,
      handle: async ({ args: { name }, payload: { uuid }, record: named, caller, use }) => {
        const { applicationPasswords } = use.identity;
        const owner = ownerOf(named, caller);
        const renamed = name !== undefined && applicationPasswords.rename(owner, uuid, name, doingFor(caller, use));
        return held(named, caller, await (renamed || applicationPasswords.get(owner, uuid)));
      },
    }),
    route({
      method: 'DELETE',
      path: one,
      payload: ofOne,
      summary: 'Revoke an application password',
      access: may('rest_cannot_delete_application_password', 'revoke this application password'),
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
