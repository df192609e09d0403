// What all modules share: how long a lockout lasts, what is logged and where, how the client's address is found.
import { join } from 'node:path';
import type { Module, Setting, SettingSchema, SettingsOf, SitePaths } from '../../module.ts';
import {
  count,
  days,
  flag,
  groupList,
  hidden,
  minutes,
  named,
  noted,
  settingsCard,
  unavailable,
  when,
} from '../../setting-schemas.ts';

const lockouts = {
  lockout_period: minutes(15, 0, 'Length of a lockout', 'Number of minutes that a lockout lasts.'),
  blacklist_period: days(7, 0, 'Memory for lockouts', 'Number of days that a lockout counts towards a ban.'),
  blacklist: flag(true, 'Ban after repeated lockouts', 'An IP address with repeated lockouts is banned permanently.'),
  blacklist_count: count(3, 0, 'Lockouts before a ban', 'Number of lockouts within this time that bans an IP address.'),
};

const message = (text: string, title: string, description: string): Setting<string> => ({
  type: 'string',
  format: 'html',
  default: text,
  title,
  description,
});

const messages = {
  lockout_message: message(
    'Your IP address is locked out. Please try again later.',
    'Message to an IP address',
    'Text for visitors whose IP address is locked out or banned. If empty, a default text.',
  ),
  user_lockout_message: message(
    'This account is locked, because its password was wrong too often. Please try again later.',
    'Message to an account',
    'Text for users whose account is locked. If empty, a default text.',
  ),
  community_lockout_message: message(
    'Your IP address is on a shared blocklist of attackers, so this site refuses it.',
    'Message to a reported IP address',
    'Text for visitors whose IP address is on the shared blocklist. If empty, a default text.',
  ),
};

const trusted = {
  automatic_temp_auth: flag(
    true,
    'Never lock out security managers',
    'The IP address of a security manager is not locked out or banned within 24 hours after each visit.',
  ),
  lockout_white_list: {
    type: 'array',
    items: { type: 'string' },
    default: [],
    title: 'Trusted IP addresses',
    description: 'One on each line: an IP address, an IP range such as 192.0.2.0/24, or a pattern such as 192.0.2.*.',
    keywords: ['whitelist'],
  },
} as const satisfies Record<string, SettingSchema>;

const logging = (data: string) => ({
  log_type: named(
    { database: 'In the database', file: 'In files', both: 'In both' },
    'database',
    'Place of the log',
    'You can search the log here only if it is in the database.',
  ),
  log_rotation: days(60, 0, 'Days in the database', 'Older entries are deleted. 0 keeps all.'),
  file_log_rotation: days(180, 0, 'Days in files', 'Older files are deleted. 0 keeps all.'),
  log_location: {
    type: 'string',
    format: 'directory',
    default: join(data, 'logs'),
    title: 'Folder of the log files',
    description: 'A folder that Gatehouse can write to and that visitors cannot read.',
  } as const satisfies SettingSchema,
});

const headers = {
  HTTP_CF_CONNECTING_IP: 'CF-Connecting-IP',
  HTTP_X_FORWARDED_FOR: 'X-Forwarded-For',
  HTTP_X_REAL_IP: 'X-Real-IP',
  HTTP_X_CLIENT_IP: 'X-Client-IP',
  HTTP_CLIENT_IP: 'Client-IP',
  HTTP_X_CLUSTER_CLIENT_IP: 'X-Cluster-Client-IP',
};

/** As headers are sent. */
const headerWords = Object.fromEntries(Object.entries(headers).map(([name, sent]) => [sent.toLowerCase(), name]));

const detection = {
  proxy: named(
    {
      'security-check': 'Detected by the check (recommended)',
      automatic: 'Not set up (no IP address is locked out)',
      manual: 'From a header that I name',
      disabled: 'There is no proxy',
    },
    'security-check',
    'How visitors reach the site',
    'Behind a proxy, a header has the IP address of the visitor. With the wrong header, the site locks out the wrong visitors.',
  ),
  proxy_header: named(
    headers,
    'HTTP_X_FORWARDED_FOR',
    'Header with the IP address',
    'The header in which your proxy sends the IP address of the visitor. Make sure that visitors cannot set it.',
  ),
};

const uiSchema = {
  nginx_file: { 'ui:resettable': true },
  lockout_white_list: { 'ui:field': 'TextareaListField', 'ui:rows': 10 },
  log_location: { 'ui:resettable': true },
  'ui:sections': [
    { title: 'Lockouts', fields: Object.keys(lockouts) },
    { title: 'Messages for locked-out visitors', fields: Object.keys(messages) },
    { title: 'IP addresses that are never locked out', fields: Object.keys(trusted) },
    { title: 'Log', fields: ['log_type', 'log_rotation', 'file_log_rotation', 'log_location'] },
    { title: 'IP addresses of visitors', fields: Object.keys(detection) },
    { title: 'Appearance', fields: ['hide_admin_bar', 'show_error_codes'] },
  ],
};

