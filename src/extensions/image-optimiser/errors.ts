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
  inProgress: defineError(
    409,
    'imgopt_in_progress',
    (id: number) => `Image ${id} is being optimized or restored. Try again in a minute.`,
  ),
  changedMeanwhile: defineError(
    409,
    'imgopt_changed_meanwhile',
    (id: number) => `Image ${id} was changed at the same moment. Optimize it again.`,
  ),
  postChangedMeanwhile: defineError(
    409,
    'imgopt_post_changed',
    (id: number) => `Post ${id} was changed at the same moment. Optimize the image again to update it there.`,
  ),
  jobNotFound: defineError(404, 'job_not_found', (id: string) => `Job ${id} does not exist.`),
};
