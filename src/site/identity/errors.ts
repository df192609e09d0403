// Errors of identity, each code once.
import { asSaid, defineDenial, defineError } from '#kernel/problem.ts';

export const identityErrors = {
  unknownRole: defineError(400, 'rest_user_invalid_role', (unknown: string) => `There is no role ${unknown}.`),
  existingUserLogin: defineError(
    400,
    'existing_user_login',
    'Somebody uses this user name already. Please choose another one.',
  ),
  existingUserEmail: defineError(400, 'existing_user_email', 'Somebody uses this email address already.'),
  userInvalidEmail: defineError(400, 'rest_user_invalid_email', 'Somebody else uses this email address already.'),
  userInvalidSlug: defineError(400, 'rest_user_invalid_slug', 'A slug needs letters or digits.'),
  notLoggedIn: defineError(401, 'rest_not_logged_in', 'You are not signed in.'),
  userInvalidId: defineError(404, 'rest_user_invalid_id', 'There is no user with this number.'),
  applicationPasswordExists: defineError(
    400,
    'application_password_exists',
    'This password was made already, and nobody can show it again. If it got lost, take it back in your account and make a new one.',
  ),
  tooManyApplicationPasswords: defineError(
    400,
    'rest_too_many_application_passwords',
    (mostOfOne: number) =>
      `A user has at most ${mostOfOne} application passwords; please revoke some that are not needed any more.`,
  ),
  applicationPasswordNotFound: defineError(
    404,
    'rest_application_password_not_found',
    'There is no application password with this id.',
  ),
  applicationPasswordEmptyName: defineError(
    400,
    'application_password_empty_name',
    'An application password needs a name.',
  ),
  roleNotAllowed: defineError(403, 'rest_user_invalid_role', asSaid),
  userInvalidReassign: defineError(400, 'rest_user_invalid_reassign', 'There is no such user to hand over to.'),
  cannotDeleteLastAdministrator: defineError(
    403,
    'rest_user_cannot_delete',
    'The last administrator cannot be deleted.',
  ),
  cookieInvalidNonce: defineError(
    403,
    'rest_cookie_invalid_nonce',
    'The token of this request is not valid any more. Please reload the page and try again.',
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
  cannotCreateUser: defineDenial('rest_cannot_create_user', 'add users'),
  userInvalidUsername: defineError(400, 'rest_user_invalid_username', asSaid),
  applicationPasswordsDisabled: defineError(
    501,
    'application_passwords_disabled',
    'This site gives apps no passwords.',
  ),
};
