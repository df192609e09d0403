// The shared settings without a place in a form: what clients and the suite note for themselves.
import type { SettingSchema } from '../../module.ts';
import { flag, groupList, hidden, noted, unavailable } from '../../setting-schemas.ts';

export const own = {
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
} satisfies Record<string, SettingSchema>;
