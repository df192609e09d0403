// The blocks that editors know, as they ask for them. What the catalogue says of each are facts about established editors: names,
// attributes, and what a block supports; the attributes that follow from its support are added here.
import type { Schema, TSchema } from '#kernel/schema.ts';
import type { Toolkit } from '#site/extension.ts';
import type { Core } from '../core.ts';
import { coreErrors } from '../errors.ts';
import catalogue from './block-catalogue.json' with { type: 'json' };
import { dynamicBlocks } from './dynamic-blocks.ts';

// The attributes that a block has because of what it supports: colors, sizes, alignment and the like.

type Supports = Readonly<Record<string, unknown>>;

const supportText = { type: 'string' };
const object = { type: 'object' };
const alignment = { type: 'string', enum: ['left', 'center', 'right', 'wide', 'full', ''] };

/** Any of these is written into the attribute `style`. */
const styled = [
  ...['background', 'border', '__experimentalBorder', 'color', 'customCSS', 'dimensions'],
  ...['position', 'shadow', 'spacing', 'typography'],
];

function supportAttributes(supports: Supports): Record<string, object> {
  const { align, anchor, ariaLabel, color, customClassName, layout, typography } = supports;
  const border = supports.border ?? supports.__experimentalBorder;
  const has: readonly (readonly [name: string, schema: object, isSupported: boolean])[] = [
    ['lock', object, true],
    ['metadata', object, true],
    ['align', alignment, isOn(align)],
    ['className', supportText, customClassName !== false],
    ['style', object, styled.some((name) => isOn(supports[name]))],
    ['backgroundColor', supportText, isOn(color) && partOf(color, 'background') !== false],
    ['textColor', supportText, isOn(color) && partOf(color, 'text') !== false],
    ['gradient', supportText, isOn(partOf(color, 'gradients'))],
    ['fontSize', supportText, isOn(partOf(typography, 'fontSize'))],
    ['fontFamily', supportText, isOn(partOf(typography, '__experimentalFontFamily'))],
    ['borderColor', supportText, border === true || isOn(partOf(border, 'color'))],
    ['layout', object, isOn(layout)],
    ['anchor', supportText, isOn(anchor)],
    ['ariaLabel', supportText, isOn(ariaLabel)],
  ];
  return Object.fromEntries(has.filter(([, , isSupported]) => isSupported).map(([name, schema]) => [name, schema]));
}

const isOn = (support: unknown): boolean => support !== undefined && support !== false;

const partOf = (support: unknown, part: string): unknown =>
  typeof support === 'object' && support !== null ? (support as Supports)[part] : undefined;

const text: Schema = { type: 'string' };

interface CatalogueBlock {
  readonly title: string;
  readonly category: string;
  readonly attributes?: Readonly<Record<string, object>>;
  readonly supports?: Supports;
  readonly parent?: readonly string[];
  readonly ancestor?: readonly string[];
  readonly allowed_blocks?: readonly string[];
  readonly uses_context?: readonly string[];
  readonly provides_context?: Readonly<Record<string, string>>;
}

interface BlockType extends CatalogueBlock {
  readonly name: string;
  /** Its own, and those that follow from what it supports. */
  readonly attributes: Readonly<Record<string, object>>;
  /** Whether the site fills it in. */
  readonly is_dynamic: boolean;
}

export const blockTypes: readonly BlockType[] = Object.entries(catalogue as Record<string, CatalogueBlock>).map(
  ([name, block]) => ({
    ...block,
    name: `core/${name}`,
    attributes: { ...block.attributes, ...supportAttributes(block.supports ?? {}) },
    is_dynamic: Object.hasOwn(dynamicBlocks, name),
  }),
);

export function blockTypeOf(namespace: string, name: string): BlockType {
  const found = blockTypes.find((one) => one.name === `${namespace}/${name}`);
  if (found === undefined) throw coreErrors.blockTypeInvalid(`${namespace}/${name}`);
  return found;
}

const handles = ['editor_script', 'script', 'view_script', 'editor_style', 'style', 'view_style'];
const handleFields = handles.map((name) => `${name}_handles`);

const alwaysAnswering = (names: readonly string[], value: unknown) =>
  Object.fromEntries(names.map((name) => [name, () => value]));

/** The site loads no scripts or styles for blocks, so most fields say so for every block. */
const compute: Record<string, (type: BlockType) => unknown> = {
  ...alwaysAnswering(handleFields, []),
  ...alwaysAnswering(['icon', 'textdomain', 'example'], null),
  ...alwaysAnswering(['editor_script', 'script', 'view_script', 'editor_style', 'style'], null),
  ...alwaysAnswering(['keywords', 'selectors', 'styles', 'view_script_module_ids', 'variations', 'block_hooks'], []),
  parent: ({ parent }: BlockType) => parent ?? null,
  ancestor: ({ ancestor }) => ancestor ?? null,
  allowed_blocks: ({ allowed_blocks }) => allowed_blocks ?? null,
  uses_context: ({ uses_context = [] }) => uses_context,
  provides_context: ({ provides_context = [] }) => provides_context,
  supports: ({ supports = [] }) => supports,
  api_version: () => 3,
  description: () => '',
};

export function blockTypeResource({ t, resource }: Toolkit<Core>) {
  const context = ['embed', 'view', 'edit'] as const;
  const field = (schema: Schema): TSchema => t.fixed(t.untyped({ context, ...schema } as never));
  const map = t.listWhenEmpty(field({ type: 'object', properties: {}, default: [] }));
  const list = field({ type: 'array', items: text, default: [] });
  const word = field({ type: ['string', 'null'], default: null });
  const words = field({ type: ['array', 'null'], items: text, default: null });
  const loaded = handleFields.map((name) => [name, list] as const);
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
      icon: word,
      category: word,
      keywords: list,
      parent: words,
      ancestor: words,
      allowed_blocks: words,
      provides_context: map,
      uses_context: list,
      selectors: map,
      supports: map,
      styles: list,
      textdomain: word,
      example: field({ type: ['object', 'null'], default: null }),
      ...Object.fromEntries(loaded),
      view_script_module_ids: list,
      variations: list,
      block_hooks: map,
      editor_script: word,
      script: word,
      view_script: word,
      editor_style: word,
      style: word,
    },
    compute,
    links: ({ name }: BlockType) => ({
      collection: [{ href: '/core/v2/block-types' }],
      self: [{ href: `/core/v2/block-types/${name}` }],
      up: [{ href: `/core/v2/block-types/${name.split('/')[0]}` }],
    }),
  });
}
