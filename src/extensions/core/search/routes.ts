// One search over all that is published.

import { few, shortTerm } from '#kernel/bounds.ts';
import type { Route } from '#kernel/route.ts';
import { type ContentType, createKinds } from '#site/content/types.ts';
import type { Toolkit } from '#site/extension.ts';
import type { Core } from '../core.ts';
import type { Asked, Found } from './found.ts';

const whatever = 'any';

type Sort = 'post' | 'term' | 'post-format';

/** What may be looked for, by the sort of thing it is. */
function subtypesOf(added: readonly ContentType[]): Record<Sort, readonly string[]> {
  const { types, taxonomies } = createKinds(added);
  return {
    post: types.filter(({ name, viewable }) => viewable && name !== 'attachment').map(({ name }) => name),
    term: taxonomies.filter((one) => one.public).map(({ name }) => name),
    'post-format': [],
  };
}

function resultResource({ t, resource }: Toolkit<Core>, subtypes: readonly string[]) {
  const shown = ['view', 'embed'] as const;
  const text = (description: string) => t.fixed(t.string({ context: shown, description }));
  const id = { context: shown, type: ['integer', 'string'], description: 'Id; for a post format, its name.' };
  return resource({
    name: 'search-result',
    fields: {
      id: t.fixed(t.untyped(id)),
      title: text('Title.'),
      url: t.fixed(t.string({ format: 'uri', context: shown, description: 'Public URL.' })),
      type: t.fixed(t.choice(['post', 'term', 'post-format'], { context: shown, description: 'Kind of result.' })),
      subtype: t.fixed(t.choice(subtypes, { context: shown, omitted: true, description: 'Type of the record.' })),
    },
    links: ({ self, about }: Found) => ({
      ...(self !== undefined && { self: [{ href: self, embeddable: true }] }),
      ...(about !== undefined && { about: [{ href: about }] }),
      collection: [{ href: '/core/v2/search' }],
    }),
  });
}

export function routes(tools: Toolkit<Core>, added: readonly ContentType[]): Route[] {
  const { route, t, page, perPage, offsetOf } = tools;
  const known = subtypesOf(added);
  const subtypes = [...known.post, ...known.term];
  const ids = (description: string) => t.list(t.integer(), { default: [], description, check: few });

  /** Nothing where all are wanted. Subtypes of another sort do not count, as clients expect; posts are searched if no other is left. */
  const wantedOf = (sort: Sort, given: readonly string[]): readonly string[] | undefined => {
    if (given.includes(whatever) || given.length === 0) return undefined;
    const wanted = given.filter((one) => known[sort].includes(one));
    if (wanted.length > 0) return wanted;
    return sort === 'post' ? ['post'] : undefined;
  };

  return [
    route({
      method: 'GET',
      path: 'search',
      summary: 'Search the published content',
      access: 'public',
      resource: resultResource(tools, subtypes),
      args: {
        context: t.choice(['view', 'embed'], {
          default: 'view',
          description: 'Which fields the answer has: `view` or `embed`.',
        }),
        page: page(),
        per_page: perPage(),
        search: t.optional(t.string({ description: 'Text to search for.', check: shortTerm })),
        type: t.choice(['post', 'term', 'post-format'], { default: 'post', description: 'Kind of results.' }),
        subtype: t.list(t.choice([...subtypes, whatever]), {
          default: whatever,
          description: 'Types of the results.',
          check: few,
        }),
        exclude: ids('Ids to leave out.'),
        include: ids('Only these ids.'),
      },
      handle: async ({ args, caller, use }) => {
        const { type, include, exclude, search = '' } = args;
        const asked: Asked = {
          search,
          asker: caller,
          include,
          exclude,
          limit: args.per_page,
          offset: offsetOf(args),
          subtypes: wantedOf(type, [args.subtype].flat()),
        };
        const ask = { post: use.search.posts, term: use.search.terms, 'post-format': use.search.formats }[type];
        const { items, total } = await ask(asked);
        // Past the end nothing is told of how many there are.
        return items.length > 0 ? { items, total } : { items, total: 0, pages: Math.ceil(total / args.per_page) };
      },
    }),
  ];
}
