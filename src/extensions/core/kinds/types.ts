// What may be asked of the types of content.

import { spellNamespace } from '#kernel/faces.ts';
import type { Request } from '#kernel/request.ts';
import type { Route } from '#kernel/route.ts';
import type { Context, Schema } from '#kernel/schema.ts';
import { contentErrors } from '#site/content/errors.ts';
import type { Kinds } from '#site/content/types.ts';
import type { Toolkit } from '#site/extension.ts';
import type { Core } from '../core.ts';
import { coreErrors } from '../errors.ts';
import { type ListedType, listedTypes } from './inner-types.ts';
import { typeLabels } from './labels.ts';

const always: readonly Context[] = ['view', 'edit', 'embed'];
const full: readonly Context[] = ['view', 'edit'];
const edit: readonly Context[] = ['edit'];

const byName = (values: Schema): Schema => ({ type: 'object', additionalProperties: values });
const textsByName = byName({ type: 'string' });
const labels = byName({ type: ['string', 'null'] });
/** True, or what there is to say of it. */
const supported = byName({ anyOf: [{ type: 'boolean' }, { type: 'array', items: { type: 'object' } }] });

function typeResource({ t, resource }: Toolkit<Core>) {
  const { fixed } = t;
  const text = (context: readonly Context[], description: string) => fixed(t.string({ context, description }));
  const yes = (context: readonly Context[], description: string) => fixed(t.boolean({ context, description }));
  const free = (answered: Schema, description: string) =>
    fixed(t.answeredAs(answered, t.free({ context: edit, description })));
  return resource({
    name: 'type',
    fields: {
      capabilities: free(textsByName, 'Required capabilities.'),
      description: text(full, 'Description.'),
      hierarchical: yes(full, 'Whether its records can have parents.'),
      has_archive: fixed(either(t, { type: ['string', 'boolean'], context: full })),
      visibility: fixed(
        t.object(
          { show_in_nav_menus: t.boolean(), show_ui: t.boolean() },
          { context: edit, description: 'Visibility.' },
        ),
      ),
      viewable: yes(edit, 'Whether visitors can see its records.'),
      labels: free(labels, 'Label.'),
      name: text(always, 'Labels.'),
      slug: text(always, 'Slug, for apps.'),
      icon: fixed(t.nullable(t.string(), { context: always, description: 'Its sign.' })),
      supports: free(supported, 'Features of its records.'),
      taxonomies: fixed(t.list(t.string(), { context: full, description: 'Taxonomies of its records.' })),
      rest_base: text(always, 'Path of its records in the API.'),
      rest_namespace: text(always, 'Namespace of its records in the API.'),
      template: fixed(t.list(t.untyped(), { context: full, description: 'Blocks of a new record.' })),
      template_lock: fixed(
        either(t, { type: ['string', 'boolean'], enum: ['all', 'insert', 'contentOnly', false], context: full }),
      ),
    },
    compute: {
      capabilities: capabilitiesOf,
      has_archive: () => false,
      visibility: ({ viewable, name, isInner }: Named<ListedType>) => ({
        show_in_nav_menus: viewable && name !== 'attachment',
        show_ui: isInner !== true,
      }),
      labels: typeLabels,
      name: ({ labels }) => labels,
      slug: ({ name }) => name,
      supports: ({ supports, notes }) =>
        Object.fromEntries(supports.map((one) => [one, one === 'editor' && notes ? [{ notes }] : true])),
      rest_base: ({ base }) => base,
      template: () => [],
      template_lock: () => false,
    },
    links: ({ base }) => ({
      collection: [{ href: '/core/v2/types' }],
      'wp:items': [{ href: `/core/v2/${base}` }],
    }),
  });
}

const either = ({ untyped }: Toolkit<Core>['t'], schema: Schema) => Object.assign(untyped(), schema);

/** By the names that clients know. */
function capabilitiesOf({ name, capabilities, one: own, read = 'read' }: ListedType): Record<string, string> {
  const { create, edit: edits, delete: deletes, publish, read_private, ...others } = capabilities;
  const one = own ?? (name === 'page' ? 'page' : name === 'wp_block' ? 'block' : 'post');
  return {
    edit_post: `edit_${one}`,
    read_post: `read_${one}`,
    delete_post: `delete_${one}`,
    edit_posts: edits,
    edit_others_posts: others.edit_others,
    delete_posts: deletes,
    publish_posts: publish,
    read_private_posts: read_private,
    read,
    delete_private_posts: others.delete_private,
    delete_published_posts: others.delete_published,
    delete_others_posts: others.delete_others,
    edit_private_posts: others.edit_private,
    edit_published_posts: others.edit_published,
    create_posts: create,
  };
}

export function typeRoutes(tools: Toolkit<Core>, { types: kept }: Kinds): Route[] {
  const types = listedTypes(kept);
  const { route, t, context, keyed, when } = tools;
  const resource = typeResource(tools);
  const find = ({ type }: { readonly type: string }): ListedType => {
    const found = types.find(({ name }) => name === type);
    if (found === undefined) throw coreErrors.typeInvalid(type);
    return found;
  };
  return [
    route({
      method: 'GET',
      path: 'types',
      summary: 'List the content types',
      access: when<{ readonly context?: string }>((caller, { context: how }) => {
        if (how !== 'edit' || types.some(({ capabilities }) => caller.can(capabilities.edit))) return true;
        return contentErrors.cannotView();
      }, 'All visitors. `context=edit`: accounts that may edit records of some type.'),
      args: { context: context() },
      resource,
      several: 'map',
      handle: ({ args, caller, request }) => {
        const shown = types.filter(({ capabilities }) => args.context !== 'edit' || caller.can(capabilities.edit));
        return keyed(Object.fromEntries(shown.map((type) => [type.name, named(type, request)])));
      },
    }),
    route({
      method: 'GET',
      path: 'types/(?P<type>[\\w-]+)',
      summary: 'Get a content type',
      access: 'public',
      args: { type: t.string(), context: context() },
      resource,
      handle: ({ args, caller, request }) => {
        const record = find(args);
        if (args.context === 'edit' && !caller.can(record.capabilities.edit))
          throw contentErrors.forbiddenContext('see this type with `context=edit`');
        return named(record, request);
      },
    }),
  ];
}

// Each face calls the namespace of records by its own name.

export type Named<Kind> = Kind & { readonly rest_namespace: string };

export const named = <Kind>(kind: Kind, { face }: Pick<Request, 'face'>): Named<Kind> => ({
  ...kind,
  rest_namespace: spellNamespace(face, 'core/v2'),
});
