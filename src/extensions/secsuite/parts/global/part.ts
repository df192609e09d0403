// Settings that all modules share, and how the site finds the IP addresses of its visitors and of itself.
import { knocking } from '#kernel/knock.ts';
import { day } from '#lib/spans.ts';
import { type OwnCheck, ok, warning } from '#site/health/check.ts';
import type { Client } from '../../client/client.ts';
import { foundIn } from '../../client/finding.ts';
import { clientMigrations } from '../../client/tables.ts';
import type { Module, SettingSchema } from '../../module.ts';
import { linkTo, type NoticeSource } from '../../notices/notice.ts';
import { part } from '../../part.ts';
import { settingsCard, unavailable } from '../../setting-schemas.ts';
import type { Shared } from '../../shared.ts';
import { createSeeing, detectIpRoutes } from './detect-ip.ts';
import { createMirror } from './mirror.ts';
import { proxyTools } from './proxy-tools.ts';
import { globalOn } from './settings.ts';

const strayHeaderCheck: OwnCheck<{ readonly client: Pick<Client, 'stray'> }> = {
  name: 'stray-proxy-header',
  what: 'The address of visitors',
  about: 'Behind a proxy that is not named, all visitors seem to have one address, and are locked out together.',
  badge: 'Security',
  look({ client }) {
    const stray = client.stray.last();
    if (stray === undefined) return ok('is told by nobody whom the site does not believe');
    return warning(
      `is told in the header ${stray.header} by ${stray.peer}, whom the site does not believe`,
      'If that is your proxy, name it: GATEHOUSE_TRUST_PROXY.',
    );
  },
};

const insecureDetection: NoticeSource<Pick<Shared, 'settings' | 'switches'>> = ({ settings, switches }, { putOff }) => {
  const id = 'insecure-ip-detection';
  const { proxy, onboard_complete } = settings.of('global');
  if (proxy !== 'automatic' || onboard_complete !== true) return undefined;
  return {
    ...{ id, severity: 'warning', title: 'Say where visitors come from' },
    message:
      'It was not chosen how the address of a visitor is found. Until then nobody is locked out or banned by it.',
    actions: {
      enable: {
        ...{ title: 'Find out by itself', style: 'primary' },
        run: async (behalf) => {
          await switches.set('security-check-pro', true, behalf);
          await settings.overlay('global', { proxy: 'security-check' }, behalf);
        },
      },
      configure: linkTo('Choose', '/settings/global#proxy', 'link'),
      remind_me: { title: 'Remind me later', style: 'close', run: () => putOff(id, 7 * day) },
    },
  };
};

const strayHeader: NoticeSource<Pick<Shared, 'client'>> = ({ client }, { putOff }) => {
  const id = 'untrusted-proxy-header';
  const seen = client.stray.last();
  if (seen === undefined) return undefined;
  return {
    ...{ id, severity: 'warning', title: 'Name your proxy' },
    message: `${seen.peer} says in the header ${seen.header} whose request it passes on, and the site does not believe it. If that is your proxy, all visitors seem to have its address, and are locked out together: whoever runs the site names it in GATEHOUSE_TRUST_PROXY.`,
    actions: { remind_me: { title: 'Remind me later', style: 'close', run: () => putOff(id, 7 * day) } },
  };
};

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

const securityCheckPro: Module = {
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

export const globalPart = part({
  name: 'global',
  modules: [globalOn, securityCheckPro],
  tables: { migrations: clientMigrations },
  logged: {
    'security-check-pro': {
      label: 'Detection of addresses',
      codes: { 'start-scan': 'How addresses of visitors arrive is detected' },
    },
  },
  make: ({ clients, ownSite, site, clock }, { settings, logs }) => {
    const mirror = createMirror(ownSite, site.url);
    return {
      ...{ mirror, seeing: createSeeing({ settings, clients }) },
      proxyTools: proxyTools({
        ...{ settings, logs, clock, url: site.url, named: ownSite.addresses, seen: mirror.look },
        detect() {
          const request = knocking();
          return request && foundIn(request.peer, request.headers, clients);
        },
      }),
    };
  },
  probes: ({ mirror }) => [mirror.guard],
  tools: ({ proxyTools }) => proxyTools,
  notices: [insecureDetection, strayHeader],
  health: { checks: [strayHeaderCheck] },
  jobs: {
    kinds: [],
    schedules: [
      {
        name: 'security-suite.server-ips',
        every: day,
        add: ({ runToolsLater }) => runToolsLater('identify-server-ips'),
      },
      { name: 'security-suite.check', every: day, add: ({ runToolsLater }) => runToolsLater('security-check-pro') },
    ],
  },
  routes: ({ tools, gate }) => ({ rpc: detectIpRoutes(tools, gate.manager) }),
});
