// What kinds of content there are, and by what they are sorted. Each is a value; extensions add theirs.

/** The capabilities that are asked for, by what is done. */
interface TypeCapabilities {
  readonly create: string;
  readonly edit: string;
  readonly edit_others: string;
  readonly edit_published: string;
  readonly edit_private: string;
  readonly publish: string;
  readonly read_private: string;
  readonly delete: string;
  readonly delete_others: string;
  readonly delete_published: string;
  readonly delete_private: string;
}

type Supported =
  | 'title'
  | 'editor'
  | 'excerpt'
  | 'author'
  | 'thumbnail'
  | 'comments'
  | 'trackbacks'
  | 'custom-fields'
  | 'revisions'
  | 'autosave'
  | 'page-attributes'
  | 'post-formats';

export interface ContentType {
  readonly name: string;
  /** The path of its records in the interface: `posts`. */
  readonly base: string;
  /** One of it, and many. */
  readonly label: string;
  readonly labels: string;
  readonly icon: string | null;
  readonly description: string;
  readonly hierarchical: boolean;
  /** Whether everybody may look at it, and it has pages of its own. */
  readonly viewable: boolean;
  /** Whether only those who may edit it see any of it. */
  readonly guarded?: true;
  readonly supports: readonly Supported[];
  /** Whether those who edit its records may leave notes on them. */
  readonly notes?: true;
  /** What records at the top of the site cannot be called: something else answers there. */
  readonly taken?: ReadonlySet<string>;
  /** By name. */
  readonly taxonomies: readonly string[];
  readonly capabilities: TypeCapabilities;
}

export interface Taxonomy {
  readonly name: string;
  readonly base: string;
  readonly label: string;
  readonly labels: string;
  readonly description: string;
  readonly hierarchical: boolean;
  readonly public: boolean;
  /** The types whose records it sorts. */
  readonly types: readonly string[];
  readonly capabilities: {
    readonly manage: string;
    readonly edit: string;
    readonly delete: string;
    readonly assign: string;
  };
}

/** The capabilities of a family: `familyOf('post')` asks for `edit_posts`, `edit_others_posts` … */
const familyOf = (one: string): TypeCapabilities => ({
  create: `edit_${one}s`,
  edit: `edit_${one}s`,
  edit_others: `edit_others_${one}s`,
  edit_published: `edit_published_${one}s`,
  edit_private: `edit_private_${one}s`,
  publish: `publish_${one}s`,
  read_private: `read_private_${one}s`,
  delete: `delete_${one}s`,
  delete_others: `delete_others_${one}s`,
  delete_published: `delete_published_${one}s`,
  delete_private: `delete_private_${one}s`,
});

/** One capability for all that is done. */
export const allOf = (capability: string): TypeCapabilities =>
  Object.fromEntries(Object.keys(familyOf('post')).map((deed) => [deed, capability])) as unknown as TypeCapabilities;

export const post: ContentType = {
  name: 'post',
  base: 'posts',
  label: 'Post',
  labels: 'Posts',
  icon: 'dashicons-admin-post',
  description: '',
  hierarchical: false,
  viewable: true,
  notes: true,
  supports: [
    'title',
    'editor',
    'author',
    'thumbnail',
    'excerpt',
    'trackbacks',
    'custom-fields',
    'comments',
    'revisions',
    'post-formats',
    'autosave',
  ],
  taxonomies: ['category', 'post_tag'],
  capabilities: familyOf('post'),
};

export const page: ContentType = {
  name: 'page',
  base: 'pages',
  label: 'Page',
  labels: 'Pages',
  icon: 'dashicons-admin-page',
  description: '',
  hierarchical: true,
  viewable: true,
  notes: true,
  supports: [
    'title',
    'editor',
    'author',
    'thumbnail',
    'page-attributes',
    'custom-fields',
    'comments',
    'revisions',
    'autosave',
  ],
  taxonomies: [],
  capabilities: familyOf('page'),
};

