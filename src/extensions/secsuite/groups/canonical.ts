// Five steps of what roles may, whatever they are called here: each role stands on the highest whose capabilities it shares.
import type { Roles } from '#site/identity/roles.ts';

/** From the highest to the lowest. */
export const canonicalNames = ['administrator', 'editor', 'author', 'contributor', 'subscriber'] as const;
export type Canonical = (typeof canonicalNames)[number];

/** Any of these sets a step apart from those below it. */
const distinguishing: Readonly<Record<Canonical, readonly string[]>> = {
  administrator: [
    ...['manage_options', 'create_users', 'edit_users', 'delete_users', 'list_users', 'promote_users', 'remove_users'],
    ...['activate_plugins', 'edit_plugins', 'install_plugins', 'update_plugins', 'delete_plugins'],
    ...['switch_themes', 'edit_themes', 'edit_theme_options', 'install_themes', 'update_themes', 'delete_themes'],
    ...['edit_dashboard', 'edit_files', 'import', 'export', 'unfiltered_upload', 'update_core'],
  ],
  editor: [
    ...['moderate_comments', 'manage_categories', 'manage_links', 'unfiltered_html'],
    ...['edit_others_posts', 'delete_others_posts'],
    ...['read_private_posts', 'edit_private_posts', 'delete_private_posts'],
    ...['edit_pages', 'publish_pages', 'delete_pages', 'edit_others_pages', 'delete_others_pages'],
    ...['edit_published_pages', 'delete_published_pages'],
    ...['read_private_pages', 'edit_private_pages', 'delete_private_pages'],
  ],
  author: ['publish_posts', 'upload_files', 'edit_published_posts', 'delete_published_posts'],
  contributor: ['edit_posts', 'delete_posts'],
  subscriber: ['read'],
};

/** Nothing for whoever may nothing of all that. */
export const canonicalOf = (capabilities: ReadonlySet<string>): Canonical | undefined =>
  canonicalNames.find((name) => distinguishing[name].some((one) => capabilities.has(one)));

export const isCanonical = (name: string): name is Canonical => (canonicalNames as readonly string[]).includes(name);

/** Whether the one step is the other, or above it. */
export const isAtLeast = (one: Canonical, other: Canonical): boolean =>
  canonicalNames.indexOf(one) <= canonicalNames.indexOf(other);

/** Every role of the site with its step, as the namespace tells it to those who look after users. */
export const rolesShown = (roles: Roles): Record<string, { label: string; canonical: string }> =>
  Object.fromEntries(
    roles.names.map((name) => [
      name,
      { label: roles.labelOf(name), canonical: canonicalOf(roles.capabilitiesOf([name])) ?? '' },
    ]),
  );
