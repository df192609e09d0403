// Colors, fonts and spaces of the whole site, as editors ask for them: those of the theme, and those that users changed. How the
// site looks is its own affair, so there are none; everybody who edits anything learns that.
import type { Caller } from '#kernel/caller.ts';
import { Problem } from '#kernel/problem.ts';
import type { Route } from '#kernel/route.ts';
import { createKinds } from '#site/content/types.ts';
import type { Toolkit } from '#site/extension.ts';
import type { Core } from '../core.ts';
import { refuseOtherTheme, stylesheet, userStylesId } from './theme.ts';

export function globalStyles(tools: Toolkit<Core>): Route[] {
  const { route, t, context, when, denied } = tools;
  const { types } = createKinds();
  const edits = (caller: Caller) =>
    types.some(({ capabilities }) => caller.can(capabilities.edit)) ||
    denied('rest_cannot_read_global_styles', 'You are not allowed to see the styles of this site.');
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
      summary: 'The styles that users changed: none',
      access: when<{ readonly context?: string }>((caller, { context: how }) => {
        if (how !== 'edit' || caller.can('edit_theme_options')) return edits(caller);
        return denied('rest_forbidden_context', 'You are not allowed to change the styles of this site.');
      }, 'Accounts that may edit records of some type. `context=edit`: with `edit_theme_options`.'),
      resource: userStyles(tools),
      args: { id: t.integer({ description: 'The number that the theme leads to.' }), context: context() },
      handle: ({ args: { id } }) => {
        if (id === userStylesId) return { id };
        throw new Problem(404, 'rest_global_styles_not_found', `Global styles ${id} do not exist.`);
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
      styles: t.fixed(t.free({ context: full, description: 'The styles that users changed.' })),
      settings: t.fixed(t.free({ context: full, description: 'The settings that users changed.' })),
      title: t.fixed(
        t.object(
          { raw: t.string({ context: ['edit'] }), rendered: t.string({ context: always }) },
          { context: always, description: 'What it is called.' },
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
