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
      name: text(always, 'Labels.'),
      slug: text(always, 'Slug, for apps.'),
      capabilities: fixed(
        t.answeredAs(texts(['string']), t.free({ context: edit, description: 'Required capabilities.' })),
      ),
      description: text(full, 'Description.'),
      labels: fixed(t.answeredAs(texts(['string', 'null']), t.free({ context: edit, description: 'Label.' }))),
      types: fixed(t.list(t.string(), { context: full, description: 'Types of records that can have its terms.' })),
      show_cloud: fixed(t.boolean({ context: edit, description: 'Whether tag clouds show its terms.' })),
      hierarchical: fixed(t.boolean({ context: full, description: 'Whether its terms can have parents.' })),
      rest_base: text(always, 'Path of its terms in the API.'),
      rest_namespace: text(always, 'Namespace of its terms in the API.'),
      visibility: fixed(t.object(seen, { context: edit, description: 'Visibility.' })),
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
    if (found === undefined) throw coreErrors.taxonomyInvalid(taxonomy);
    return found;
  };
  const ofType = (type: string | undefined): readonly Taxonomy[] =>
    type === undefined ? taxonomies : taxonomies.filter(({ types }) => types.includes(type));
  return [
    route({
      method: 'GET',
      path: 'taxonomies',
      summary: 'List the taxonomies',
      access: when<{ readonly context?: string; readonly type?: string }>((caller, { context: how, type }) => {
        if (how !== 'edit' || ofType(type).some(({ capabilities }) => caller.can(capabilities.assign))) return true;
        return contentErrors.cannotView('sort anything');
      }, 'All visitors. `context=edit`: accounts that may assign terms.'),
      args: {
        context: context(),
        type: t.optional(t.string({ description: 'Only taxonomies for records of this type.' })),
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
      summary: 'Get a taxonomy',
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
