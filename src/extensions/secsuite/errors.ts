// Errors of what the parts of the suite share, each code once. An error that only one part raises stands in its folder.
import { asSaid, defineError } from '#kernel/problem.ts';

const notSwitched = 'This tool runs only on demand. It cannot be turned on or off.';
const noContacts = (unknown: string): string => `These recipients do not exist: ${unknown}.`;

export const suiteErrors = {
  notFound: defineError(404, 'rest_not_found', (what: string) => `${what} does not exist.`),

  moduleNotFound: defineError(404, 'rest_module_not_found', (id: string) => `Module ${id} does not exist.`),
  alwaysActiveModule: defineError(
    400,
    'secsuite-modules-cannot-activate-always-active-module',
    'This module is always on. It cannot be turned off.',
  ),
  unsatisfiedRequirements: defineError(
    400,
    'secsuite-modules-cannot-activate-module-unsatisfied-requirements',
    (reasons: string) => `This module cannot be turned on yet. ${reasons}`,
  ),
  unsatisfiedDependencies: defineError(
    500,
    'secsuite-modules-cannot-activate-module-unsatisfied-dependencies',
    'This module could not start, so it was turned off again.',
  ),

  unsupportedModule: defineError(404, 'rest_unsupported_module', 'This module has no settings.'),
  cannotExcludeSelf: defineError(
    400,
    'secsuite-validator-global-cannot-exclude-self',
    'You would lose the right to manage the security suite. Name a group that you are in.',
  ),
  invalidLockoutWhiteList: defineError(
    400,
    'secsuite-validator-global-invalid-type-lockout_white_list-ip',
    (texts: string) => `These are not valid IP addresses or ranges: ${texts}.`,
  ),

  userGroupNotFound: defineError(404, 'rest_user_group_not_found', (id: string) => `User group ${id} does not exist.`),
  userGroupNotConfigured: defineError(
    400,
    'rest_user_group_not_configured',
    'A user group needs members. Send `users`, `roles`, `canonical` or `min_role`.',
  ),
  duplicateUserGroupId: defineError(400, 'rest_duplicate_user_group_id', 'A user group with this `id` exists already.'),
  userNotFound: defineError(400, 'rest_user_not_found', (id: number) => `User ${id} does not exist.`),

  banNotFound: defineError(404, 'secsuite_ban_not_found', (id: number) => `Ban ${id} does not exist.`),
  duplicateBan: defineError(409, 'secsuite_duplicate_ban', 'This IP address or range is banned already.'),
  cannotBanSelf: defineError(400, 'secsuite_cannot_ban_self', 'This ban would block your own IP address.'),
  cannotBanAuthorizedHost: defineError(
    400,
    'secsuite_cannot_ban_authorized_host',
    'This IP address is trusted, or this range has one that is. Remove it from the allowlist first.',
  ),
  malformedCursor: defineError(
    400,
    'secsuite_malformed_cursor',
    'This cursor is not valid. Start the list of bans again.',
  ),

  hostLockedOut: defineError(403, 'secsuite_host_locked_out', asSaid),
  userLockedOut: defineError(403, 'secsuite_user_locked_out', asSaid),
  actionForbidden: defineError(
    403,
    'rest_action_forbidden',
    'Only locked-out IP addresses can be banned, and only while bans are turned on.',
  ),
  invalidPeriod: defineError(400, 'secsuite.rest.invalid-period', '`period` must have dates that exist.'),
  topBlockedIpsDbError: defineError(
    500,
    'secsuite.lockout.top-blocked-ips.db-error',
    'The lockouts could not be counted. Try again.',
  ),

  logUtilFailedQuery: defineError(
    500,
    'secsuite-log-util-failed-query',
    'The security log could not be read. Try again. If it fails again, ask the site operator to read the log of the server.',
  ),

  notLoggedIn: defineError('denied', 'not_logged_in', 'Sign in to see notices.'),
  noticeNotFound: defineError(404, 'notice_not_found', (id: string) => `Notice ${id} does not exist.`),
  actionNotFound: defineError(404, 'action_not_found', 'This notice does not have this action.'),

  defaultRecipientsInvalidContacts: defineError(
    400,
    'secsuite-validator-notification-center-invalid-type-default_recipients[user_list]-invalid-contacts',
    noContacts,
  ),
  defaultRecipientsNonEmpty: defineError(
    400,
    'secsuite-validator-notification-center-invalid-type-default_recipients[user_list]-non-empty',
    'Choose at least 1 recipient.',
  ),
  userListInvalidContacts: defineError(
    400,
    'secsuite-validator-notification-center-invalid-type-notifications[user_list]-invalid-contacts',
    noContacts,
  ),
  emailListInvalidEmails: defineError(
    400,
    'secsuite-validator-notification-center-invalid-type-notifications[email_list]-invalid-emails',
    (texts: string) => `These are not valid email addresses: ${texts}.`,
  ),
  unknownSchedule: defineError(
    400,
    'secsuite-validator-notification-center-invalid-type-notifications[schedule]-unknown-schedule',
    'This notification cannot be sent on this schedule.',
  ),
  unknownTags: defineError(
    400,
    'secsuite-validator-notification-center-invalid-type-notifications[message]-unknown-tags',
    (names: string) => `These placeholders do not exist: ${names}.`,
  ),

  runNotAvailable: defineError(400, 'secsuite.tools.run.not-available', 'This tool is not available at the moment.'),
  runConditionInvalid: defineError(
    400,
    'secsuite.tools.run.condition-invalid',
    (condition: string = 'This tool needs other settings first.') => condition,
  ),
  enableNonToggleable: defineError(400, 'secsuite.tools.enable-non-toggleable', notSwitched),
  disableNonToggleable: defineError(400, 'secsuite.tools.disable-non-toggleable', notSwitched),
};
