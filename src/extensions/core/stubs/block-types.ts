// The blocks that the site itself fills in when a page is made, as editors ask for them.

import { Problem } from '#kernel/problem.ts';
import type { Schema, TSchema } from '#kernel/schema.ts';
import type { Toolkit } from '#site/extension.ts';
import type { Core } from '../core.ts';

interface Kind {
  readonly title: string;
  readonly category: 'widgets' | 'theme' | 'embed' | 'reusable' | 'text' | 'media';
  readonly attributes: Readonly<Record<string, Schema>>;
}

const text: Schema = { type: 'string' };
const yes: Schema = { type: 'boolean', default: true };
const no: Schema = { type: 'boolean', default: false };
const number = (value: number): Schema => ({ type: 'number', default: value });

/** By their names after `core/`. */
const kinds: Readonly<Record<string, Kind>> = {
  block: { title: 'Pattern', category: 'reusable', attributes: { ref: { type: 'number' } } },
  embed: {
    title: 'Embed',
    category: 'embed',
    attributes: { url: text, caption: text, type: text, providerNameSlug: text, responsive: no },
  },
  'latest-posts': {
    title: 'Latest posts',
    category: 'widgets',
    attributes: {
      postsToShow: number(5),
      order: { ...text, default: 'desc' },
      orderBy: { ...text, default: 'date' },
      categories: { type: 'array', items: { type: 'object' } },
      selectedAuthor: { type: 'number' },
      displayPostDate: no,
      displayAuthor: no,
      displayFeaturedImage: no,
      displayPostContent: no,
      excerptLength: number(55),
    },
  },
  'latest-comments': {
    title: 'Latest comments',
    category: 'widgets',
    attributes: { commentsToShow: number(5), displayAvatar: yes, displayDate: yes, displayExcerpt: yes },
  },
  categories: {
    title: 'Terms list',
    category: 'widgets',
    attributes: {
      taxonomy: { ...text, default: 'category' },
      showPostCounts: no,
      showHierarchy: no,
      displayAsDropdown: no,
    },
  },
  archives: {
    title: 'Archives',
    category: 'widgets',
    attributes: { type: { ...text, default: 'monthly' }, showPostCounts: no },
  },
  'tag-cloud': {
    title: 'Tag cloud',
    category: 'widgets',
    attributes: {
      numberOfTags: number(45),
      smallestFontSize: { ...text, default: '8pt' },
      largestFontSize: { ...text, default: '22pt' },
    },
  },
  search: { title: 'Search', category: 'widgets', attributes: { label: text, placeholder: text, buttonText: text } },
  'page-list': {
    title: 'Page list',
    category: 'widgets',
    attributes: { parentPageID: { type: 'integer', default: 0 } },
  },
  'post-title': { title: 'Title', category: 'theme', attributes: { level: number(2), isLink: no } },
  'post-content': { title: 'Content', category: 'theme', attributes: {} },
  'post-date': { title: 'Date', category: 'theme', attributes: { format: text, isLink: no } },
  'post-excerpt': { title: 'Excerpt', category: 'theme', attributes: { moreText: text, excerptLength: number(55) } },
  'post-featured-image': { title: 'Featured image', category: 'theme', attributes: { isLink: no, sizeSlug: text } },
  'site-title': { title: 'Site title', category: 'theme', attributes: { level: number(1), isLink: yes } },
  footnotes: { title: 'Footnotes', category: 'text', attributes: {} },
};

interface BlockType extends Kind {
  readonly name: string;
}

export const blockTypes: readonly BlockType[] = Object.entries(kinds).map(([name, kind]) => ({
  name: `core/${name}`,
  ...kind,
}));

export function blockTypeOf(namespace: string, name: string): BlockType {
  const found = blockTypes.find((one) => one.name === `${namespace}/${name}`);
  if (found === undefined) throw new Problem(404, 'rest_block_type_invalid', 'There is no such block.');
  return found;
}

const handles = ['editor_script', 'script', 'view_script', 'editor_style', 'style', 'view_style'] as const;

export function blockTypeResource({ t, resource }: Toolkit<Core>) {
  const context = ['embed', 'view', 'edit'] as const;
  const field = (schema: Schema): TSchema => t.fixed(t.untyped({ context, ...schema } as never));
  const map = field({ type: 'object', properties: {}, default: [] });
  const list = field({ type: 'array', items: text, default: [] });
  const word = field({ type: ['string', 'null'], default: null });
  const words = field({ type: ['array', 'null'], items: text, default: null });
  const loaded = handles.map((name) => [`${name}_handles`, list] as const);
  return resource({
    name: 'block-type',
    fields: {
      attributes: field({
        type: ['object', 'null'],
        properties: {},
        default: null,
        additionalProperties: { type: 'object' },
      }),
      is_dynamic: field({ type: 'boolean', default: false }),
      api_version: field({ type: 'integer', default: 1 }),
      name: field({ ...text, pattern: '^[a-z][a-z0-9-]*/[a-z][a-z0-9-]*$', required: true }),
      title: field({ ...text, default: '' }),
      description: field({ ...text, default: '' }),
      ...{ icon: word, category: word, keywords: list, parent: words, ancestor: words, allowed_blocks: words },
      ...{ provides_context: map, uses_context: list, selectors: map, supports: map, styles: list, textdomain: word },
      example: field({ type: ['object', 'null'], default: null }),
      ...Object.fromEntries(loaded),
      view_script_module_ids: list,
      variations: list,
      block_hooks: map,
      ...{ editor_script: word, script: word, view_script: word, editor_style: word, style: word },
    },
    compute: {
      ...Object.fromEntries(loaded.map(([name]) => [name, () => []])),
      ...nothing(['icon', 'parent', 'ancestor', 'allowed_blocks', 'textdomain', 'example'], null),
      ...nothing(['editor_script', 'script', 'view_script', 'editor_style', 'style'], null),
      ...nothing(['keywords', 'uses_context', 'styles', 'view_script_module_ids', 'variations', 'block_hooks'], []),
      ...nothing(['provides_context', 'selectors'], []),
      attributes: ({ attributes }: BlockType) => attributes,
      is_dynamic: () => true,
      api_version: () => 3,
      description: () => '',
      supports: () => ({ html: false }),
    } as Record<string, (type: BlockType) => unknown>,
    links: ({ name }: BlockType) => ({
      collection: [{ href: '/core/v2/block-types' }],
      self: [{ href: `/core/v2/block-types/${name}` }],
      up: [{ href: `/core/v2/block-types/${name.split('/')[0]}` }],
    }),
  });
}

const nothing = (names: readonly string[], value: unknown) =>
  Object.fromEntries(names.map((name) => [name, () => value]));
