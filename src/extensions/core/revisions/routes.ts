// The routes of revisions and autosaves, the same for every type that keeps them.
import { few, shortTerm, startOf } from '#kernel/bounds.ts';
import type { Route } from '#kernel/route.ts';
import { ordered, withoutUndefined } from '#lib/objects.ts';
import { contentErrors } from '#site/content/errors.ts';
import type { ContentType } from '#site/content/types.ts';
import type { Toolkit } from '#site/extension.ts';
import type { Core } from '../core.ts';
import { coreErrors } from '../errors.ts';
import { argumentOrder, type Served } from '../posts/fields.ts';
import { refuseOrder } from '../posts/listing.ts';
import { postResource, type Sent } from '../posts/resource.ts';
import { rawOf } from '../texts.ts';
import { autosaveResource, revisionResource } from './resource.ts';

const orders = ['date', 'id', 'include', 'relevance', 'slug', 'include_slugs', 'title'] as const;

const withArticle = (label: string): string => `${/^[aeiou]/i.test(label) ? 'an' : 'a'} ${label.toLowerCase()}`;

/** Of a type that keeps a history; none of any other. */
export const routes = (tools: Toolkit<Core>, served: Served): Route[] =>
  served.type.supports.includes('revisions') ? [...revisions(tools, served), ...autosaves(tools, served)] : [];

function revisions(tools: Toolkit<Core>, served: Served): Route[] {
  const { route, t, context, page, offsetOf } = tools;
  const { base, label } = served.type;
  const theirs = `${base}/(?P<parent>[\\d]+)/revisions` as const;
  const one = `${theirs}/(?P<id>[\\d]+)` as const;
  const resource = revisionResource(tools, served);
  const { mayRead, mayDelete } = revisionRules(tools, served.type);
  const parent = { parent: t.integer({ description: 'Id of the record.' }) };
  const id = { id: t.integer({ description: 'Id of the revision.' }) };
  const ids = (description: string) => t.list(t.integer(), { default: [], description, check: few });

  return [
    route({
      method: 'GET',
      path: theirs,
      summary: `List the revisions of ${withArticle(label)}, newest first`,
      access: mayRead,
      resource,
      args: {
        ...parent,
        context: context(),
        page: page(),
        per_page: t.optional(t.integer({ minimum: 1, maximum: 100, description: 'Number of items on a page.' })),
        search: t.optional(t.string({ description: 'Text to search for.', check: shortTerm })),
        exclude: ids('Revisions to leave out.'),
        include: ids('Only these revisions.'),
        offset: t.optional(t.integer({ description: 'Number of items to skip.' })),
        order: t.choice(['asc', 'desc'], { default: 'desc' }),
        orderby: t.choice(orders, { default: 'date' }),
      },
      handle: async ({ args, record, use }) => {
        refuseOrder(args);
        const { per_page, offset: skipped, order, orderby: orderBy, include, exclude, search } = args;
        const paged = per_page === undefined ? 0 : offsetOf({ page: args.page, per_page });
        const offset = skipped === undefined ? paged : startOf(skipped);
        const limit = per_page === undefined ? {} : { limit: per_page };
        const wanted = { ...limit, offset, order, orderBy, include, exclude };
        const found = await use.revisions.list(record, { ...wanted, ...(search !== undefined && { search }) });
        const { total } = found;
        if (total > 0 && skipped !== undefined && offset >= total) throw coreErrors.revisionInvalidOffsetNumber();
        if (total > 0 && skipped === undefined && args.page > Math.ceil(total / (per_page ?? total)))
          throw coreErrors.revisionInvalidPageNumber();
        return found;
      },
    }),
    route({
      method: 'GET',
      path: one,
      summary: `Get a revision of ${withArticle(label)}`,
      access: mayRead,
      resource,
      args: { ...parent, ...id, context: context() },
      handle: ({ args, record, use }) => use.revisions.get(record, args.id),
    }),
    route({
      method: 'DELETE',
      path: one,
      summary: 'Revisions cannot be deleted',
      access: mayDelete,
      resource,
      args: {
        ...parent,
        ...id,
        force: t.boolean({ default: false, description: 'Has no effect.' }),
      },
      handle: ({ args, record, use }) => use.revisions.get(record, args.id),
    }),
  ];
}

function autosaves(tools: Toolkit<Core>, served: Served): Route[] {
  const { route, t, context } = tools;
  const { base, label } = served.type;
  const theirs = `${base}/(?P<id>[\\d]+)/autosaves` as const;
  const resource = autosaveResource(tools, served);
  const { mayRead, mayReadNamed, mayEdit } = revisionRules(tools, served.type);
  const parent = { parent: t.optional(t.integer({ description: 'Id of the record.' })) };
  const named = t.object({ id: t.integer() });

  return [
    route({
      method: 'GET',
      path: theirs,
      payload: named,
      summary: `List the autosaves of ${withArticle(label)}`,
      access: mayReadNamed,
      resource,
      args: { ...parent, context: context() },
      several: 'list',
      handle: ({ record, use }) => use.revisions.autosaves(record),
    }),
    route({
      method: 'POST',
      path: theirs,
      payload: named,
      summary: `Create an autosave of ${withArticle(label)}`,
      access: mayEdit,
      resource,
      args: { ...parent, ...ordered(postResource(tools, served).updateArgs, argumentOrder) },
      handle: ({ args, record, caller, use }) => use.revisions.autosave(record, textsOf(args), caller),
    }),
    route({
      method: 'GET',
      path: `${base}/(?P<parent>[\\d]+)/autosaves/(?P<id>[\\d]+)`,
      summary: `Get an autosave of ${withArticle(label)}`,
      access: mayRead,
      resource,
      args: {
        parent: t.integer({ description: 'Id of the record.' }),
        id: t.integer({ description: 'Id of the autosave.' }),
        context: context(),
      },
      handle: ({ args, record, use }) => use.revisions.autosaved(record, args.id),
    }),
  ];
}

/** Only what a history keeps: whatever else was sent waits for the record to be saved. */
function textsOf({ title, content, excerpt, meta }: Sent) {
  return withoutUndefined({
    title: rawOf(title),
    content: rawOf(content),
    excerpt: rawOf(excerpt),
    meta: typeof meta === 'object' && meta !== null ? { ...meta } : undefined,
  });
}

interface ByParent {
  readonly parent: number;
}

interface ByNumber {
  readonly id: number;
}

function revisionRules({ on }: Toolkit<Core>, { name }: ContentType) {
  const cannotRead = () => coreErrors.cannotRead('see the revisions of this record');
  const cannotDelete = () => contentErrors.cannotDelete().saying('Revisions cannot be deleted.');
  const find = ({ parent }: ByParent, { revisions }: Core) => revisions.parent(parent, name);
  const findNamed = ({ id }: ByNumber, { revisions }: Core) => revisions.parent(id, name);
  const findEdited = ({ id }: ByNumber, { revisions }: Core) => revisions.edited(id, name);
  const editors = 'Accounts that may change the record.';
  return {
    mayRead: on(find, (caller, { post, rights }) => rights.mayEdit(caller, post) || cannotRead(), editors),
    mayReadNamed: on(findNamed, (caller, { post, rights }) => rights.mayEdit(caller, post) || cannotRead(), editors),
    mayEdit: on(
      findEdited,
      (caller, { post, rights }) => rights.mayEdit(caller, post) || contentErrors.cannotEdit(),
      editors,
    ),
    mayDelete: on(find, cannotDelete, 'No account.'),
  };
}