const settings = (data: string) =>
  settingsCard({
    properties: {
      write_files: flag(
        true,
        'Write rule files',
        'The security suite writes rules for the web server into rule files.',
      ),
      nginx_file: {
        type: 'string',
        format: 'file-path',
        default: join(data, 'nginx.conf'),
        title: 'Rule file of nginx',
        description: 'Include this file in the configuration of nginx. Reload nginx after each change of the file.',
      },
      ...lockouts,
      ...messages,
      ...trusted,
      ...logging(data),
      ...detection,
      hide_admin_bar: unavailable(
        flag(false, 'Hide the menu', 'Hides the menu of the security suite in the bar above the pages.'),
        'there is no such bar',
      ),
      ...own,
    },
    uiSchema,
    conditional: {
      nginx_file: { 'server-type': ['nginx'] },
      blacklist_count: when({ blacklist: [true] }),
      log_rotation: when({ log_type: ['database', 'both'] }),
      file_log_rotation: when({ log_type: ['file', 'both'] }),
      log_location: when({ log_type: ['file', 'both'] }),
      proxy_header: when({ proxy: ['manual'] }),
    },
    meant: { proxy_header: headerWords },
    ours: [
      'build',
      'initial_build',
      'activation_timestamp',
      'cron_status',
      'use_cron',
      'cron_test_time',
      'server_ips',
      'log_info',
      'feature_flags',
    ],
    lasting: ['onboard_complete', 'enabled_tools'],
    onboard: ['lockout_white_list', 'proxy', 'proxy_header'],
    import: ['proxy', 'proxy_header', 'log_location', 'nginx_file'],
  });

export const globalOn = ({ data }: SitePaths) =>
  ({
    id: 'global',
    type: 'recommended',
    standing: 'always-active',
    title: 'General',
    description: 'Settings for all parts of the security suite.',
    help: 'Choose how long lockouts last, which IP addresses are trusted, what is logged, and how the site finds the IP addresses of visitors.',
    userGroups: {
      manage_group: {
        title: 'Manage the suite',
        description: 'Members can see and change all security settings. Without such a group, administrators can.',
        default: 'administrator',
      },
    },
    tools: {
      'identify-server-ips': {
        title: 'Find the IP addresses of this server',
        description: 'Looks up the IP addresses at which the site can be reached.',
        help: 'This runs automatically once a day. Run it after you move the site.',
        schedule: 'identify-server-ips',
      },
    },
    settings: settings(data),
  }) satisfies Module;

/** These shared settings have no place in a form, because clients and the suite write them for themselves. */
const own = {
  allow_tracking: unavailable(
    hidden(flag(false, 'Usage data', 'Only for API clients that send it.')),
    'the site never shares usage data',
  ),
  show_error_codes: unavailable(hidden(flag(false, 'Show error codes', 'Error messages show their codes.'))),
  build: unavailable(noted),
  initial_build: unavailable(noted),
  activation_timestamp: unavailable(noted),
  cron_status: unavailable({ type: 'integer', enum: [-1, 0, 1], default: -1, readonly: true }),
  use_cron: unavailable({ type: 'boolean', default: true, readonly: true }),
  cron_test_time: unavailable(noted),
  server_ips: { type: 'array', items: { type: 'string', format: 'ip' }, default: [], readonly: true },
  licensed_hostname_prompt: unavailable({ type: 'boolean', default: false, readonly: true }),
  onboard_complete: { type: 'boolean', default: false, readonly: true },
  enabled_tools: unavailable({
    type: 'array',
    items: { type: 'string' },
    uniqueItems: true,
    default: [],
    readonly: true,
  }),
  enable_remote_help: unavailable({ type: 'boolean', default: false, readonly: true }),
  feature_flags: unavailable({
    type: 'object',
    patternProperties: {
      '^\\w+$': {
        type: 'object',
        properties: {
          enabled: { type: 'boolean' },
          time: { type: 'integer', minimum: 0 },
          rate: { type: 'integer', minimum: 0 },
        },
        additionalProperties: false,
      },
    },
    additionalProperties: false,
    default: {},
    readonly: true,
  }),
  log_info: { type: 'string', default: '', readonly: true },
  manage_group: groupList,
} as const satisfies Record<string, SettingSchema>;

declare module '../../settings/types.ts' {
  interface ModuleSettings {
    global: SettingsOf<typeof globalOn>;
  }
}
