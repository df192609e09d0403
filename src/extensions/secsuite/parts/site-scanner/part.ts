// Scans of the site for known vulnerabilities, blocklists and malware, on demand and twice a day.

import type { Operator } from '#lib/operator.ts';
import { hour } from '#lib/spans.ts';
import type { Remote } from '#site/health/check.ts';
import { withFailureLog } from '../../logs/failing.ts';
import type { Module, SettingSchema, SettingsOf } from '../../module.ts';
import { whileRunning } from '../../notifications/notification.ts';
import { part } from '../../part.ts';
import { allUnavailable, flag, settingsCard } from '../../setting-schemas.ts';
import { createBlocklists } from './blocklists.ts';
import { createScanCards } from './cards.ts';
import { createFixes, fixErrors } from './fixes.ts';
import { scanPages, scanPath } from './mail-page.ts';
import { createMailTokens, tokenErrors } from './mail-tokens.ts';
import { createClamd } from './malware/clamd.ts';
import { createMalware, malwareErrors } from './malware/malware.ts';
import { mutedRoutes, muteErrors } from './muted-routes.ts';
import { describeCode, scanRoutes } from './routes.ts';
import { createScanner, type Scanner, type ScanOrder, scanErrors } from './scanner.ts';
import { quietScanTables, scanMigrations } from './tables.ts';
import { createFeed } from './vulnerabilities/feed.ts';
import { createVulnerabilities } from './vulnerabilities/vulnerabilities.ts';
import { vulnerabilityRoutes } from './vulnerability-routes.ts';

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

const siteScanner = {
  id: 'site-scanner',
  type: 'site-check',
  standing: 'always-active',
  title: 'Scans',
  description: 'Looks for software with known vulnerabilities, for malware, and for the site on blocklists.',
  settings: settingsCard({
    properties: {
      ...properties,
      scan_uploads: flag(
        false,
        'Check uploads for malware',
        'Each uploaded file is checked before it is stored. A file with malware is refused.',
      ),
    },
    ours: Object.keys(properties),
  }),
} satisfies Module;

const malwareScheduling: Module = {
  id: 'malware-scheduling',
  type: 'site-check',
  standing: 'default-active',
  onboard: true,
  title: 'Scans twice a day',
  description: 'Scans the site twice a day and sends an email if a scan finds a new problem.',
};

declare module '../../settings/types.ts' {
  interface ModuleSettings {
    'site-scanner': SettingsOf<typeof siteScanner>;
  }
}

interface ScanUse {
  readonly scanner: Pick<Scanner, 'run'>;
}

/** Codes of results that are not put together from others. */
const plainCodes = [
  'clean',
  'error',
  'scan-failure-server-error',
  'found-malware',
  'on-blacklist',
  'vulnerable-software',
];

const mostHoles = 1_000;

const scanJob = withFailureLog<ScanOrder, ScanUse>({
  name: 'security-suite.scan',
  about: 'Scans the site for known vulnerabilities, malware and blocklists',
  serving: true,
  attempts: 3,
  writes: ['secsuite_scans'],
  lane: { name: 'security-suite.scan', atOnce: 1 },
  run: async (order, { signal }, { scanner }) => ({ scan: await scanner.run(order, signal) }),
});

/** Services that scans ask. */
const remotesOf = ({ advisories, reputationUrl }: Operator['security']): Remote[] => [
  ...(advisories?.kind === 'url' ? [{ name: 'the list of known vulnerabilities', url: advisories.url }] : []),
  ...(reputationUrl === undefined ? [] : [{ name: 'the reputation service', url: reputationUrl }]),
];

