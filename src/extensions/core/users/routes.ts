// What may be asked of users: all of them, one by number, oneself.
import type { Route } from '#kernel/route.ts';
import { contentErrors } from '#site/content/errors.ts';
import type { Toolkit } from '#site/extension.ts';
import type { Core } from '../core.ts';
import { coreErrors } from '../errors.ts';
import { listArgs, wantedOf } from './listing.ts';
import { profileOf, reassignOf, sameEmail, userResource } from './resource.ts';
import { userRules } from './rules.ts';

const one = 'users/(?P<id>[\\d]+)' as const;
const me = 'users/me' as const;
const changing = ['POST', 'PUT', 'PATCH'] as const;

export function routes(tools: Toolkit<Core>): Route[] {
  const { route, t, context, created, deleted } = tools;
  const resource = userResource(tools);
  const { mayList, mayAdd, mayView, mayEdit, mayDelete, mayEditSelf, mayDeleteSelf } = userRules(tools);
  const { createArgs, updateArgs } = resource;
  const changeArgs = { ...updateArgs, email: t.optional(sameEmail(tools, updateArgs.email)) };
  const id = { id: t.integer() };
  const proving = t.object({
    current_password: t.optional(
      t.string({ description: 'In a browser session: your own password, to change a password or an email address.' }),
    ),
  });

  const removal = {
    force: t.boolean({ default: false, description: 'Has to be true: there is no trash for users.' }),
    reassign: t.publishedAs(
      t.integer({ description: 'Who gets what was theirs; empty when it goes with them.' }),
      t.anyOf([t.integer({ minimum: 0 }), t.boolean(), t.choice([''])], {
        check: (to: unknown) => (to === true ? false : undefined),
      }),
    ),
  };
  const demandForce = (force: boolean): void => {
    if (!force)
      throw contentErrors.trashNotSupported().saying('Users cannot be put in a trash. Send force=true to delete.');
  };

  return [
    route({
      method: 'GET',
      path: 'users',
      summary: 'Users, by name',
      access: mayList,
      resource,
      batch: true,
      args: listArgs(tools),
      handle: ({ args, caller, use }) => use.users.list(wantedOf(args, caller), caller),
    }),
    route({
      method: 'POST',
      path: 'users',
      summary: 'Add a user',
      access: mayAdd,
      resource,
      batch: true,
      args: createArgs,
      payload: t.object({ id: t.optional(t.untyped({ readonly: true, description: 'Nobody can choose it.' })) }),
      handle: async ({ args, payload, caller, use }) => {
        if (payload.id) throw coreErrors.userExists();
        const user = { ...profileOf(args, undefined, caller), login: args.username };
        return created(await use.users.add(user, caller));
      },
    }),
    route({
      method: 'GET',
      path: one,
      summary: 'One user',
      access: mayView,
      resource,
      batch: true,
      args: { ...id, context: context() },
      handle: ({ record, caller, use }) => use.users.seen(record, caller),
    }),
    route({
      method: changing,
      path: one,
      summary: 'Change a user',
      access: mayEdit,
      resource,
      batch: true,
      args: { ...id, ...changeArgs },
      payload: proving,
      handle: async ({ args, payload: { current_password: password }, record, caller, use, request }) => {
        const user = await use.users.seen(record, caller);
        return use.users.change(user, profileOf(args, user, caller), caller, { password, from: request.address });
      },
    }),
    route({
      method: 'DELETE',
      path: one,
      summary: 'Delete a user for good',
      access: mayDelete,
      resource,
      batch: true,
      args: { ...id, ...removal },
      handle: async ({ args: { force, reassign }, record, caller, use }) => {
        demandForce(force);
        return deleted(await use.users.erase(record, reassignOf(reassign), caller));
      },
    }),
    route({
      method: 'GET',
      path: me,
      summary: 'Who you are; without a credential the answer is 401',
      access: 'public',
      resource,
      args: { context: context() },
      handle: ({ caller, use }) => use.users.own(caller),
    }),
    route({
      method: changing,
      path: me,
      summary: 'Change your own details',
      access: mayEditSelf,
      resource,
      args: changeArgs,
      payload: proving,
      handle: async ({ args, payload: { current_password: password }, caller, use, request }) => {
        const own = await use.users.own(caller);
        return use.users.change(own, profileOf(args, own, caller), caller, { password, from: request.address });
      },
    }),
    route({
      method: 'DELETE',
      path: me,
      summary: 'Delete yourself for good',
      access: mayDeleteSelf,
      resource,
      args: removal,
      handle: async ({ args: { force, reassign }, caller, use }) => {
        demandForce(force);
        const own = await use.users.own(caller);
        return deleted(await use.users.erase(own, reassignOf(reassign), caller));
      },
    }),
  ];
}
