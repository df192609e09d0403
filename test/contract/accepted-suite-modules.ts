// Where modules of the suite and their settings differ from those recorded, and why.
/** What is meant to differ: by module, where, and why. */
export type Differing = Readonly<Record<string, readonly (readonly [path: string, why: string])[]>>;

const onlyWhereFound = ['requirements.ip', 'without a sure address the wrong ones would be kept out'] as const;
const updateWindow = 'updates are installed in a window that the owner sets';
const noPhp = 'there are no files of scripts here that a package could be named by';
const bounded = 'no number is so large that its day could not be told';
const draft4 = 'a list of lists says the same without a word that the dialect does not have';

export const ofRecords: Differing = {
  global: [
    ['settings.schema.properties.lockout_period.maximum', bounded],
    ['settings.schema.properties.blacklist_period.maximum', bounded],
    ['settings.schema.properties.log_rotation.maximum', bounded],
    ['settings.schema.properties.file_log_rotation.maximum', bounded],
    ['settings.schema.properties.enable_remote_help.default', 'nobody helps from afar'],
    ['settings.schema.uiSchema.ui:sections.3.fields', 'it named a setting that there is not'],
  ],
  'feature-flags': [['settings.show_ui', 'there is a setting to show']],
  'notification-center': [
    ['settings.schema.properties.notifications.additionalProperties.properties.email_list', 'it was not described'],
  ],
  'ban-users': [onlyWhereFound],
  'brute-force': [onlyWhereFound, ['settings.schema.properties.check_period.maximum', bounded]],
  firewall: [
    ['settings.schema.properties.check_period.maximum', bounded],
    ['settings.schema.properties.keep_requests', 'rules are tried on requests of the last day'],
    ['settings.interactive', 'rules are tried on requests of the last day'],
  ],
  backup: [['settings.schema.properties.interval.maximum', bounded]],
  'network-brute-force': [onlyWhereFound],
  'file-change': [['settings.schema.properties.types.default', 'one of them stood there twice']],
  'password-requirements': [
    ['settings.schema.properties.requirement_settings.properties.age.properties.expire_max.maximum', bounded],
    ['settings.schema.properties.enabled_requirements.default', 'the defaults are written out'],
    ['settings.schema.properties.requirement_settings.default', 'the defaults are written out'],
    ['settings.schema.properties.requirement_settings.properties.age.default', 'the defaults are written out'],
    [
      'settings.schema.properties.requirement_settings.properties.strength',
      'each requirement with groups is described',
    ],
    ['settings.schema.properties.requirement_settings.properties.hibp', 'each requirement with groups is described'],
    ['settings.schema.uiSchema.requirement_settings.strength', 'each requirement with groups is described'],
    ['settings.schema.uiSchema.requirement_settings.hibp', 'each requirement with groups is described'],
    ['settings.conditional.requirement_settings.strength', 'each requirement with groups is described'],
    ['settings.conditional.requirement_settings.hibp', 'each requirement with groups is described'],
  ],
  ssl: [['settings.schema.properties.require_ssl.enumNames', 'the values have names']],
  'two-factor': [
    ['user_groups.protect_user_group.conditional.settings.oneOf.1', draft4],
    ['settings.conditional.protect_vulnerable_users.settings.oneOf.1', draft4],
    ['settings.conditional.protect_vulnerable_site.settings.oneOf.1', draft4],
    ['settings.schema.properties.custom_available_methods.items.pattern', 'the values are listed anyway'],
  ],
  'system-tweaks': [['settings.deprecated', 'there was never another setting here']],
  'core-tweaks': [
    ['settings.schema.properties.disable_xmlrpc.oneOf', 'alternatives all say their type'],
    ['settings.schema.properties.rest_api.oneOf', 'alternatives all say their type'],
    ['settings.schema.properties.valid_user_login_type.oneOf', 'alternatives all say their type'],
  ],
  'security-check-pro': [['settings.schema.properties.remote_ip_index', 'what it described was no object']],
  'hide-backend': [
    ['settings.schema.properties.slug.pattern', 'other addresses are taken here'],
    ['settings.schema.properties.register', 'people sign up at another address'],
  ],
  'dashboard-widget': [['settings', 'it has none']],
  'online-files': [['settings', 'it does nothing by itself']],
  'password-expiration': [
    ['settings.schema.properties.expire_force.type', 'yes and no are sent, too'],
    ['password_requirements.age.settings.properties.expire_max.maximum', bounded],
  ],
  recaptcha: [
    ['settings.schema.properties.check_period.maximum', bounded],
    ['settings.onboard', 'the keys of the third maker were forgotten'],
    ['settings.import', 'the keys of the third maker were forgotten'],
  ],
  'site-scanner': [
    ['settings.schema.properties.scan_uploads', 'uploads are checked when the owner says so'],
    ['settings.show_ui', 'uploads are checked when the owner says so'],
    ['settings.interactive', 'uploads are checked when the owner says so'],
  ],
  'version-management': [
    ['settings.schema.properties.packages.patternProperties', noPhp],
    ['settings.schema.properties.first_seen.properties.plugin.patternProperties', noPhp],
    ['settings.schema.uiSchema.ui:sections.3.fields', 'it named a setting that there is not'],
    ['settings.schema.uiSchema.ui:sections.1.fields', updateWindow],
    ['settings.schema.properties.update_window_start', updateWindow],
    ['settings.schema.properties.update_window_hours', updateWindow],
    ['settings.interactive', updateWindow],
  ],
  webauthn: [['requirements.server.php', 'the service runs on something else']],
};

/** Settings that Gatehouse added to established modules. */
export const ownSettings: Readonly<Record<string, readonly string[]>> = {
  firewall: ['keep_requests'],
  'site-scanner': ['scan_uploads'],
  'version-management': ['update_window_start', 'update_window_hours'],
};

export const ofSettings: Differing = {
  global: [
    ['proxy', 'had been set there'],
    ['build', 'counted there'],
    ['initial_build', 'counted there'],
    ['activation_timestamp', 'counted there'],
    ['cron_test_time', 'counted there'],
    ['enable_remote_help', 'nobody helps from afar'],
  ],
  'notification-center': [['notifications', 'the notifications themselves say what is usual for each']],
  'file-change': [['types', 'one of them stood there twice']],
  'password-requirements': [['requirement_settings.strength.group', 'had been set there']],
  'hide-backend': [['register', 'people sign up at another address']],
  'user-logging': [['group', 'had been set there']],
  firewall: [['keep_requests', 'rules are tried on requests of the last day']],
  'site-scanner': [['scan_uploads', 'uploads are checked when the owner says so']],
  'version-management': [
    ['core_automatic_updates', 'had been set there'],
    ['update_window_start', updateWindow],
    ['update_window_hours', updateWindow],
  ],
};
