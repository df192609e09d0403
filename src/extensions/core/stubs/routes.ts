// What editors ask for and this site has nothing of, or little: so that they find it empty and go on.

import { few } from '#kernel/bounds.ts';
import type { Caller } from '#kernel/caller.ts';
import type { Problem } from '#kernel/problem.ts';
import type { Route } from '#kernel/route.ts';
import type { TProperties } from '#kernel/schema.ts';
import { contentErrors } from '#site/content/errors.ts';
import { createKinds } from '#site/content/types.ts';
import type { Toolkit } from '#site/extension.ts';
import type { Core } from '../core.ts';
import { coreErrors } from '../errors.ts';
import { blockTypeOf, blockTypeResource, blockTypes } from './block-types.ts';
import { refuseOtherTheme, stylesheet, themeOf, themeResource, userStylesId } from './theme.ts';

const namespace = 'block-types/(?P<namespace>[a-zA-Z0-9_-]+)' as const;

export function blocks(tools: Toolkit<Core>): Route[] {
  const { route, t, context, when } = tools;
  const access = when((caller) => caller.can('edit_posts') || coreErrors.blockTypeCannotView(), 'With `edit_posts`.');
  const shared = { method: 'GET', access, resource: blockTypeResource(tools) } as const;
  const of = { namespace: t.optional(t.string({ description: 'First part of the names.' })) };
  const within = (first = 'core') => blockTypes.filter(({ name }) => name.startsWith(`${first}/`));
  return [
    route({
      ...shared,
      path: 'block-types',
      summary: 'List the block types',
      args: { context: context(), ...of },
      several: 'list',
      handle: ({ args }) => (args.namespace === undefined ? blockTypes : within(args.namespace)),
    }),
    route({
      ...shared,
      path: namespace,
      summary: 'List the block types of a namespace',
      args: { context: context(), ...of },
      several: 'list',
      handle: ({ args }) => within(args.namespace),
    }),
    route({
      ...shared,
      path: `${namespace}/(?P<name>[a-zA-Z0-9_-]+)`,
      summary: 'Get a block type',
      args: { name: t.string(), namespace: t.string(), context: context() },
      handle: ({ args }) => blockTypeOf(args.namespace, args.name),
    }),
  ];
}

