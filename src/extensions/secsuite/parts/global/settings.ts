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
  lockout_period: minutes(15, 0, 'Length of a lockout', 'For how many minutes a lockout lasts.'),
  blacklist_period: days(7, 0, 'Memory for lockouts', 'For how many days a lockout counts towards a ban.'),
  blacklist: flag(true, 'Ban who comes back', 'An address that was locked out again and again is banned for good.'),
  blacklist_count: count(3, 0, 'Lockouts before a ban', 'With which lockout within that time an address is banned.'),
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
    'This address is locked out for now. Please try again later.',
    'Message to an address',
    'What somebody reads whose address is locked out or banned. Left empty, a short text of ours is shown.',
  ),
  user_lockout_message: message(
    'This account is locked for now, because its password was wrong too often. Please try again later.',
    'Message to an account',
    'What somebody reads whose account is locked. Left empty, a short text of ours is shown.',
  ),
  community_lockout_message: message(
    'This address is on a list of addresses that attack websites, and is kept out here.',
    'Message to a reported address',
    'What somebody reads whose address other sites have reported. Left empty, a short text of ours is shown.',
  ),
};

const trusted = {
  automatic_temp_auth: flag(
    true,
    'Never lock out who manages',
    'The address of somebody who manages the suite is neither locked out nor banned for a day after each visit.',
  ),
  lockout_white_list: {
    type: 'array',
    items: { type: 'string' },
    default: [],
    title: 'Addresses that are always let in',
    description: 'One a line: an address, a range such as 192.0.2.0/24, or a pattern such as 192.0.2.*.',
    keywords: ['whitelist'],
  },
} as const satisfies Record<string, SettingSchema>;

const logging = (data: string) => ({
  log_type: named(
    { database: 'In the database', file: 'In files', both: 'In both' },
    'database',
    'Where the log is kept',
    'The log can only be searched here while it is kept in the database.',
  ),
  log_rotation: days(60, 0, 'Days in the database', 'Older entries are deleted. 0 keeps them all.'),
  file_log_rotation: days(180, 0, 'Days in files', 'Older files are deleted. 0 keeps them all.'),
  log_location: {
    type: 'string',
    format: 'directory',
    default: join(data, 'logs'),
    title: 'Folder of the log files',
    description: 'A folder that the service may write to and that nobody can reach from outside.',
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
      'security-check': 'As the check found it (recommended)',
      automatic: 'Not set up (nobody is locked out)',
      manual: 'From a header that I name',
      disabled: 'There is no proxy',
    },
    'security-check',
    'How visitors reach the site',
    'Behind a proxy the address of a visitor stands in a header. If it is read wrongly, the wrong ones are locked out.',
  ),
  proxy_header: named(
    headers,
    'HTTP_X_FORWARDED_FOR',
    'Header with the address',
    'The header that your proxy writes the address of the visitor into. Make sure that visitors cannot set it.',
  ),
};

const uiSchema = {
  nginx_file: { 'ui:resettable': true },
  lockout_white_list: { 'ui:field': 'TextareaListField', 'ui:rows': 10 },
  log_location: { 'ui:resettable': true },
  'ui:sections': [
    { title: 'Lockouts', fields: Object.keys(lockouts) },
    { title: 'What those who are locked out read', fields: Object.keys(messages) },
    { title: 'Who is never locked out', fields: Object.keys(trusted) },
    { title: 'Log', fields: ['log_type', 'log_rotation', 'file_log_rotation', 'log_location'] },
    { title: 'Addresses of visitors', fields: Object.keys(detection) },
    { title: 'Appearance', fields: ['hide_admin_bar', 'show_error_codes'] },
  ],
};

const settings = (data: string) =>
  settingsCard({
    properties: {
      write_files: flag(true, 'Write rule files', 'Rules for the web server are written into its files.'),
      nginx_file: {
        type: 'string',
        format: 'file-path',
        default: join(data, 'nginx.conf'),
        title: 'Rule file of nginx',
        description: 'Include this file in the configuration of nginx. Reload nginx after it was written.',
      },
      ...lockouts,
      ...messages,
      ...trusted,
      ...logging(data),
      ...detection,
      hide_admin_bar: unavailable(
        flag(false, 'Hide the menu', 'The menu of the suite is left out of the bar above the pages.'),
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
    description: 'What all parts of the suite share.',
    help: 'Here you set how long a lockout lasts, whom it never meets, what is logged, and how the address of a visitor is found.',
    userGroups: {
      manage_group: {
        title: 'Manage the suite',
        description: 'Members may see and change everything about security. Without such a group, administrators may.',
        default: 'administrator',
      },
    },
    tools: {
      'identify-server-ips': {
        title: 'Find the addresses of this server',
        description: 'Looks up under which addresses the site itself can be reached.',
        help: 'This happens by itself once a day. Run it after the site has moved.',
        schedule: 'identify-server-ips',
      },
    },
    settings: settings(data),
  }) satisfies Module;

/** These shared settings have no place in a form, because clients and the suite write them for themselves. */
const own = {
  allow_tracking: unavailable(
    hidden(flag(false, 'Usage data', 'Kept for clients that send it.')),
    'nothing is ever passed on',
  ),
  show_error_codes: unavailable(hidden(flag(false, 'Show error codes', 'Refusals are shown with their codes.'))),
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
