// Where the answers about modules and settings differ from those recorded, and why. A row that is true no longer fails the test.
import type { Accepted } from './recorded.ts';
import { each } from './recorded-suite.ts';

export const accepted: readonly Accepted[] = [
  {
    exchange: 'modules',
    differs: [
      'body[].user_groups: object instead of list',
      'body[].password_requirements: object instead of list',
      'body[].requirements: object instead of list',
      'body[].settings.schema.properties.rates.default: object instead of list',
      'body[].settings.conditional: object instead of list',
      'body[].settings.schema.properties.default_groups.default: object instead of list',
      'body[].settings.schema.properties.feature_flags.default: object instead of list',
      'body[].settings.schema.properties.last_sent.default: object instead of list',
      'body[].settings.schema.properties.resend_at.default: object instead of list',
      'body[].settings.schema.properties.data.default: object instead of list',
      'body[].settings.schema.properties.notifications.default: object instead of list',
      'body[].tools.change-database-prefix: object instead of list',
      'body[].settings.schema.properties.expected_hashes.default: object instead of list',
      'body[].settings.schema.properties.enabled_requirements.default: object instead of list',
      'body[].settings.schema.properties.requirement_settings.default: object instead of list',
      'body[].settings.schema.properties.registered_sites.default: object instead of list',
      'body[].settings.schema.properties.integrations.properties: object instead of list',
      'body[].settings.schema.properties.integrations.default: object instead of list',
      'body[].settings.schema.properties.packages.default: object instead of list',
      'body[].settings.schema.properties.update_details.default: object instead of list',
      'body[].settings.schema.properties.old_site_details.default.sites: object instead of list',
      'body[].settings.schema.properties.first_seen.default.plugin: object instead of list',
      'body[].settings.schema.properties.first_seen.default.theme: object instead of list',
    ],
    why: 'Decision (0.3): a map is a map, when it is empty as well',
  },
  {
    exchange: 'modules',
    differs: [
      'body[].settings.removed: an empty list instead of a list of some',
      'body[].settings.deprecated: an empty list instead of a list of some',
    ],
    why: 'nothing was taken away here that was there once',
  },
  {
    exchange: 'modules',
    differs: [
      'body[].settings.schema.properties.notifications.additionalProperties.properties.email_list: more',
      'body[].settings.schema.properties.notifications.title: more',
      'body[].settings.schema.properties.requirement_settings.properties.age.default: more',
      'body[].settings.schema.properties.requirement_settings.properties.strength: more',
      'body[].settings.schema.properties.requirement_settings.properties.hibp: more',
      'body[].settings.schema.uiSchema.requirement_settings.strength: more',
      'body[].settings.schema.uiSchema.requirement_settings.hibp: more',
      'body[].settings.conditional.requirement_settings.strength: more',
      'body[].settings.conditional.requirement_settings.hibp: more',
      'body[].settings.schema.properties.require_ssl.enumNames: more',
      'body[].settings.schema.properties.disable_xmlrpc.oneOf[].type: more',
      'body[].settings.schema.properties.rest_api.oneOf[].type: more',
      'body[].settings.schema.properties.valid_user_login_type.oneOf[].type: more',
      'body[].settings.schema.properties.expire_force.type: list instead of string',
    ],
    why: 'more is said of it',
  },
  {
    exchange: 'modules',
    differs: [
      'body[].password_requirements.age.settings.properties.expire_max.maximum: more',
      'body[].settings.schema.properties.blacklist_period.maximum: more',
      'body[].settings.schema.properties.check_period.maximum: more',
      'body[].settings.schema.properties.file_log_rotation.maximum: more',
      'body[].settings.schema.properties.interval.maximum: more',
      'body[].settings.schema.properties.lockout_period.maximum: more',
      'body[].settings.schema.properties.log_rotation.maximum: more',
      'body[].settings.schema.properties.requirement_settings.properties.age.properties.expire_max.maximum: more',
    ],
    why: 'no span is so long that its day could not be told',
  },
  {
    exchange: 'modules',
    differs: [
      'body[].user_groups.protect_user_group.conditional.settings.oneOf[].properties.custom_available_methods.contains: missing',
      'body[].user_groups.protect_user_group.conditional.settings.oneOf[].properties.custom_available_methods.enum: more',
      'body[].settings.schema.properties.custom_available_methods.items.pattern: missing',
      'body[].settings.conditional.protect_vulnerable_users.settings.oneOf[].properties.custom_available_methods.contains: missing',
      'body[].settings.conditional.protect_vulnerable_users.settings.oneOf[].properties.custom_available_methods.enum: more',
      'body[].settings.conditional.protect_vulnerable_site.settings.oneOf[].properties.custom_available_methods.contains: missing',
      'body[].settings.conditional.protect_vulnerable_site.settings.oneOf[].properties.custom_available_methods.enum: more',
    ],
    why: '6.4: the methods are listed',
  },
  {
    exchange: 'modules',
    differs: [
      'body[].settings.schema.properties.remote_ip_index.additionalProperties: missing',
      'body[].settings.schema.properties.remote_ip_index.properties: missing',
    ],
    why: '6.4: text, number of a header and nothing',
  },
  {
    exchange: 'modules',
    differs: ['body[].settings: missing', 'body[]._links.secsuite:settings: missing', 'body[]._links.curies: missing'],
    why: 'Decision (5.3): what is internal has no settings',
  },
  {
    exchange: 'modules',
    differs: [
      'body[].settings.schema.properties.packages.patternProperties.^(plugin:[^.\\/]+(?:\\/[^.\\/]+)?\\.php|theme:[\\w-]+)$: missing',
      'body[].settings.schema.properties.packages.patternProperties.^(core:[\\w-]+|plugin:[\\w-]+|theme:[\\w-]+|dependency:npm/[\\w@./-]+)$: more',
      'body[].settings.schema.properties.first_seen.properties.plugin.patternProperties.^[^.\\/]+(?:\\/?[^.\\/]+)\\.php$: missing',
      'body[].settings.schema.properties.first_seen.properties.plugin.patternProperties.^[\\w-]+$: more',
    ],
    why: 'part 2: software is named by what it is here',
  },
  {
    exchange: 'modules',
    differs: ['body[].requirements.server.php: missing'],
    why: 'Decision (5.4): the server is always as it has to be',
  },
  {
    exchange: 'modules view',
    differs: ['body[].tools.change-database-prefix: object instead of list'],
    why: 'Decision (0.3): a map is a map, when it is empty as well',
  },
  {
    exchange: 'module edit',
    differs: [
      'body.user_groups: object instead of list',
      'body.password_requirements: object instead of list',
      'body.requirements: object instead of list',
    ],
    why: 'Decision (0.3): a map is a map, when it is empty as well',
  },
  ...each(
    ['deactivate', 'deactivate again', 'activate', 'empty body'],
    [
      'body.user_groups: object instead of list',
      'body.password_requirements: object instead of list',
      'body.requirements: object instead of list',
      'body.settings.schema.properties.expected_hashes.default: object instead of list',
    ],
    'Decision (0.3): a map is a map, when it is empty as well',
  ),
  ...each(
    ['deactivate', 'deactivate again', 'activate', 'empty body'],
    ['body.settings.removed: an empty list instead of a list of some'],
    'nothing was taken away here that was there once',
  ),
  {
    exchange: 'settings all',
    differs: ['body.notification-center.notifications.automatic-updates-debug: missing'],
    why: '13.1: told while something updates itself, which nothing does here',
  },
  {
    exchange: 'settings all',
    differs: [
      'body.password-requirements.requirement_settings.strength.group: an empty list instead of a list of some',
      'body.user-logging.group: an empty list instead of a list of some',
    ],
    why: '12.1: a new site has no groups, and no list of groups names one',
  },
  {
    exchange: 'settings all',
    differs: [
      'body.version-management.old_site_details.sites: object instead of list',
      'body.version-management.first_seen.plugin: object instead of list',
      'body.version-management.first_seen.theme: object instead of list',
    ],
    why: 'Decision (0.3): a map is a map, when it is empty as well',
  },
  {
    exchange: 'settings all',
    differs: ['body.pro-two-factor: missing'],
    why: 'Decision (5.3): what extends a module is part of it',
  },
  {
    exchange: 'settings all',
    differs: ['body.dashboard-widget: missing', 'body.online-files: missing'],
    why: 'Decision (5.3): what is internal has no settings',
  },
  {
    exchange: 'settings/notification-center',
    differs: ['body.notifications.automatic-updates-debug: missing'],
    why: '13.1: told while something updates itself, which nothing does here',
  },
  ...each(
    ['settings/promos', 'settings/sync-connect', 'settings/pro', 'settings/pro-dashboard'],
    ['code: rest_module_not_found instead of rest_unsupported_module'],
    'Decision (5.3): such modules are not carried over',
  ),
  {
    exchange: 'settings/password-requirements',
    differs: ['body.requirement_settings.strength.group: an empty list instead of a list of some'],
    why: '12.1: a new site has no groups, and no list of groups names one',
  },
  ...each(
    ['settings/dashboard-widget', 'settings/online-files'],
    ['status: 404 instead of 200', 'code: rest_unsupported_module instead of none'],
    'Decision (5.3): what is internal has no settings',
  ),
  {
    exchange: 'settings/user-logging',
    differs: ['body.group: an empty list instead of a list of some'],
    why: '12.1: a new site has no groups, and no list of groups names one',
  },
  {
    exchange: 'settings/version-management',
    differs: [
      'body.old_site_details.sites: object instead of list',
      'body.first_seen.plugin: object instead of list',
      'body.first_seen.theme: object instead of list',
    ],
    why: 'Decision (0.3): a map is a map, when it is empty as well',
  },
  {
    exchange: 'modules',
    differs: [
      'body[].settings.schema.properties.scan_uploads: more',
      'body[].settings.interactive: a list of some instead of an empty list',
    ],
    why: '7.6: uploads are checked when the owner says so',
  },
  {
    exchange: 'modules',
    differs: [
      'body[].settings.schema.properties.update_window_hours: more',
      'body[].settings.schema.properties.update_window_start: more',
    ],
    why: '4.1: updates are installed in a window',
  },
  {
    exchange: 'modules',
    differs: ['body[].settings.schema.properties.keep_requests: more'],
    why: 'Rules are tried on requests of the last day',
  },
  {
    exchange: 'settings all',
    differs: ['body.firewall.keep_requests: more'],
    why: 'Rules are tried on requests of the last day',
  },
  {
    exchange: 'settings/firewall',
    differs: ['body.keep_requests: more'],
    why: 'Rules are tried on requests of the last day',
  },
  { exchange: 'settings all', differs: ['body.site-scanner.scan_uploads: more'], why: '7.6: uploads are checked' },
  {
    exchange: 'settings all',
    differs: ['body.version-management.update_window_hours: more', 'body.version-management.update_window_start: more'],
    why: '4.1: updates are installed in a window',
  },
  {
    exchange: 'settings/version-management',
    differs: ['body.update_window_hours: more', 'body.update_window_start: more'],
    why: '4.1: updates are installed in a window',
  },
  { exchange: 'settings/site-scanner', differs: ['body.scan_uploads: more'], why: '7.6: uploads are checked' },
];
