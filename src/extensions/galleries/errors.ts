// Errors of galleries and albums, each code once.
import { defineError } from '#kernel/problem.ts';

export const galleryErrors = {
  galleryNotFound: defineError(404, 'gallery_not_found', (id: number) => `Gallery ${id} does not exist.`),
  albumNotFound: defineError(404, 'album_not_found', (id: number) => `Album ${id} does not exist.`),
  unknownGallery: defineError(
    400,
    'gallery_not_found',
    (id: number) => `Gallery ${id} does not exist. Send only galleries that exist.`,
  ),
  tooManyItems: defineError(400, 'too_many_items', (most: number) => `A gallery holds at most ${most} items.`),
  tooManyImages: defineError(400, 'too_many_images', (most: number) => `Send at most ${most} images at a time.`),
  tooManyGalleries: defineError(
    400,
    'too_many_galleries',
    (most: number) => `An album holds at most ${most} galleries.`,
  ),
  fetchFailed: defineError(502, 'image_fetch_failed', 'The picture could not be downloaded from its URL.'),
  foreignImage: defineError(400, 'foreign_image', 'The URL must belong to the media library of this site.'),
  tooManyCrops: defineError(409, 'too_many_crops', (most: number) => `A picture has at most ${most} crops.`),
  changedMeanwhile: defineError(
    409,
    'gallery_changed',
    (id: number) => `Gallery ${id} was changed at the same moment. Try again.`,
  ),
};
