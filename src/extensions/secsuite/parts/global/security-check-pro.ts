// Finds out how visitors reach the site: in which header a proxy writes their address, and whether there is HTTPS.
import type { Module, SettingSchema } from '../../module.ts';
import { settingsCard, unavailable } from '../../setting-schemas.ts';

const moment: SettingSchema = { type: ['null', 'integer'], minimum: 0, default: null, readonly: true };

const properties = {
  last_scan_timestamp: moment,
  ip_header: {
    type: 'object',
    properties: { name: { type: 'string' }, position_from_end: { type: 'integer' } },
    default: { name: '', position_from_end: -1 },
    readonly: true,
  },
  remote_ip_index: unavailable({ type: ['null', 'string', 'object'], default: null, readonly: true }),
  ssl_supported: { type: ['null', 'boolean'], default: null, readonly: true },
  remote_ips_timestamp: unavailable(moment),
  remote_ips: unavailable({
    type: 'array',
    items: { type: 'string', format: 'ip' },
    uniqueItems: true,
    default: [],
    readonly: true,
  }),
  key_salt: unavailable({ type: 'string', default: '', readonly: true }),
} satisfies Record<string, SettingSchema>;

export const securityCheckPro: Module = {
  id: 'security-check-pro',
  type: 'utility',
  standing: 'always-active',
  onboard: true,
  sideEffects: true,
  title: 'How visitors reach the site',
  description: 'Finds out by itself in which header the address of a visitor stands, and whether there is HTTPS.',
  tools: {
    'security-check-pro': {
      description: 'Looks at your own request to see how visitors reach the site, and keeps what it found.',
      schedule: 'security-check-pro',
    },
  },
  settings: settingsCard({ properties, ours: Object.keys(properties), secret: ['key_salt'] }),
};
