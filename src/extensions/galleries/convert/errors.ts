// Errors of gallery-convert/v1, each code once.
import { defineError } from '#kernel/problem.ts';

export const convertErrors = {
  invalidPostId: defineError(400, 'invalid_post_id', '`post_id` must be the id of a post, for example 12.'),
  postNotFound: defineError(404, 'post_not_found', (id: number) => `Post ${id} does not exist.`),
  noImages: defineError(400, 'no_images', '`images` must be a list with at least one picture.'),
  invalidImageData: defineError(
    400,
    'invalid_image_data',
    (at: number) => `\`images[${at}]\` must have the \`id\` and the \`url\` of a picture of the media library.`,
  ),
  missingPostType: defineError(400, 'missing_post_type', '`selected_posttype` must name a content type, such as post.'),
  unknownPostType: defineError(404, 'unknown_post_type', (name: string) => `Content type "${name}" does not exist.`),
  noItems: defineError(400, 'no_items', (name: string) => `There is no content of the type "${name}".`),
  noGalleries: defineError(
    400,
    'no_galleries',
    (name: string) => `No content of the type "${name}" has a gallery block or a [gallery] shortcode.`,
  ),
  notConvertible: defineError(
    400,
    'not_convertible',
    (id: number) =>
      `Post ${id} has no gallery that can be converted. Galleries need pictures of the media library, or pictures with a public URL.`,
  ),
  nothingToRevert: defineError(
    400,
    'nothing_to_revert',
    (id: number) => `Post ${id} shows no gallery that was converted from an earlier form.`,
  ),
  postChanged: defineError(
    409,
    'post_changed',
    (id: number) => `Post ${id} was changed at the same moment. Nothing was converted. Try again.`,
  ),
};
