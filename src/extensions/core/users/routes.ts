// What may be asked of users: all of them, one by number, oneself.
import type { Caller } from '#kernel/caller.ts';
import type { Request } from '#kernel/request.ts';
import type { Route } from '#kernel/route.ts';
import type { Static, TProperties } from '#kernel/schema.ts';
import { contentErrors } from '#site/content/errors.ts';
import type { Toolkit } from '#site/extension.ts';
import type { UserExtra } from '#site/identity/users/additions.ts';
import type { Core } from '../core.ts';
import { coreErrors } from '../errors.ts';
import { listArgs, wantedOf } from './listing.ts';
import { profileOf, reassignOf, sameEmail, userResource } from './resource.ts';
import { userRules } from './rules.ts';
import type { ShownUser, UserLook } from './shown-users.ts';

interface Changing {
  readonly caller: Caller;
  readonly use: Core;
  readonly request: Request;
  wants(member: string): boolean;
}

const one = 'users/(?P<id>[\\d]+)' as const;
const me = 'users/me' as const;
const changing = ['POST', 'PUT', 'PATCH'] as const;

export function routes(tools: Toolkit<Core>, extra: UserExtra): Route[] {
  const { route, t, context, created, deleted } = tools;
  const resource = userResource(tools, extra);
  const { mayList, mayAdd, mayView, mayEdit, mayDelete, mayEditSelf, mayDeleteSelf } = userRules(tools);
  const { createArgs, updateArgs } = resource;
  const changeArgs = { ...updateArgs, email: t.optional(sameEmail(tools, updateArgs.email)) };
  const filters: TProperties = extra.filters;
  const id = { id: t.integer() };
  const proving = t.object({
    current_password: t.optional(
      t.string({
        description:
          'Your own password, to change your password or email address; in a browser session, those of others too.',
      }),
    ),
    ...tools.t.unlisted(extra.inputs),
  });
  const looked = async (user: ShownUser, use: Core, look: UserLook): Promise<ShownUser> =>
    (await use.users.withAdded([user], look))[0]!;
  const changed = async (
    user: ShownUser,
    { current_password: password, ...sent }: Static<typeof proving>,
    args: Parameters<typeof profileOf>[0],
    { caller, use, request, wants }: Changing,
  ): Promise<ShownUser> => {
    const proof = { password, from: request.address };
    const profile = profileOf(args, user, caller);
    const meta = await extra.metaChange(user, args.meta);
    if (meta.isSome && user.id !== caller.id)
      throw coreErrors.cannotUpdate().saying('Only the user can change their own `meta`.');
    const after = await use.users.change(user, profile, caller, proof);
    await extra.change(after, sent);
    await meta.apply(after);
    return looked(after, use, { caller, editing: true, wants });
  };

  const removal = {
    force: t.boolean({ default: false, description: 'Must be true: users have no trash.' }),
    reassign: t.publishedAs(
      t.integer({ description: 'Id of the user who gets the content; empty to delete the content too.' }),
      t.anyOf([t.integer({ minimum: 0 }), t.boolean(), t.choice([''])], {
        check: (to: unknown) => (to === true ? false : undefined),
      }),
    ),
  };
  const demandForce = (force: boolean): void => {
    if (!force)
      throw contentErrors
        .trashNotSupported()
        .saying('Users have no trash. Send force=true to delete the user permanently.');
  };

  return [
    route({
      method: 'GET',
      path: 'users',
      summary: 'List users, by name',
      access: mayList,
      resource,
      batch: true,
      args: listArgs(tools),
      payload: t.object(filters),
      handle: async ({ args, payload, caller, use, wants }) => {
        const { items, total } = await use.users.list(wantedOf(args, caller), payload, caller);
        return { items: await use.users.withAdded(items, { caller, editing: args.context === 'edit', wants }), total };
      },
    }),
    route({
      method: 'POST',
      path: 'users',
      summary: 'Create a user',
      access: mayAdd,
      resource,
      batch: true,
      args: createArgs,
      payload: t.object({ id: t.optional(t.untyped({ readonly: true, description: 'The site chooses it.' })) }),
      handle: async ({ args, payload, caller, use, wants }) => {
        if (payload.id) throw coreErrors.userExists();
        const user = { ...profileOf(args, undefined, caller), login: args.username };
        return created(await looked(await use.users.add(user, caller), use, { caller, editing: true, wants }));
      },
    }),
    route({
      method: 'GET',
      path: one,
      summary: 'Get a user',
      access: mayView,
      resource,
      batch: true,
      args: { ...id, context: context() },
      handle: async ({ args, record, caller, use, wants }) =>
        looked(await use.users.seen(record, caller), use, { caller, editing: args.context === 'edit', wants }),
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
      handle: async ({ args, payload, record, ...asked }) =>
        changed(await asked.use.users.seen(record, asked.caller), payload, args, asked),
    }),
    route({
      method: 'DELETE',
      path: one,
      summary: 'Delete a user permanently',
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
      summary: 'Get your own account; without a credential the answer is 401',
      access: 'public',
      resource,
      args: { context: context() },
      handle: async ({ args, caller, use, wants }) =>
        looked(await use.users.own(caller), use, { caller, editing: args.context === 'edit', wants }),
    }),
    route({
      method: changing,
      path: me,
      summary: 'Change your own account',
      access: mayEditSelf,
      resource,
      args: changeArgs,
      payload: proving,
      handle: async ({ args, payload, ...asked }) =>
        changed(await asked.use.users.own(asked.caller), payload, args, asked),
    }),
    route({
      method: 'DELETE',
      path: me,
      summary: 'Delete your own account permanently',
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
