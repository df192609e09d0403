// A user as the interface shows one.

import type { Toolkit } from '#site/extension.ts';
import { avatarsOf } from '#site/identity/users/avatars.ts';
import type { Core } from '../core.ts';
import { userFields } from './fields.ts';
import { localeOf, type ShownUser } from './shown-user.ts';

export function userResource(tools: Toolkit<Core>) {
  return tools.resource({
    name: 'user',
    fields: userFields(tools),
    compute: {
      username: ({ login }: ShownUser) => login,
      link: ({ slug, basis: { site } }) => `${site.url}/${site.authorBase}/${encodeURIComponent(slug)}/`,
      locale: localeOf,
      registered_date: ({ registered_at }) => `${registered_at.slice(0, 'YYYY-MM-DDThh:mm:ss'.length)}+00:00`,
      password: () => undefined,
      capabilities: ({ roles, basis }) => basis.roles.shownFor(roles),
      extra_capabilities: ({ roles }) => Object.fromEntries(roles.map((role) => [role, true])),
      avatar_urls: ({ email, basis: { site } }) => avatarsOf(email, site),
      meta: ({ preferences }, context) => (context === 'edit' ? { persisted_preferences: shown(preferences) } : []),
    },
    links: ({ id }) => ({
      self: [{ href: `/core/v2/users/${id}` }],
      collection: [{ href: '/core/v2/users' }],
    }),
  });
}

/** Clients are used to a list where an object has nothing in it. */
const shown = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && Object.keys(value).length > 0 ? value : [];
