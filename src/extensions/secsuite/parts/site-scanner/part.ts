// Scans of the site for software that is known to be unsafe, by hand and twice a day.

import type { Module, SettingSchema } from '../../module.ts';
import { whileRunning } from '../../notifications/notification.ts';
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

const malwareScheduling: Module = {
  id: 'malware-scheduling',
  type: 'site-check',
  standing: 'default-active',
  onboard: true,
  title: 'Scans twice a day',
  description: `${later} Will look twice a day for software that is known to be unsafe, and write an email.`,
};

export const siteScannerPart = part({
  name: 'site-scanner',
  modules: [siteScanner, malwareScheduling],
  notifications: [
    {
      slug: 'malware-scheduling',
      ...whileRunning('malware-scheduling'),
      recipient: 'user-list',
      label: 'Results of scans',
      description: 'Not available in this version. Says what a scan has found.',
      optional: true,
    },
  ],
  highlights: {
    'site-scanner-report': {
      module: 'malware-scheduling',
      title: 'A scan found something serious',
      message:
        'The last scan of this site found something that should be looked at. <a href="{{ $view }}">See what</a>.',
      found: { modules: ['site-scanner', 'site_scanner'], types: ['critical-issue'] },
    },
  },
  logged: {
    'site-scanner': { label: 'Site scans', codes: { scan: 'The site is scanned' } },
  },
});
