// The shared settings without a place in a form: what clients and the suite note for themselves.
import type { SettingSchema } from '../module.ts';
import { flag, groupList, hidden, noted } from './card.ts';

export const own = {
  allow_tracking: hidden(flag(false, 'Usage data', 'Kept for clients that send it. Nothing is ever passed on.')),
  show_error_codes: hidden(flag(false, 'Show error codes', 'Refusals are shown with their codes.')),
  build: noted,
  initial_build: noted,
  activation_timestamp: noted,
  cron_status: { type: 'integer', enum: [-1, 0, 1], default: -1, readonly: true },
  use_cron: { type: 'boolean', default: true, readonly: true },
  cron_test_time: noted,
  server_ips: { type: 'array', items: { type: 'string', format: 'ip' }, default: [], readonly: true },
  licensed_hostname_prompt: { type: 'boolean', default: false, readonly: true },
  onboard_complete: { type: 'boolean', default: false, readonly: true },
  enabled_tools: { type: 'array', items: { type: 'string' }, uniqueItems: true, default: [], readonly: true },
  enable_remote_help: { type: 'boolean', default: false, readonly: true },
  feature_flags: {
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
  },
  log_info: { type: 'string', default: '', readonly: true },
  manage_group: groupList,
} satisfies Record<string, SettingSchema>;
