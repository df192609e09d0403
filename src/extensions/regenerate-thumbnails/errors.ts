// Errors of the regeneration of thumbnails, each code once.
import { defineError } from '#kernel/problem.ts';

export const thumbnailErrors = {
  doesNotExist: defineError(
    404,
    'regenerate_thumbnails_regenerator_attachment_doesnt_exist',
    (id: string) => `Media item ${id} does not exist.`,
  ),
  notAttachment: defineError(
    400,
    'regenerate_thumbnails_regenerator_not_attachment',
    (id: string) => `Record ${id} is not a media item.`,
  ),
  isSiteIcon: defineError(
    415,
    'regenerate_thumbnails_regenerator_is_site_icon',
    'This picture is or was the icon of the site, so its copies are not regenerated.',
  ),
  fileNotFound: defineError(
    404,
    'regenerate_thumbnails_regenerator_file_not_found',
    'The original picture of this media item does not exist.',
  ),
  noMetadata: defineError(
    404,
    'regenerate_thumbnails_regenerator_no_metadata',
    'The size of this picture is not known yet. Regenerate its thumbnails first.',
  ),
  noEditor: defineError(415, 'image_no_editor', 'Copies cannot be made of files of this type.'),
  inProgress: defineError(
    409,
    'regenerate_thumbnails_in_progress',
    'The files of this picture are being changed already. Try again in a minute.',
  ),
  timeout: defineError(
    504,
    'regenerate_thumbnails_timeout',
    'Making the copies took more than 60 seconds. The existing copies are unchanged.',
  ),
  changedMeanwhile: defineError(
    409,
    'regenerate_thumbnails_post_changed',
    (id: number) => `Post ${id} was changed at the same moment. Regenerate again to update the picture there.`,
  ),
  runTakenOver: defineError(
    409,
    'regenerate_thumbnails_run_taken_over',
    'Another process took over this run and goes on with it, so this one ends.',
  ),
};