export function themes(tools: Toolkit<Core>): Route[] {
  const { route, t, when } = tools;
  const resource = themeResource(tools);
  const seesActive = (caller: Caller) => caller.can('edit_posts') || coreErrors.cannotViewActiveTheme();
  const isActive = (status: readonly string[] | undefined) => status?.length === 1 && status[0] === 'active';
  return [
    route({
      method: 'GET',
      path: 'themes',
      summary: 'List the themes',
      access: when<{ readonly status?: readonly string[] }>((caller, { status }) => {
        if (caller.can('switch_themes')) return true;
        return isActive(status) ? seesActive(caller) : coreErrors.cannotViewThemes();
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
      summary: 'Get a theme',
      access: when(seesActive, 'With `edit_posts`.'),
      resource,
      args: { stylesheet: t.optional(t.string({ description: 'Identifier.' })) },
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
  readonly refusal: (phrase: string) => Problem;
  readonly args?: TProperties;
  /** An empty list, without one. */
  readonly answer?: object;
}

/** Nothing is here, for those who may look. */
export function empty({ route, t, context, when }: Toolkit<Core>): Route[] {
  const patterns = { capability: 'edit_posts', refusal: contentErrors.cannotView } as const;
  const templates = { capability: 'edit_posts', refusal: coreErrors.cannotManageTemplates } as const;
  const widgets = { capability: 'edit_theme_options', refusal: coreErrors.cannotManageWidgets } as const;
  const menus = { capability: 'edit_theme_options', refusal: contentErrors.cannotView } as const;
  const fonts = { capability: 'edit_theme_options', refusal: coreErrors.cannotRead } as const;
  const word = (description: string) => t.optional(t.string({ description }));
  const ofTemplates = {
    context: context(),
    wp_id: t.optional(t.integer({ description: 'Id of the record that stores it.' })),
    area: word('Area of the page.'),
    post_type: word('Type of the records it is for.'),
  };
  const lookedUp = {
    slug: t.string({ description: 'Slug of the template.' }),
    is_custom: t.optional(t.boolean({ description: 'Whether a user created it.' })),
    template_prefix: word('Prefix of the template.'),
  };
  const stubs: readonly Stub[] = [
    { ...patterns, path: 'block-patterns/patterns', summary: 'List the block patterns: none' },
    { ...patterns, path: 'block-patterns/categories', summary: 'List the categories of patterns: none' },
    { ...templates, path: 'templates', summary: 'List the templates: none', args: ofTemplates },
    { ...templates, path: 'templates/lookup', summary: 'Get the template of a page: none', args: lookedUp, answer: {} },
    { ...templates, path: 'template-parts', summary: 'List the template parts: none', args: ofTemplates },
    { ...fonts, path: 'font-families', summary: 'List the font families: none', args: { context: context() } },
    { ...menus, path: 'menu-items', summary: 'List the items of classic menus: none', args: { context: context() } },
    {
      ...menus,
      path: 'menu-locations',
      summary: 'List the locations of menus: none',
      args: { context: context() },
      answer: {},
    },
    { ...widgets, path: 'sidebars', summary: 'List the widget areas: none', args: { context: context() } },
    { ...widgets, path: 'widget-types', summary: 'List the types of widgets: none', args: { context: context() } },
    {
      ...widgets,
      path: 'widgets',
      summary: 'Widgets: none',
      args: { context: context(), sidebar: word('Widget area.') },
    },
  ];
  return stubs.map(({ path, summary, capability, refusal, args = {}, answer = [] }) =>
    route({
      method: 'GET',
      path,
      summary,
      access: when((caller) => caller.can(capability) || refusal('see this'), `With \`${capability}\`.`),
      args,
      answers: { 200: Array.isArray(answer) ? t.list(t.free()) : t.free() },
      handle: () => answer,
    }),
  );
}

/**
 * Colors, fonts and spaces of the whole site: those of the theme, and those that users changed. The site has none, and every
 * account that may edit records learns that.
 */
export function globalStyles(tools: Toolkit<Core>): Route[] {
  const { route, t, context, when } = tools;
  const { types } = createKinds();
  const edits = (caller: Caller) =>
    types.some(({ capabilities }) => caller.can(capabilities.edit)) || coreErrors.cannotReadGlobalStyles();
  const access = when(edits, 'Accounts that may edit records of some type.');
  const ofTheme = { stylesheet: t.optional(t.string({ description: 'The theme.' })) };
  return [
    route({
      method: 'GET',
      path: `global-styles/themes/${stylesheet}/variations`,
      summary: 'Other styles: none',
      access,
      args: ofTheme,
      answers: { 200: t.list(t.free()) },
      handle: ({ path }) => {
        refuseOtherTheme(path.stylesheet);
        return [];
      },
    }),
    route({
      method: 'GET',
      path: `global-styles/themes/${stylesheet}`,
      summary: 'Styles: none',
      access,
      args: ofTheme,
      answers: { 200: t.object({ settings: t.free(), styles: t.free() }) },
      handle: ({ path }) => {
        refuseOtherTheme(path.stylesheet);
        return { settings: {}, styles: {} };
      },
    }),
    route({
      method: 'GET',
      path: 'global-styles/(?P<id>[\\d]+)',
      summary: 'Get changed global styles: none',
      access: when<{ readonly context?: string }>((caller, { context: how }) => {
        if (how !== 'edit' || caller.can('edit_theme_options')) return edits(caller);
        return contentErrors.forbiddenContext('change the styles of this site');
      }, 'Accounts that may edit records of some type. `context=edit`: with `edit_theme_options`.'),
      resource: userStyles(tools),
      args: { id: t.integer({ description: 'Id that the theme links to.' }), context: context() },
      handle: ({ args: { id } }) => {
        if (id === userStylesId) return { id };
        throw coreErrors.globalStylesNotFound(id);
      },
    }),
  ];
}

function userStyles({ t, resource }: Toolkit<Core>) {
  const full = ['view', 'edit'] as const;
  const always = [...full, 'embed'] as const;
  const text = (raw: string) => ({ raw, rendered: raw });
  return resource({
    name: 'global-styles',
    fields: {
      id: t.fixed(t.integer({ context: always, description: 'Its number.' })),
      styles: t.fixed(t.free({ context: full, description: 'Styles that users changed.' })),
      settings: t.fixed(t.free({ context: full, description: 'Settings that users changed.' })),
      title: t.fixed(
        t.object(
          { raw: t.string({ context: ['edit'] }), rendered: t.string({ context: always }) },
          { context: always, description: 'Title.' },
        ),
      ),
    },
    compute: { styles: () => ({}), settings: () => ({}), title: () => text('Custom styles') },
    links: ({ id }: { readonly id: number }) => ({
      self: [{ href: `/core/v2/global-styles/${id}` }],
      about: [{ href: '/core/v2/types/wp_global_styles' }],
    }),
  });
}
