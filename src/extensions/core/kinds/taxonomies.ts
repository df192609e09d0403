// What may be asked of what records are sorted by.
import type { Route } from '#kernel/route.ts';
import type { Context, Schema } from '#kernel/schema.ts';
import { contentErrors } from '#site/content/errors.ts';
import type { Kinds, Taxonomy } from '#site/content/types.ts';
import type { Toolkit } from '#site/extension.ts';
import type { Core } from '../core.ts';
import { coreErrors } from '../errors.ts';
import { taxonomyLabels } from './labels.ts';
import { type Named, named } from './types.ts';

const always: readonly Context[] = ['view', 'edit', 'embed'];
const full: readonly Context[] = ['view', 'edit'];
const edit: readonly Context[] = ['edit'];

const texts = (type: string[]): Schema => ({ type: 'object', additionalProperties: { type } });

function taxonomyResource({ t, resource }: Toolkit<Core>) {
  const { fixed } = t;
  const text = (context: readonly Context[], description: string) => fixed(t.string({ context, description }));
  const seen = {
    public: t.boolean(),
    publicly_queryable: t.boolean(),
    show_admin_column: t.boolean(),
    show_in_nav_menus: t.boolean(),
    show_in_quick_edit: t.boolean(),
    show_ui: t.boolean(),
  };
  return resource({
    name: 'taxonomy',
    fields: {
      name: text(always, 'What many of its terms are called.'),
      slug: text(always, 'Its name for programs.'),
      capabilities: fixed(
        t.answeredAs(texts(['string']), t.free({ context: edit, description: 'The capabilities that are asked for.' })),
      ),
      description: text(full, 'What it is.'),
      labels: fixed(
        t.answeredAs(texts(['string', 'null']), t.free({ context: edit, description: 'What it is called.' })),
      ),
      types: fixed(t.list(t.string(), { context: full, description: 'The types whose records it sorts.' })),
      show_cloud: fixed(t.boolean({ context: edit, description: 'Whether clouds of its terms are shown.' })),
      hierarchical: fixed(t.boolean({ context: full, description: 'Whether its terms stand below each other.' })),
      rest_base: text(always, 'The path of its terms.'),
      rest_namespace: text(always, 'The namespace of its terms.'),
      visibility: fixed(t.object(seen, { context: edit, description: 'Where it is seen.' })),
    },
    compute: {
      name: ({ labels }: Named<Taxonomy>) => labels,
      slug: ({ name }) => name,
      capabilities: ({ capabilities: { manage, edit: edits, delete: deletes, assign } }) => ({
        manage_terms: manage,
        edit_terms: edits,
        delete_terms: deletes,
        assign_terms: assign,
      }),
      labels: taxonomyLabels,
      show_cloud: (taxonomy) => taxonomy.public,
      rest_base: ({ base }) => base,
      visibility: ({ public: isPublic }) => ({
        public: isPublic,
        publicly_queryable: isPublic,
        show_admin_column: true,
        show_in_nav_menus: isPublic,
        show_in_quick_edit: true,
        show_ui: true,
      }),
    },
    links: ({ base }) => ({
      collection: [{ href: '/core/v2/taxonomies' }],
      'wp:items': [{ href: `/core/v2/${base}` }],
    }),
  });
}

export function taxonomyRoutes(tools: Toolkit<Core>, { taxonomies }: Kinds): Route[] {
  const { route, t, context, keyed, when } = tools;
  const resource = taxonomyResource(tools);
  const known = (taxonomy: string | undefined) => taxonomies.find(({ name }) => name === taxonomy);
  const find = ({ taxonomy }: { readonly taxonomy: string }): Taxonomy => {
    const found = known(taxonomy);
    if (found === undefined) throw coreErrors.taxonomyInvalid();
    return found;
  };
  const ofType = (type: string | undefined): readonly Taxonomy[] =>
    type === undefined ? taxonomies : taxonomies.filter(({ types }) => types.includes(type));
  return [
    route({
      method: 'GET',
      path: 'taxonomies',
      summary: 'What records are sorted by',
      access: when<{ readonly context?: string; readonly type?: string }>((caller, { context: how, type }) => {
        if (how !== 'edit' || ofType(type).some(({ capabilities }) => caller.can(capabilities.assign))) return true;
        return contentErrors.cannotView('sort anything');
      }, 'All visitors. `context=edit`: accounts that may assign terms.'),
      args: {
        context: context(),
        type: t.optional(t.string({ description: 'Only what sorts the records of this type.' })),
      },
      resource,
      several: 'map',
      handle: ({ args, caller, request }) => {
        const shown = ofType(args.type).filter(
          ({ capabilities }) => args.context !== 'edit' || caller.can(capabilities.assign),
        );
        return keyed(Object.fromEntries(shown.map((taxonomy) => [taxonomy.name, named(taxonomy, request)])));
      },
    }),
    route({
      method: 'GET',
      path: 'taxonomies/(?P<taxonomy>[\\w-]+)',
      summary: 'One thing that records are sorted by',
      access: when<{ readonly taxonomy: string; readonly context?: string }>((caller, { taxonomy, context: how }) => {
        const assign = known(taxonomy)?.capabilities.assign;
        if (how !== 'edit' || assign === undefined || caller.can(assign)) return true;
        return contentErrors.forbiddenContext();
      }, 'All visitors. `context=edit`: accounts that may assign terms.'),
      args: { taxonomy: t.string(), context: context() },
      resource,
      handle: ({ args, request }) => named(find(args), request),
    }),
  ];
}