export const attachment: ContentType = {
  name: 'attachment',
  base: 'media',
  label: 'Media',
  labels: 'Media',
  icon: 'dashicons-admin-media',
  description: '',
  hierarchical: false,
  viewable: true,
  supports: ['title', 'author', 'comments'],
  taxonomies: [],
  capabilities: { ...familyOf('post'), create: 'upload_files' },
};

export const block: ContentType = {
  name: 'wp_block',
  base: 'blocks',
  label: 'Pattern',
  labels: 'Patterns',
  icon: null,
  description: '',
  hierarchical: false,
  viewable: false,
  guarded: true,
  supports: ['title', 'excerpt', 'editor', 'revisions', 'custom-fields', 'autosave'],
  taxonomies: ['wp_pattern_category'],
  capabilities: { ...familyOf('post'), create: 'publish_posts' },
};

export const navigation: ContentType = {
  name: 'wp_navigation',
  base: 'navigation',
  label: 'Navigation menu',
  labels: 'Navigation menus',
  icon: null,
  description: 'Navigation menus that can be inserted into the site.',
  hierarchical: false,
  viewable: false,
  supports: ['title', 'editor', 'revisions', 'autosave'],
  taxonomies: [],
  capabilities: allOf('edit_theme_options'),
};

const terms = (assign: string) => ({
  manage: 'manage_categories',
  edit: 'manage_categories',
  delete: 'manage_categories',
  assign,
});

export const category: Taxonomy = {
  name: 'category',
  base: 'categories',
  label: 'Category',
  labels: 'Categories',
  description: '',
  hierarchical: true,
  public: true,
  types: ['post'],
  capabilities: terms('edit_posts'),
};

export const tag: Taxonomy = {
  name: 'post_tag',
  base: 'tags',
  label: 'Tag',
  labels: 'Tags',
  description: '',
  hierarchical: false,
  public: true,
  types: ['post'],
  capabilities: terms('edit_posts'),
};

export const patternCategory: Taxonomy = {
  name: 'wp_pattern_category',
  base: 'wp_pattern_category',
  label: 'Pattern category',
  labels: 'Pattern categories',
  description: '',
  hierarchical: false,
  public: false,
  types: ['wp_block'],
  capabilities: terms('edit_posts'),
};

/** Everything that is known of kinds. */
export interface Kinds {
  readonly types: readonly ContentType[];
  readonly taxonomies: readonly Taxonomy[];
  type(name: string): ContentType | undefined;
  taxonomy(name: string): Taxonomy | undefined;
  /** Those that sort records of this type, in the order of the interface. */
  taxonomiesOf(type: ContentType): readonly Taxonomy[];
  /** What stands at the top of the site and is no record. */
  readonly taken: ReadonlySet<string>;
  /**
   * From now on no record is called as the first part of one of these paths, where that would be the first of its own. Returns how to
   * take that back, once.
   */
  take(paths: readonly string[]): () => void;
}

/** `arePostsAtTop`: whether the slug of a post is the first part of its path. */
export function createKinds(more: readonly ContentType[] = [], arePostsAtTop = false): Kinds {
  const taken = new Set<string>();
  const takings = new Set<readonly string[]>();
  const posts = arePostsAtTop ? { ...post, taken } : post;
  const types = [posts, { ...page, taken }, { ...attachment, taken }, ...more, block, navigation];
  const taxonomies = [category, tag, patternCategory];
  const byName = new Map(types.map((one) => [one.name, one]));
  const sorting = new Map(taxonomies.map((one) => [one.name, one]));
  return {
    types,
    taxonomies,
    type: (name) => byName.get(name),
    taxonomy: (name) => sorting.get(name),
    taxonomiesOf: (type) => type.taxonomies.map((name) => sorting.get(name)!),
    taken,
    take(paths) {
      const tops = paths.map((path) => path.split('/').find((part) => part !== '') ?? '');
      takings.add(tops);
      for (const top of tops) taken.add(top);
      return () => {
        takings.delete(tops);
        const kept = new Set([...takings].flat());
        for (const top of tops) if (!kept.has(top)) taken.delete(top);
      };
    },
  };
}
