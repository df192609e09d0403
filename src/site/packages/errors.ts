// Errors of packages, each code once.
import { asSaid, defineError } from '#kernel/problem.ts';

export const packageErrors = {
  invalidPackage: defineError(422, 'invalid_package', asSaid),
  pluginNotFound: defineError(404, 'plugin_not_found', asSaid),
  integrityFailed: defineError(422, 'integrity_failed', asSaid),
  requirementsNotMet: defineError(409, 'requirements_not_met', asSaid),
  filesystemError: defineError(
    500,
    'filesystem_error',
    (why: string) => `${why}. Read the log of the site for the cause.`,
  ),
  installInProgress: defineError(409, 'install_in_progress', asSaid),
  fileModsDisabled: defineError(
    403,
    'file_mods_disabled',
    'The operator of this site has turned off installing and removing extensions.',
  ),
  downloadFailed: defineError(502, 'download_failed', asSaid),
  extensionIsNeeded: defineError(409, 'extension_is_needed', asSaid),
  extensionNeedsAnother: defineError(409, 'extension_needs_another', asSaid),
  activationFailed: defineError(
    500,
    'activation_failed',
    (name: string, why: string, goesOn: string) => `${name} does not start: ${why}.${goesOn}`,
  ),
  updateUndone: defineError(
    500,
    'update_undone',
    (name: string, version: string, why: string, before: string) =>
      `${name} ${version} was installed, but the site did not work afterwards: ${why.replace(/[.\s]+$/, '')}. The site runs ${before} again.`,
  ),
  comesWithGatehouse: defineError(
    400,
    'comes_with_gatehouse',
    (name: string) => `${name} comes with Gatehouse and is updated with it.`,
  ),
  olderVersion: defineError(
    409,
    'older_version',
    (name: string, now: string, version: string, slug: string) =>
      `${name} ${now} is installed, but the catalogue has the older version ${version}, which may not work with the tables of ${slug}.`,
  ),
  cannotDeleteBundled: defineError(
    400,
    'rest_cannot_delete',
    (name: string) => `${name} comes with Gatehouse: you can turn it off, but not remove it.`,
  ),
  cannotDeleteActivePlugin: defineError(
    400,
    'rest_cannot_delete_active_plugin',
    (slug: string) => `The extension ${slug} is on. Turn it off first.`,
  ),
};
