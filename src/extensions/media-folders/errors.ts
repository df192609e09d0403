// Errors of media folders, each code once.
import { asSaid, defineError } from '#kernel/problem.ts';

export const folderErrors = {
  validationFailed: defineError(400, 'validation_failed', asSaid),
  invalidParams: defineError(400, 'invalid_params', asSaid),
  deleteFailed: defineError(400, 'delete_failed', '`ids` is empty. Name at least one folder to delete.'),
  folderNotFound: defineError(404, 'folder_not_found', (id: number) => `Folder ${id} does not exist.`),
  folderNameExists: defineError(
    409,
    'folder_name_exist',
    (name: string) => `A folder "${name}" exists here already. Choose another name.`,
  ),
  folderCycle: defineError(409, 'folder_cycle', 'A folder cannot be moved into itself or into one of its subfolders.'),
  folderLimit: defineError(409, 'folder_limit', asSaid),
  missingFile: defineError(400, 'missing_file', 'The form has no file. Send the CSV file in the field `file`.'),
  invalidCsv: defineError(400, 'invalid_csv', asSaid),
  csvCycle: defineError(
    400,
    'folder_cycle',
    (line: number) => `Line ${line} puts a folder below itself. Correct the column \`parent\`.`,
  ),
  importSourceNotFound: defineError(
    404,
    'import_source_not_found',
    (prefix: string) => `Import source "${prefix}" does not exist. Use terms, tree or items.`,
  ),
  importNotPrepared: defineError(
    409,
    'import_not_prepared',
    (prefix: string) => `Call import/get-folders/${prefix} and import/get-attachments/${prefix} first.`,
  ),
};
