// Errors of identity, each code once.
import { asSaid, defineDenial, defineError } from '#kernel/problem.ts';

export const identityErrors = {
  unknownRole: defineError(400, 'rest_user_invalid_role', (unknown: string) => `The role ${unknown} does not exist.`),
  existingUserLogin: defineError(
    400,
    'existing_user_login',
    'Another user has this user name. Choose a different one.',
  ),
  existingUserEmail: defineError(
    400,
    'existing_user_email',
    'Another user has this email address. Choose a different one.',
  ),
  userInvalidEmail: defineError(
    400,
    'rest_user_invalid_email',
    'Another user has this email address. Choose a different one.',
  ),
  userInvalidSlug: defineError(400, 'rest_user_invalid_slug', '`slug` must have a letter or a digit.'),
  notLoggedIn: defineError(401, 'rest_not_logged_in', 'Sign in first.'),
  userInvalidId: defineError(404, 'rest_user_invalid_id', (id: number) => `User ${id} does not exist.`),
  applicationPasswordExists: defineError(
    400,
    'application_password_exists',
    'This application password exists already and cannot be shown again. If you lost it, revoke it in your account and create a new one.',
  ),
  tooManyApplicationPasswords: defineError(
    400,
    'rest_too_many_application_passwords',
    (mostOfOne: number) => `A user has at most ${mostOfOne} application passwords; revoke one first.`,
  ),
  applicationPasswordNotFound: defineError(
    404,
    'rest_application_password_not_found',
    (uuid: string) => `Application password ${uuid} does not exist.`,
  ),
  applicationPasswordEmptyName: defineError(
    400,
    'application_password_empty_name',
    'An application password must have a `name`.',
  ),
  roleNotAllowed: defineError(403, 'rest_user_invalid_role', asSaid),
  userInvalidReassign: defineError(
    400,
    'rest_user_invalid_reassign',
    '`reassign` must be the id of another user, who gets the content.',
  ),
  cannotDeleteLastAdministrator: defineError(
    403,
    'rest_user_cannot_delete',
    'The last administrator cannot be deleted.',
  ),
  cookieInvalidNonce: defineError(
    403,
    'rest_cookie_invalid_nonce',
    'The token of this request is no longer valid. Please reload the page and try again.',
  ),
  /** The same for every cause, so that a guesser learns nothing. */
  incorrectPassword: defineError(
    401,
    'incorrect_password',
    'The user name or the application password is not correct.',
  ),
  invalidApiType: defineError(
    401,
    'invalid_api_type',
    'This application password is not for the REST API. Use another one, or set its `enabled_for` to `rest-api`.',
  ),
  unsupportedHttpMethod: defineError(
    403,
    'unsupported_http_method',
    'This application password can only read. Use another one, or set its `rest_api_permissions` to `write`.',
  ),
  cannotCreateUser: defineDenial('rest_cannot_create_user', 'create users'),
  userInvalidUsername: defineError(400, 'rest_user_invalid_username', asSaid),
  applicationPasswordsDisabled: defineError(
    501,
    'application_passwords_disabled',
    'Application passwords are not available on this site.',
  ),
};
