// The blocks that the site itself fills in, and what editors may say of each.
import type { Schema } from '#kernel/schema.ts';

export interface BlockKind {
  readonly title: string;
  readonly category: 'widgets' | 'theme' | 'embed' | 'reusable' | 'text' | 'media';
  readonly attributes: Readonly<Record<string, Schema>>;
}

const text: Schema = { type: 'string' };
const object: Schema = { type: 'object' };
const list: Schema = { type: 'array' };
const yes: Schema = { type: 'boolean', default: true };
const no: Schema = { type: 'boolean', default: false };
const size: Schema = { type: ['number', 'null'] };
const number = (value: number): Schema => ({ type: 'number', default: value });
const word = (value: string): Schema => ({ type: 'string', default: value });

/** Where it leads to, and how. */
const link = { isLink: no, rel: word(''), linkTarget: word('_self') };

/** What may be said of any of them. */
export const everyBlock: BlockKind['attributes'] = {
  ...{ lock: object, metadata: object, style: object, layout: object },
  ...{ align: text, anchor: text, className: text, textColor: text, backgroundColor: text, gradient: text },
  ...{ fontSize: text, fontFamily: text, borderColor: text },
};

/** By their names after `core/`. */
export const blockKinds: Readonly<Record<string, BlockKind>> = {
  block: { title: 'Pattern', category: 'reusable', attributes: { ref: { type: 'number' }, content: object } },
  embed: {
    title: 'Embed',
    category: 'embed',
    attributes: {
      ...{ url: text, caption: text, type: text, providerNameSlug: text },
      ...{ allowResponsive: yes, responsive: no, previewable: yes },
    },
  },
  'latest-posts': {
    title: 'Latest posts',
    category: 'widgets',
    attributes: {
      postsToShow: number(5),
      order: word('desc'),
      orderBy: word('date'),
      categories: { type: 'array', items: object },
      selectedAuthor: { type: 'number' },
      ...{ displayPostDate: no, displayAuthor: no, displayFeaturedImage: no, displayPostContent: no },
      ...{ displayPostContentRadio: word('excerpt'), excerptLength: number(55), postLayout: word('list') },
      columns: number(3),
      ...{ featuredImageAlign: text, featuredImageSizeSlug: word('thumbnail'), addLinkToFeaturedImage: no },
      ...{ featuredImageSizeWidth: size, featuredImageSizeHeight: size },
    },
  },
  'latest-comments': {
    title: 'Latest comments',
    category: 'widgets',
    attributes: {
      commentsToShow: number(5),
      ...{ displayAvatar: yes, displayDate: yes, displayExcerpt: yes, displayContent: text },
    },
  },
  categories: {
    title: 'Terms list',
    category: 'widgets',
    attributes: {
      taxonomy: word('category'),
      ...{ showPostCounts: no, showHierarchy: no, displayAsDropdown: no, showOnlyTopLevel: no, showEmpty: no },
      ...{ label: text, showLabel: yes },
    },
  },
  archives: {
    title: 'Archives',
    category: 'widgets',
    attributes: { type: word('monthly'), showPostCounts: no, displayAsDropdown: no, label: text, showLabel: yes },
  },
  'tag-cloud': {
    title: 'Tag cloud',
    category: 'widgets',
    attributes: {
      numberOfTags: number(45),
      ...{ taxonomy: word('post_tag'), showTagCounts: no },
      ...{ smallestFontSize: word('8pt'), largestFontSize: word('22pt') },
    },
  },
  search: {
    title: 'Search',
    category: 'widgets',
    attributes: {
      ...{ label: text, showLabel: yes, placeholder: word(''), buttonText: text },
      ...{ buttonPosition: word('button-outside'), buttonUseIcon: no, isSearchFieldHidden: no },
      ...{ width: size, widthUnit: text, query: object },
    },
  },
  'page-list': {
    title: 'Page list',
    category: 'widgets',
    attributes: { parentPageID: { type: 'integer', default: 0 }, isNested: no },
  },
  'post-title': {
    title: 'Title',
    category: 'theme',
    attributes: { level: number(2), levelOptions: list, textAlign: text, placeholder: text, ...link },
  },
  'post-content': { title: 'Content', category: 'theme', attributes: { tagName: word('div') } },
  'post-date': {
    title: 'Date',
    category: 'theme',
    attributes: { format: text, isLink: no, displayType: word('date'), datetime: text, textAlign: text },
  },
  'post-excerpt': {
    title: 'Excerpt',
    category: 'theme',
    attributes: { moreText: text, showMoreOnNewLine: yes, excerptLength: number(55), textAlign: text },
  },
  'post-featured-image': {
    title: 'Featured image',
    category: 'theme',
    attributes: {
      ...link,
      ...{ sizeSlug: text, aspectRatio: text, width: text, height: text, scale: word('cover') },
      ...{ overlayColor: text, customOverlayColor: text, dimRatio: number(0), customGradient: text },
      useFirstImageFromPost: no,
    },
  },
  'site-title': {
    title: 'Site title',
    category: 'theme',
    attributes: { level: number(1), levelOptions: list, textAlign: text, isLink: yes, linkTarget: word('_self') },
  },
  footnotes: { title: 'Footnotes', category: 'text', attributes: {} },
};
