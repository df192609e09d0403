// Errors of the kernel, each code once.
import { asSaid, defineDenial, defineError, type Problem, type Reason } from './problem.ts';

export const kernelErrors = {
  tooBusy: defineError(503, 'rest_too_busy', (what: string) => `${what} Try again in 5 seconds.`, {
    headers: { 'Retry-After': '5' },
  }),
  clientLeft: defineError(503, 'rest_client_left', 'The client closed the connection before the answer was ready.'),
  invalidJson: defineError(400, 'rest_invalid_json', (why: string) => `The body is not valid JSON: ${why}.`),
  bodyTooLarge: defineError(413, 'rest_body_too_large', asSaid),
  invalidParam: defineError(400, 'rest_invalid_param', asSaid),
  missingCallbackParam: defineError(400, 'rest_missing_callback_param', asSaid),
  emptyContent: defineError(400, 'empty_content', 'Send at least 1 field to save.'),
  uploadFileTooBig: defineError(413, 'rest_upload_file_too_big', asSaid),
  forbidden: defineDenial('rest_forbidden', 'do this'),
  noRoute: defineError(
    404,
    'rest_no_route',
    'No route matches this URL and method. The index of the API lists all routes.',
  ),
  internalError: defineError(
    500,
    'rest_internal_error',
    'The request failed because of an internal error. Try again. If it fails again, give the site operator the value of the header X-Request-Id.',
  ),
  storageFull: defineError(
    507,
    'storage_full',
    'The disk or storage of the site is full, so nothing was changed. Tell the site owner, then try again.',
  ),
  storageUnavailable: defineError(503, 'storage_unavailable', asSaid),
  batchNotAllowed: defineError(400, 'rest_batch_not_allowed', 'This route cannot be part of a batch.'),
  parsePathFailed: defineError(400, 'parse_path_failed', (path: string) => `The path ${path} is not valid.`),
  bodyIncomplete: defineError(400, 'rest_body_incomplete', 'The body ended before it was complete.'),
  requestTimeout: defineError(
    408,
    'rest_request_timeout',
    'The request did not arrive within the time limit. Try again.',
  ),
  unsupportedEncoding: defineError(415, 'rest_unsupported_encoding', 'Send the body uncompressed.'),
  uploadNoData: defineError(400, 'rest_upload_no_data', 'The request has no file. Send one.'),
  uploadNoContentDisposition: defineError(
    400,
    'rest_upload_no_content_disposition',
    'The file has no name. Send it in a form, or send its name in the header Content-Disposition: attachment; filename="garden.jpg".',
  ),
  uploadInvalidDisposition: defineError(
    400,
    'rest_upload_invalid_disposition',
    'The header Content-Disposition has no file name. Send filename="…" in it.',
  ),
  uploadHashMismatch: defineError(
    412,
    'rest_upload_hash_mismatch',
    'The MD5 checksum of the file is not the one in the header Content-MD5. Send the file again.',
  ),
};

/** One argument that cannot be used, and why. */
export const invalidParam = (param: string, { code, message, data = null }: Reason): Problem =>
  kernelErrors.invalidParam(message).with({
    params: { [param]: message },
    details: { [param]: { code, message, data } },
  });
