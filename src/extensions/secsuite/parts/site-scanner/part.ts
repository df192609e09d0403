// Scans of the site for what is known to be unsafe.

import type { Module, SettingSchema } from '../../module.ts';
import { part } from '../../part.ts';
import { allUnavailable, later, settingsCard } from '../../setting-schemas.ts';

const moment: SettingSchema = { type: 'integer', minimum: 0 };

const properties = allUnavailable({
  vulnerabilities: { type: 'array', items: { type: 'object' }, default: [], readonly: true },
  muted_issues: {
    type: 'array',
    items: {
      type: 'object',
      required: ['id', 'muted_at', 'muted_by'],
      properties: { id: { type: 'string' }, muted_at: moment, muted_by: moment },
      additionalProperties: false,
    },
    default: [],
    readonly: true,
  },
  registered_sites: {
    type: 'object',
    additionalProperties: {
      type: 'object',
      required: ['url', 'key'],
      properties: { url: { type: 'string', format: 'uri' }, key: { type: 'string', minLength: 1 } },
      additionalProperties: false,
    },
    default: {},
    readonly: true,
  },
} satisfies Record<string, SettingSchema>);

const siteScanner: Module = {
  id: 'site-scanner',
  type: 'site-check',
  standing: 'always-active',
  title: 'Scans',
  description: later,
  settings: settingsCard({ properties, ours: Object.keys(properties) }),
};

export const siteScannerPart = part({
  name: 'site-scanner',
  modules: [siteScanner],
  logged: {
    'site-scanner': { label: 'Site scans', codes: { scan: 'The site is scanned' } },
  },
});
