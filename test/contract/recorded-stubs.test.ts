// What editors ask for besides content as it was recorded, replayed.
import { type Accepted, recorded } from './recorded.ts';
import { replayed } from './replaying.ts';

const look = 'how the site looks is its own affair: one theme, without templates and styles of its own (3.13)';
const none = 'there are no patterns of blocks (3.13)';
const facts =
  'the catalogue holds facts about the blocks of today; scripts, styles and search words are those of the editor itself';
const empty = 'what is always empty is not described in full';
const schema = 'body.schema.properties';

const accepted: readonly Accepted[] = [
  {
    exchange: 'themes?status=active',
    differs: [
      'body[]._links.wp:export-theme: missing',
      'body[].default_template_part_areas: an empty list instead of a list of some',
      'body[].default_template_types: an empty list instead of a list of some',
      'body[].tags.raw: an empty list instead of a list of some',
      'body[].theme_supports.html5: boolean instead of list',
    ],
    why: look,
  },
  { exchange: 'block-patterns/categories', differs: ['body: an empty list instead of a list of some'], why: none },
  {
    exchange: 'block-types/core/paragraph',
    differs: [
      'body.editor_style: null instead of string',
      'body.editor_style_handles: an empty list instead of a list of some',
      'body.keywords: an empty list instead of a list of some',
      'body.selectors: list instead of object',
      'body.style: null instead of string',
      'body.style_handles: an empty list instead of a list of some',
      'body.supports.typography.textShadow: more',
    ],
    why: facts,
  },
  {
    exchange: 'OPTIONS block-types',
    differs: [
      ...['allowed_blocks', 'ancestor', 'parent'].map((name) => `${schema}.${name}.items.pattern: missing`),
      ...['example.properties', 'provides_context.additionalProperties'].map((name) => `${schema}.${name}: missing`),
      ...['styles', 'variations'].map((name) => `${schema}.${name}.items.properties: missing`),
      `${schema}.block_hooks.patternProperties: missing`,
      `${schema}.block_hooks.properties: more`,
      `${schema}.variations.default: list instead of null`,
      ...['editor_script', 'script', 'view_script', 'editor_style', 'style', 'view_style'].map(
        (name) => `${schema}.${name}_handles.type: string instead of list`,
      ),
      `${schema}.view_script_module_ids.type: string instead of list`,
    ],
    why: empty,
  },
];

replayed({
  topic: 'stubs',
  exchanges: [
    ...recorded('other-core').filter(({ name }) => /^(?:themes|block-types|block-patterns|block-renderer)/.test(name)),
    ...recorded('options').filter(({ name }) => name === 'OPTIONS block-types'),
  ],
  accepted,
});
