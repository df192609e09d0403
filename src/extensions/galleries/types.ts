// Galleries and albums as content types. `core` serves their records, pages, revisions and trash like those of posts.
import { type ContentType, post } from '#site/content/types.ts';

const shared = {
  hierarchical: false,
  viewable: true,
  supports: ['title', 'editor', 'author', 'thumbnail', 'revisions', 'autosave'],
  taxonomies: [],
  capabilities: post.capabilities,
} as const satisfies Partial<ContentType>;

export const galleryType: ContentType = {
  ...shared,
  name: 'gallery',
  base: 'galleries',
  label: 'Gallery',
  labels: 'Galleries',
  icon: 'dashicons-format-gallery',
  description: 'A sorted list of pictures.',
};

export const albumType: ContentType = {
  ...shared,
  name: 'album',
  base: 'albums',
  label: 'Album',
  labels: 'Albums',
  icon: 'dashicons-images-alt2',
  description: 'A sorted list of galleries.',
};
