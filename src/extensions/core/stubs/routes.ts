// What editors ask for and this site has nothing of, or little: so that they find it empty and go on.

import { few } from '#kernel/bounds.ts';
import type { Caller } from '#kernel/caller.ts';
import type { Route } from '#kernel/route.ts';
import type { TProperties } from '#kernel/schema.ts';
import type { Toolkit } from '#site/extension.ts';
import type { Core } from '../core.ts';
import { blockTypeOf, blockTypeResource, blockTypes } from './block-types.ts';
import { refuseOtherTheme, stylesheet, themeOf, themeResource } from './theme.ts';

const namespace = 'block-types/(?P<namespace>[a-zA-Z0-9_-]+)' as const;

export function blocks(tools: Toolkit<Core>): Route[] {
  const { route, t, context, when, denied } = tools;
  const access = when(
    (caller) =>
      caller.can('edit_posts') || denied('rest_block_type_cannot_view', 'You are not allowed to see the blocks.'),
    'With `edit_posts`.',
  );
  const shared = { method: 'GET', access, resource: blockTypeResource(tools) } as const;
  const of = { namespace: t.optional(t.string({ description: 'The first part of their names.' })) };
  const within = (first = 'core') => blockTypes.filter(({ name }) => name.startsWith(`${first}/`));
  return [
    route({
      ...shared,
      path: 'block-types',
      summary: 'The blocks that editors know',
      args: { context: context(), ...of },
      several: 'list',
      handle: ({ args }) => (args.namespace === undefined ? blockTypes : within(args.namespace)),
    }),
    route({
      ...shared,
      path: namespace,
      summary: 'The blocks whose names begin so',
      args: { context: context(), ...of },
      several: 'list',
      handle: ({ args }) => within(args.namespace),
    }),
    route({
      ...shared,
      path: `${namespace}/(?P<name>[a-zA-Z0-9_-]+)`,
      summary: 'One block',
      args: { name: t.string(), namespace: t.string(), context: context() },
      handle: ({ args }) => blockTypeOf(args.namespace, args.name),
    }),
  ];
}

export function themes(tools: Toolkit<Core>): Route[] {
  const { route, t, when, denied } = tools;
  const resource = themeResource(tools);
  const seesActive = (caller: Caller) =>
    caller.can('edit_posts') || denied('rest_cannot_view_active_theme', 'You are not allowed to see the theme.');
  const isActive = (status: readonly string[] | undefined) => status?.length === 1 && status[0] === 'active';
  return [
    route({
      method: 'GET',
      path: 'themes',
      summary: 'How the site looks',
      access: when<{ readonly status?: readonly string[] }>((caller, { status }) => {
        if (caller.can('switch_themes')) return true;
        return isActive(status)
          ? seesActive(caller)
          : denied('rest_cannot_view_themes', 'You are not allowed to see the themes.');
      }, 'With `switch_themes`; `status=active` with `edit_posts`.'),
      resource,
      args: { status: t.optional(t.list(t.choice(['active', 'inactive']), { check: few })) },
      several: 'list',
      handle: ({ args: { status = [] }, use }) => {
        const items = status.length === 0 || status.includes('active') ? [themeOf(use.version)] : [];
        return { items, total: items.length };
      },
    }),
    route({
      method: 'GET',
      path: `themes/${stylesheet}`,
      summary: 'One theme',
      access: when(seesActive, 'With `edit_posts`.'),
      resource,
      args: { stylesheet: t.optional(t.string({ description: 'By which it is named.' })) },
      handle: ({ path, use }) => {
        refuseOtherTheme(path.stylesheet);
        return themeOf(use.version);
      },
    }),
  ];
}

interface Stub {
  readonly path: string;
  readonly summary: string;
  readonly capability: 'edit_posts' | 'edit_theme_options';
  readonly code: string;
  readonly args?: TProperties;
  /** An empty list, without one. */
  readonly answer?: object;
}

/** Nothing is here, for those who may look. */
export function empty({ route, t, context, when, denied }: Toolkit<Core>): Route[] {
  const patterns = { capability: 'edit_posts', code: 'rest_cannot_view' } as const;
  const templates = { capability: 'edit_posts', code: 'rest_cannot_manage_templates' } as const;
  const widgets = { capability: 'edit_theme_options', code: 'rest_cannot_manage_widgets' } as const;
  const menus = { capability: 'edit_theme_options', code: 'rest_cannot_view' } as const;
  const fonts = { capability: 'edit_theme_options', code: 'rest_cannot_read' } as const;
  const word = (description: string) => t.optional(t.string({ description }));
  const ofTemplates = {
    context: context(),
    wp_id: t.optional(t.integer({ description: 'The number of the record it is kept in.' })),
    area: word('Where on the page it stands.'),
    post_type: word('The type of the records it shows.'),
  };
  const lookedUp = {
    slug: t.string({ description: 'Which template is looked for.' }),
    is_custom: t.optional(t.boolean({ description: 'Whether somebody made it.' })),
    template_prefix: word('What it is made from.'),
  };
  const stubs: readonly Stub[] = [
    { ...patterns, path: 'block-patterns/patterns', summary: 'Patterns of blocks: none' },
    { ...patterns, path: 'block-patterns/categories', summary: 'Kinds of patterns: none' },
    { ...templates, path: 'templates', summary: 'Templates of pages: none', args: ofTemplates },
    { ...templates, path: 'templates/lookup', summary: 'The template of a page: none', args: lookedUp, answer: {} },
    { ...templates, path: 'template-parts', summary: 'Parts of templates: none', args: ofTemplates },
    { ...fonts, path: 'font-families', summary: 'Families of fonts: none', args: { context: context() } },
    { ...menus, path: 'menu-items', summary: 'Entries of classic menus: none', args: { context: context() } },
    {
      ...menus,
      path: 'menu-locations',
      summary: 'Places for menus: none',
      args: { context: context() },
      answer: {},
    },
    { ...widgets, path: 'sidebars', summary: 'Places for widgets: none', args: { context: context() } },
    { ...widgets, path: 'widget-types', summary: 'Kinds of widgets: none', args: { context: context() } },
    {
      ...widgets,
      path: 'widgets',
      summary: 'Widgets: none',
      args: { context: context(), sidebar: word('Where they stand.') },
    },
  ];
  return stubs.map(({ path, summary, capability, code, args = {}, answer = [] }) =>
    route({
      method: 'GET',
      path,
      summary,
      access: when(
        (caller) => caller.can(capability) || denied(code, 'You are not allowed to see this.'),
        `With \`${capability}\`.`,
      ),
      args,
      answers: { 200: Array.isArray(answer) ? t.list(t.free()) : t.free() },
      handle: () => answer,
    }),
  );
}
