// Errors of the optimization of images, each code once.
import { defineError } from '#kernel/problem.ts';

export const imageErrors = {
  missingConfigs: defineError(
    400,
    'imgopt_missing_configs',
    'Send a list of presets, or an object with `action` or `job`.',
  ),
  unknownAction: defineError(
    400,
    'imgopt_unknown_action',
    (action: string) =>
      `\`${action}\` is not an action. Send apply, current, save, stats, bulk, optimize or restore as \`action\`.`,
  ),
  unknownPreset: defineError(404, 'imgopt_unknown_preset', (id: number) => `Preset ${id} does not exist.`),
  unknownImage: defineError(404, 'imgopt_unknown_image', (id: number) => `Image ${id} does not exist.`),
  noBackup: defineError(
    409,
    'imgopt_no_backup',
    (id: number) => `There is no backup of image ${id}, so it cannot be restored.`,
  ),
  backupTaken: defineError(
    409,
    'imgopt_backup_taken',
    (path: string) => `The original was left alone, because another file has the name of its backup, ${path}.`,
  ),
  invalidImage: defineError(415, 'imgopt_invalid_image', 'The file is damaged, or it is not a picture of its type.'),
  timeout: defineError(504, 'imgopt_timeout', 'The image took more than 60 seconds. Its files are unchanged.'),
  fileNotFound: defineError(404, 'imgopt_file_not_found', (path: string) => `The file ${path} does not exist.`),
  inProgress: defineError(
    409,
    'imgopt_in_progress',
    (id: number) => `Image ${id} is being optimized or restored. Try again in a minute.`,
  ),
  postChangedMeanwhile: defineError(
    409,
    'imgopt_post_changed',
    (id: number) => `Post ${id} was changed at the same moment. Optimize the image again to update it there.`,
  ),
};
