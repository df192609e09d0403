// What may be asked of records: the same of every type, as far as it has it.
import type { Route } from '#kernel/route.ts';
import { ordered } from '#lib/objects.ts';
import type { Extras } from '#site/content/extending.ts';
import { createMetaKeys } from '#site/content/meta.ts';
import { type ContentType, createKinds } from '#site/content/types.ts';
import type { Toolkit } from '#site/extension.ts';
import type { Core } from '../core.ts';
import { coreErrors } from '../errors.ts';
import { argumentOrder, type Served } from './fields.ts';
import { listArgs, wantedOf } from './listing.ts';
import { anyOfThem, demandWritable, postResource, saidOf } from './resource.ts';
import { postRules } from './rules.ts';

export function servedOf(type: ContentType): Served {
  return { type, taxonomies: createKinds().taxonomiesOf(type), meta: createMetaKeys().of(type.name) };
}

const always = (): boolean => true;

export function postRoutes(tools: Toolkit<Core>, type: ContentType, extras: Extras): Route[] {
  const { route, t, context, created, deleted } = tools;
  const served = servedOf(type);
  const extra = extras(type.name);
  const resource = postResource(tools, served, extra);
  const { mayList, mayAdd, mayView, mayEdit, mayDelete } = postRules(tools, type);
  const { base } = type;
  const one = `${base}/(?P<id>[\\d]+)` as const;
  const id = { id: t.integer() };
  const shared = { resource, batch: true } as const;
  const isRead = type.supports.includes('excerpt') || type.viewable;
  // A record may stay what it is, although nobody could make it so.
  const status = t.publishedAs(resource.updateArgs.status!, t.choice(anyOfThem));

  return [
    route({
      ...shared,
      method: 'GET',
      path: base,
      summary: `List ${type.labels}, newest first`,
      access: mayList,
      args: listArgs(tools, served, extra),
      handle: async ({ args, caller, use, wants, anybody }) => {
        const conditions = await extra.conditions(args, caller);
        const wanted = wantedOf(served, args, { zone: await use.content.zone(), extra, conditions });
        const editing = args.context === 'edit';
        const paged = { page: args.page, perPage: args.per_page, skips: args.offset !== undefined };
        return use.posts.list(type, wanted, { caller, editing, wants, anybody, ...paged }, extra);
      },
    }),
    route({
      ...shared,
      method: 'POST',
      path: base,
      summary: `Create one of the ${type.labels.toLowerCase()}`,
      access: mayAdd,
      args: ordered(resource.createArgs, argumentOrder),
      payload: t.object({ id: t.optional(t.untyped({ readonly: true, description: 'The site chooses it.' })) }),
      handle: async ({ args, payload, caller, use, wants }) => {
        if (payload.id) throw coreErrors.postExists();
        const said = await extra.saying(saidOf(args, served), args, undefined, caller);
        return created(await use.posts.add(type, said, { caller, editing: true, wants }, extra, args));
      },
    }),
    route({
      ...shared,
      method: 'GET',
      path: one,
      summary: `Get one of the ${type.labels.toLowerCase()}`,
      access: mayView,
      args: {
        ...id,
        context: context(),
        ...t.includedIf(isRead, {
          excerpt_length: t.optional(t.integer({ description: 'Number of words in an automatic excerpt.' })),
        }),
        password: t.optional(t.string({ description: 'Password of the record.' })),
      },
      handle: ({ args, record, caller, use, wants, anybody }) => {
        const { context: how, password, excerpt_length: words } = args;
        return use.posts.shown(record, { caller, editing: how === 'edit', password, words, wants, anybody }, extra);
      },
    }),
    route({
      ...shared,
      method: ['POST', 'PUT', 'PATCH'],
      path: one,
      summary: `Change one of the ${type.labels.toLowerCase()}`,
      access: mayEdit,
      args: { ...id, ...ordered({ ...resource.updateArgs, status: t.optional(status) }, argumentOrder) },
      handle: async ({ args, record, caller, use, wants }) => {
        demandWritable(args.status, record.status);
        const said = await extra.saying(saidOf(args, served), args, record, caller);
        return use.posts.change(record, said, { caller, editing: true, wants }, extra, args);
      },
    }),
    route({
      ...shared,
      method: 'DELETE',
      path: one,
      summary: `Move one of the ${type.labels.toLowerCase()} to the trash, or delete it permanently`,
      access: mayDelete,
      args: { ...id, force: t.boolean({ default: false, description: 'Whether to delete it permanently.' }) },
      handle: async ({ args: { force }, record, caller, use, wants }) => {
        if (!force) return use.posts.trash(record, { caller, editing: true, wants }, extra);
        return deleted(await use.posts.erase(record, { caller, editing: true, wants: always }, extra));
      },
    }),
  ];
}
