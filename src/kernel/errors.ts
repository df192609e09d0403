// Errors of the kernel, each code once.
import { asSaid, defineDenial, defineError, type Problem, type Reason } from './problem.ts';

export const kernelErrors = {
  tooBusy: defineError(503, 'rest_too_busy', (what: string) => `${what} Please try again in a moment.`, {
    headers: { 'Retry-After': '5' },
  }),
  clientLeft: defineError(503, 'rest_client_left', 'The client closed the connection before the answer was made.'),
  invalidJson: defineError(400, 'rest_invalid_json', (why: string) => `The body is not valid JSON: ${why}.`),
  bodyTooLarge: defineError(413, 'rest_body_too_large', asSaid),
  invalidParam: defineError(400, 'rest_invalid_param', asSaid),
  missingCallbackParam: defineError(400, 'rest_missing_callback_param', asSaid),
  emptyContent: defineError(400, 'empty_content', 'Nothing was saved.'),
  uploadFileTooBig: defineError(413, 'rest_upload_file_too_big', asSaid),
  forbidden: defineDenial('rest_forbidden', 'do that'),
  noRoute: defineError(404, 'rest_no_route', 'There is nothing at this address that answers this method.'),
  internalError: defineError(500, 'rest_internal_error', 'Something went wrong on our side. It has been written down.'),
  storageFull: defineError(
    507,
    'storage_full',
    'There is no room left to keep this, so nothing was changed. Please tell the site owner.',
  ),
  storageUnavailable: defineError(503, 'storage_unavailable', asSaid),
  batchNotAllowed: defineError(400, 'rest_batch_not_allowed', 'This route cannot be part of a batch.'),
  parsePathFailed: defineError(400, 'parse_path_failed', (path: string) => `The path ${path} cannot be read.`),
  bodyIncomplete: defineError(400, 'rest_body_incomplete', 'The body ended before it was complete.'),
  requestTimeout: defineError(408, 'rest_request_timeout', 'The request took too long to arrive.'),
  unsupportedEncoding: defineError(415, 'rest_unsupported_encoding', 'Please send the body uncompressed.'),
  uploadNoData: defineError(400, 'rest_upload_no_data', 'No file was sent.'),
  uploadNoContentDisposition: defineError(
    400,
    'rest_upload_no_content_disposition',
    'Please name the file with the header Content-Disposition.',
  ),
  uploadInvalidDisposition: defineError(
    400,
    'rest_upload_invalid_disposition',
    'The header Content-Disposition names no file: filename="…".',
  ),
  uploadHashMismatch: defineError(
    412,
    'rest_upload_hash_mismatch',
    'The file is not the one that Content-MD5 speaks of.',
  ),
};

/** One argument that cannot be used, and why. */
export const invalidParam = (param: string, { code, message, data = null }: Reason): Problem =>
  kernelErrors.invalidParam(message).with({
    params: { [param]: message },
    details: { [param]: { code, message, data } },
  });