export const siteScannerPart = part({
  name: 'site-scanner',
  errors: { ...scanErrors, ...fixErrors, ...malwareErrors, ...muteErrors, ...tokenErrors },
  modules: [siteScanner, malwareScheduling],
  tables: {
    migrations: scanMigrations,
    quiet: quietScanTables,
    users: { secsuite_vulnerabilities: ['resolved_by'] },
  },
  notifications: [
    {
      slug: 'malware-scheduling',
      ...whileRunning('malware-scheduling'),
      recipient: 'user-list',
      label: 'Results of scans',
      description: 'Reports problems that the scan before did not find.',
      optional: true,
    },
  ],
  highlights: {
    'site-scanner-report': {
      module: 'malware-scheduling',
      title: 'A scan found a serious problem',
      message: 'The last scan of this site found a problem. <a href="{{ $view }}">See the problem</a>.',
      found: { modules: ['site-scanner', 'site_scanner'], types: ['critical-issue'] },
    },
  },
  logged: {
    'site-scanner': {
      label: 'Site scans',
      codes: {
        scan: 'The site is scanned',
        ...Object.fromEntries(plainCodes.map((code) => [code, describeCode(code)])),
      },
    },
  },
  make: (services, { settings, center, logs, inventory, patching, hrefOf, switches, manage }) => {
    const { store, clock, log, files, outgoing, extensions, content, operator, identity, site } = services;
    const { advisories, clamd } = operator.security;
    const vulnerabilities = createVulnerabilities({ store, clock, patching });
    const { users, roles, doing } = identity;
    const { encryption } = services.keys;
    const mailTokens = createMailTokens({ encryption, clock, roles, users, manage });
    const malware = createMalware({
      store,
      files,
      clock,
      log,
      clamd: clamd && createClamd(clamd),
      data: operator.data,
      installed: async () => (await extensions.wanted()).installed,
    });
    const endChecks = content.media.checkArrivals(async (arrived) => {
      if (settings.isReady && settings.of('site-scanner').scan_uploads) await malware.checkUpload(arrived);
    });
    return {
      vulnerabilities,
      scanCards: createScanCards({ store, clock, known: vulnerabilities }),
      mailTokens,
      endUploadChecks: endChecks,
      fixes: createFixes({
        extensions,
        doing,
        users,
        vulnerabilities,
        inventory,
        clock,
      }),
      scanner: createScanner({
        store,
        clock,
        log,
        logs,
        events: services.events,
        jobs: services.jobs,
        queue: services.queueOf(scanJob),
        inventory,
        feed: createFeed({ source: advisories, outgoing, clock }),
        vulnerabilities,
        patching,
        blocklists: createBlocklists({ operator, outgoing, url: site.url }),
        malware,
        url: site.url,
        send: center.send,
        linkFor: (scan, user) => `${site.url}${scanPath}?scan=${scan}&key=${mailTokens.make(user)}`,
        hrefOf: (path) => hrefOf('neutral', path),
      }),
      versionOf: async (slug: string) => (await extensions.find(slug))?.version,
      scanRemotes: remotesOf(operator.security),
      isScanScheduled: () => switches.isRunning('malware-scheduling'),
    };
  },
  jobs: {
    kinds: [scanJob],
    schedules: [
      {
        name: 'security-suite.scan',
        every: 12 * hour,
        add: async ({ scanner, isScanScheduled }) => {
          if (isScanScheduled()) await scanner.schedule();
        },
      },
    ],
  },
  health: { remotes: ({ scanRemotes }) => scanRemotes },
  on: {
    'extension.changed': async ({ slug, change, by, automatic }, { vulnerabilities, versionOf }) => {
      const what = change === 'updated' && automatic ? 'auto-updated' : change;
      await vulnerabilities.extensionChanged(slug, what, by || null, await versionOf(slug));
    },
  },
  async holes({ vulnerabilities }) {
    const found = {
      limit: mostHoles,
      offset: 0,
      resolutions: ['', 'deactivated', 'patched'],
      types: ['plugin'],
    } as const;
    const { items } = await vulnerabilities.list({ ...found, firstSeen: {}, lastSeen: {} });
    return items.flatMap(({ slug, details: { fixed_in: fixedIn } }) => (fixedIn === null ? [] : [{ slug, fixedIn }]));
  },
  cards: ({ scanCards }) => ({
    'security-summary': async () => ({ vulnerability: (await scanCards.vulnerabilities())[0] ?? null }),
    'vulnerable-software': async () => ({
      vulnerabilities: await scanCards.vulnerabilities(),
      date: await scanCards.lastScan(),
    }),
    'malware-scan': async (period) => ({ scans: await scanCards.scans(period), log_type: 'database' }),
  }),
  cardActions: ({ scanner, scanCards }) => ({
    scan: { run: async ({ id }) => scanCards.scan(await scanner.start(id)) },
  }),
  pages: (use, house) => scanPages(use, house),
  routes: ({ tools, gate }) => ({
    v1: [...scanRoutes(tools, gate), ...vulnerabilityRoutes(tools, gate), ...mutedRoutes(tools, gate)],
  }),
  end: ({ endUploadChecks }) => endUploadChecks(),
});
