// How the site looks is its own affair; editors are told of one theme, and what it can do.
import type { Toolkit } from '#site/extension.ts';
import { theme as name } from '#site/platform/site-facts.ts';
import type { Core } from '../core.ts';
import { coreErrors } from '../errors.ts';
import { formats } from '../posts/fields.ts';

interface Theme {
  readonly stylesheet: string;
  readonly version: string;
}

/** The number of the styles that users changed, by which the theme leads to them. No post has it: theirs are counted from 1. */
export const userStylesId = 2_147_483_647;

/** How a theme is named in an address. */
export const stylesheet = '(?P<stylesheet>[^\\/:<>\\*\\?"\\|]+(?:\\/[^\\/:<>\\*\\?"\\|]+)?)' as const;

export const themeOf = (version: string): Theme => ({ stylesheet: name, version });

export function refuseOtherTheme(stylesheet: string): void {
  if (stylesheet !== name) throw coreErrors.themeNotFound(stylesheet);
}

const off = [
  ...['block-templates', 'block-template-parts', 'custom-background', 'custom-header', 'custom-logo'],
  ...['customize-selective-refresh-widgets', 'dark-editor-style', 'disable-custom-colors'],
  ...['disable-custom-font-sizes', 'disable-custom-gradients', 'disable-layout-styles', 'editor-color-palette'],
  ...['editor-font-sizes', 'editor-gradient-presets', 'editor-spacing-sizes', 'editor-styles'],
];

const supports = {
  'align-wide': true,
  'automatic-feed-links': true,
  ...Object.fromEntries(off.map((feature) => [feature, false])),
  html5: true,
  formats,
  'post-thumbnails': true,
  'responsive-embeds': true,
  'title-tag': false,
  'wp-block-styles': false,
};

const shown = (text: string) => ({ raw: text, rendered: text });
const words = ['requires_php', 'requires_wp', 'textdomain', 'screenshot', 'stylesheet_uri', 'template_uri'] as const;
const texts = ['author', 'author_uri', 'description', 'theme_uri'] as const;

export function themeResource({ t, resource }: Toolkit<Core>) {
  const text = t.string();
  const pair = t.object({ raw: t.answeredAs({ type: 'string' }, t.untyped()), rendered: t.string() });
  const list = { type: 'array', items: { type: 'string' } };
  const tags = t.object({ raw: t.answeredAs(list, t.untyped()), rendered: t.string() });
  return resource({
    name: 'theme',
    fields: {
      stylesheet: text,
      template: text,
      requires_php: text,
      requires_wp: text,
      textdomain: text,
      version: text,
      screenshot: text,
      author: pair,
      author_uri: pair,
      description: pair,
      name: pair,
      tags,
      theme_uri: pair,
      status: t.choice(['active', 'inactive']),
      theme_supports: t.free(),
      is_block_theme: t.boolean(),
      stylesheet_uri: text,
      template_uri: text,
      default_template_types: t.list(t.free()),
      default_template_part_areas: t.list(t.free()),
    },
    compute: {
      ...Object.fromEntries(words.map((word) => [word, () => ''])),
      ...Object.fromEntries(texts.map((field) => [field, () => shown('')])),
      template: ({ stylesheet }: Theme) => stylesheet,
      name: () => shown('Site'),
      tags: () => ({ raw: [], rendered: '' }),
      status: () => 'active',
      theme_supports: () => supports,
      is_block_theme: () => false,
      default_template_types: () => [],
      default_template_part_areas: () => [],
    } as Record<string, (theme: Theme) => unknown>,
    links: ({ stylesheet }: Theme) => ({
      self: [{ href: `/core/v2/themes/${stylesheet}` }],
      collection: [{ href: '/core/v2/themes' }],
      'wp:user-global-styles': [{ href: `/core/v2/global-styles/${userStylesId}` }],
    }),
  });
}
