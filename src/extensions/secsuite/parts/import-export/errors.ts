import { asSaid, defineError } from '#kernel/problem.ts';

export const transferErrors = {
  exportNotFound: defineError(404, 'secsuite_export_not_found', (id: string) => `Export ${id} does not exist.`),
  sourceNotFound: defineError(
    404,
    'secsuite_import_export_source_not_found',
    (slug: string) => `The source "${slug}" does not exist.`,
  ),
  missingFile: defineError(
    400,
    'secsuite_import_missing_export',
    'The form has no file. Send the export in the field `file`.',
  ),
  fileEmpty: defineError(400, 'secsuite.import-export.export-file-empty', 'The file is empty. Export it again.'),
  invalidJson: defineError(400, 'secsuite.import-export.export-invalid-json', asSaid),
  missingFiles: defineError(
    400,
    'secsuite.import-export.export-file-missing-files',
    'The zip file holds no `.json` file. Send the zip file of one export.',
  ),
  multipleFiles: defineError(
    400,
    'secsuite.import-export.export-file-multiple-files',
    'The zip file holds more than one `.json` file. Send the zip file of one export.',
  ),
  newerBuild: defineError(
    400,
    'secsuite.import-export.newer-build',
    (build: number) => `The export is of a newer version (build ${build}). Update this site first.`,
  ),
  tooLarge: defineError(
    413,
    'rest_upload_limit',
    'The export is too large: the limit is 10 MiB, and 50 MiB when unpacked. With more than 100,000 values, import it with `gatehouse security import`.',
  ),
};
