// The blocks that the site itself fills in when a page is made, and what may be said of them besides what the catalogue knows.
import type { Schema } from '#kernel/schema.ts';

type Attributes = Readonly<Record<string, Schema>>;

const text: Schema = { type: 'string' };
const object: Schema = { type: 'object' };
const no: Schema = { type: 'boolean', default: false };

/** What may be said of each of them, whatever it supports. */
export const everyBlock: Attributes = {
  lock: object,
  metadata: object,
  style: object,
  layout: object,
  align: text,
  anchor: text,
  className: text,
  textColor: text,
  backgroundColor: text,
  gradient: text,
  fontSize: text,
  fontFamily: text,
  borderColor: text,
};

/** By name after `core/`, with the attributes that older editors still send. */
export const dynamicBlocks: Readonly<Record<string, Attributes>> = {
  block: {},
  embed: {},
  'latest-posts': { postLayout: { ...text, default: 'list' }, columns: { type: 'number', default: 3 } },
  'latest-comments': { displayExcerpt: { type: 'boolean', default: true } },
  categories: {},
  archives: { label: text },
  'tag-cloud': {},
  search: { isSearchFieldHidden: no, width: { type: ['number', 'null'] } },
  'page-list': { isNested: no },
  'post-title': { textAlign: text },
  'post-content': {},
  'post-date': { displayType: { ...text, default: 'date' }, textAlign: text },
  'post-excerpt': { textAlign: text },
  'post-featured-image': {},
  'site-title': { textAlign: text },
  footnotes: {},
};
