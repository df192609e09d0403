// Types that editors look up, of which this site keeps no records: parts of how a site looks, which is its own affair.
import { allOf, type ContentType } from '#site/content/types.ts';

/** A type as it is listed. */
export interface ListedType extends Omit<ContentType, 'supports'> {
  readonly supports: readonly string[];
  /** What a single record is called in capabilities, for a type that does not share them with posts. */
  readonly one?: string;
  /** The capability to read a record. */
  readonly read?: string;
  /** Nobody works on its records by themselves. */
  readonly isInner?: true;
}

const look = 'edit_theme_options';

const inner = (
  about: Pick<ListedType, 'name' | 'base' | 'label' | 'labels' | 'supports'> & Partial<ListedType>,
): ListedType => ({
  icon: null,
  description: '',
  hierarchical: false,
  viewable: false,
  isInner: true,
  taxonomies: [],
  read: look,
  capabilities: allOf(look),
  ...about,
});

const texts = ['title', 'slug', 'excerpt', 'editor', 'revisions', 'author', 'autosave'];
const ofPrivate = { edit_private: 'edit_private_posts', delete_private: 'delete_private_posts' };

const menuItem = inner({
  name: 'nav_menu_item',
  base: 'menu-items',
  label: 'Navigation menu item',
  labels: 'Navigation menu items',
  supports: ['title', 'editor', 'autosave'],
  read: 'read',
});

const template = inner({
  name: 'wp_template',
  base: 'templates',
  label: 'Template',
  labels: 'Templates',
  description: 'Layouts of pages of one type.',
  supports: texts,
  one: 'template',
});

const templatePart = inner({
  name: 'wp_template_part',
  base: 'template-parts',
  label: 'Template part',
  labels: 'Template parts',
  description: 'Parts that templates share.',
  supports: texts,
});

const globalStyles = inner({
  name: 'wp_global_styles',
  base: 'global-styles',
  label: 'Global styles',
  labels: 'Global styles',
  description: 'Colors, fonts and spacing of the whole site.',
  supports: ['title', 'editor', 'revisions'],
  read: 'edit_posts',
  capabilities: {
    ...allOf(look),
    ...ofPrivate,
    delete: 'delete_posts',
    publish: 'publish_posts',
    read_private: 'read_private_posts',
  },
});

const ofFonts = { supports: ['title'], capabilities: { ...allOf(look), ...ofPrivate } };

const fontFamily = inner({
  name: 'wp_font_family',
  base: 'font-families',
  label: 'Font family',
  labels: 'Font families',
  ...ofFonts,
});

const fontFace = inner({
  name: 'wp_font_face',
  base: 'font-families/(?P<font_family_id>[\\d]+)/font-faces',
  label: 'Font face',
  labels: 'Font faces',
  ...ofFonts,
});

/** Beside the types that the site keeps records of, in the order that clients know. */
export const listedTypes = (types: readonly ContentType[]): readonly ListedType[] =>
  types.flatMap((type): readonly ListedType[] => {
    if (type.name === 'wp_block') return [menuItem, type];
    return type.name === 'wp_navigation' ? [template, templatePart, globalStyles, type, fontFamily, fontFace] : [type];
  });
