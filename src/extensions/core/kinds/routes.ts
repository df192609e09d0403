// What kinds of records there are, what states they are in, and by what they are sorted.

import type { Caller } from '#kernel/caller.ts';
import type { Route } from '#kernel/route.ts';
import type { Context } from '#kernel/schema.ts';
import { contentErrors } from '#site/content/errors.ts';
import { statuses as all, type Status } from '#site/content/statuses.ts';
import { type ContentType, createKinds, type Kinds } from '#site/content/types.ts';
import type { Toolkit } from '#site/extension.ts';
import type { Core } from '../core.ts';
import { coreErrors } from '../errors.ts';
import { taxonomyRoutes } from './taxonomies.ts';
import { typeRoutes } from './types.ts';

export function routes(tools: Toolkit<Core>, types: readonly ContentType[]): Route[] {
  const kinds = createKinds(types);
  return [...typeRoutes(tools, kinds), ...statusRoutes(tools, kinds), ...taxonomyRoutes(tools, kinds)];
}

// What may be asked of the states that records are in.

const always: readonly Context[] = ['embed', 'view', 'edit'];
const full: readonly Context[] = ['view', 'edit'];
const edit: readonly Context[] = ['edit'];

/** The trash is told of; the others are nobody's to look for. */
const isTold = ({ name, internal }: Status): boolean => !internal || name === 'trash';

function statusResource({ t, resource }: Toolkit<Core>) {
  const { fixed } = t;
  const text = (description: string) => fixed(t.string({ context: always, description }));
  const yes = (context: readonly Context[], description: string) => fixed(t.boolean({ context, description }));
  return resource({
    name: 'status',
    fields: {
      name: text('Label.'),
      private: yes(edit, 'Whether records with this status are private.'),
      protected: yes(edit, 'Whether only editors of a record see it with this status.'),
      public: yes(full, 'Whether visitors see records with this status.'),
      queryable: yes(full, 'Whether visitors can filter by this status.'),
      show_in_list: yes(edit, 'Whether lists of all records have records with this status.'),
      slug: text('Slug, for apps.'),
      date_floating: yes(full, 'Whether the date of such a record follows its last change.'),
    },
    compute: {
      name: ({ label }: Status) => label,
      queryable: (status) => status.public,
      show_in_list: ({ internal }) => !internal,
      slug: ({ name }) => name,
      date_floating: ({ floating }) => floating,
    },
    links: ({ name, public: isPublic }) => ({
      archives: [{ href: isPublic ? '/core/v2/posts' : `/core/v2/posts?status=${name}` }],
    }),
  });
}

function statusRoutes(tools: Toolkit<Core>, { types }: Kinds): Route[] {
  const { route, t, context, keyed, on, when } = tools;
  const resource = statusResource(tools);
  const edits = (caller: Caller): boolean => types.some(({ capabilities }) => caller.can(capabilities.edit));
  const find = ({ status }: { readonly status: string }): Status => {
    const found = all.find(({ name }) => name === status);
    if (found === undefined) throw coreErrors.statusInvalid(status);
    return found;
  };
  return [
    route({
      method: 'GET',
      path: 'statuses',
      summary: 'List the statuses of records',
      access: when<{ readonly context?: string }>(
        (caller, { context: how }) => how !== 'edit' || edits(caller) || contentErrors.cannotView(),
        'All visitors: public statuses. Other statuses, and `context=edit`: accounts that may edit records of some type.',
      ),
      args: { context: context() },
      resource,
      several: 'map',
      handle: ({ caller }) => {
        const shown = all.filter((status) => status.public || (isTold(status) && edits(caller)));
        return keyed(Object.fromEntries(shown.map((status) => [status.name, status])));
      },
    }),
    route({
      method: 'GET',
      path: 'statuses/(?P<status>[\\w-]+)',
      summary: 'Get a status of records',
      access: on<Status, Core, { readonly status: string }, { readonly context?: string }>(
        find,
        (caller, status) => status.public || (isTold(status) && edits(caller)) || coreErrors.cannotReadStatus(),
        'All visitors: public statuses. Other statuses: accounts that may edit records of some type.',
      ),
      args: { status: t.string(), context: context() },
      resource,
      handle: ({ record }) => record,
    }),
  ];
}
