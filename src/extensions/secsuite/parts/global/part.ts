// Settings that all modules share, and how the site finds the IP addresses of its visitors and of itself.

import { randomBytes } from 'node:crypto';
import { currentRequest } from '#kernel/request.ts';
import { day } from '#lib/spans.ts';
import { type OwnCheck, ok, warning } from '#site/health/check.ts';
import type { Guards } from '#site/hooks/guards.ts';
import { remedyText } from '#site/identity/proxy-advice.ts';
import { mirrorHeader } from '#site/identity/proxy-watch.ts';
import type { OwnSite } from '#site/outgoing/own-site.ts';
import type { Client } from '../../client/client.ts';
import { type Found, foundIn } from '../../client/detector.ts';
import { clientMigrations } from '../../client/tables.ts';
import type { Logs } from '../../logs/logs.ts';
import type { Module, Setting, SettingSchema, SettingsOf } from '../../module.ts';
import { linkTo, type NoticeSource } from '../../notices/notice.ts';
import { part } from '../../part.ts';
import { settingsCard, unavailable } from '../../setting-schemas.ts';
import type { Settings } from '../../settings/types.ts';
import type { Shared } from '../../shared.ts';
import type { Doing, Ran } from '../../tools/tools.ts';
import { createSeeing, detectIpRoutes, globalErrors } from './detect-ip.ts';
import { globalOn } from './settings.ts';

/** Under which addresses this server is reached: by the name of the site, and by a request to itself. */
export interface AddressNeeds {
  readonly settings: Pick<Settings, 'keep'>;
  /** Of the name of the site. */
  named(): Promise<readonly string[]>;
  /** As which this server is seen when it asks itself; nothing where that is not seen here. */
  seen(): Promise<string | undefined>;
}

export async function serverAddresses({ settings, named, seen }: AddressNeeds): Promise<Ran> {
  const [byName, bySight] = await Promise.allSettled([named(), seen()]);
  if (byName.status === 'rejected' && bySight.status === 'rejected')
    throw globalErrors.identifyFailed().with(
      {},
      {
        others: [
          { code: 'secsuite.tool.identify-server-ips.no-dns', message: whyNot.byName },
          { code: 'http_request_failed', message: whyNot.bySight },
        ],
      },
    );
  const found = [
    ...(byName.status === 'fulfilled' ? byName.value : []),
    ...(bySight.status === 'fulfilled' && bySight.value !== undefined ? [bySight.value] : []),
  ];
  if (found.length === 0) throw globalErrors.noIps();
  const { server_ips: all } = await settings.keep('global', ({ server_ips }) => ({
    server_ips: [...new Set([...server_ips, ...found])],
  }));
  const warning = [
    ...(byName.status === 'rejected' ? [whyNot.byName] : []),
    ...(bySight.status === 'rejected' ? [whyNot.bySight] : []),
  ];
  return { data: all, warning };
}

const whyNot = {
  byName: 'The host name of the site cannot be looked up.',
  bySight: 'The site cannot reach itself at its own URL.',
};

interface ProxyDeps extends AddressNeeds {
  readonly settings: Pick<Settings, 'of' | 'keep'>;
  readonly logs: Pick<Logs, 'operation'>;
  readonly url: string;
  clock(): Date;
  /** What the request under way shows; nothing when no header tells the IP address of its visitor for certain. */
  detect(): Found | undefined;
}

const proxyTools = (deps: ProxyDeps): Readonly<Record<string, Doing>> => ({
  'identify-server-ips': { run: () => serverAddresses(deps) },
  'security-check-pro': { run: ({ caller }) => checked(deps, caller !== undefined) },
});

/** How visitors reach the site. Without a person who asks there is no request to look at. */
async function checked({ settings, clock, detect, url, logs }: ProxyDeps, isAsked: boolean): Promise<Ran> {
  const ssl_supported = url.startsWith('https:');
  const found = isAsked ? detect() : undefined;
  const scan = await logs.operation('security-check-pro', 'start-scan');
  const seen = { ssl_supported, ...(found && { ip_header: { ...found } }) };
  await settings.keep('security-check-pro', {
    ...seen,
    ...(found && { last_scan_timestamp: Math.floor(clock().getTime() / 1_000) }),
  });
  scan.stop(seen);
  if (!isAsked) return {};
  const info = ssl_supported ? [] : ['The URL of the site is not HTTPS.'];
  if (found === undefined)
    return {
      info,
      warning: ['No header reliably has the IP address of visitors. Set the trusted proxies.'],
    };
  const how =
    found.name === ''
      ? 'Visitors reach the site directly.'
      : `The IP address of visitors is in the header ${found.name}.`;
  return { success: [how], info };
}

/** The site asks itself from outside, and notes where the request comes from. */
interface Mirror {
  /** The address this site is seen at; undefined when another process took the request. Throws when the site does not reach itself. */
  look(): Promise<string | undefined>;
}

export function createMirror(site: Pick<OwnSite, 'fetch'>, url: string, guards: Pick<Guards, 'also'>): Mirror {
  return {
    async look() {
      const word = randomBytes(16).toString('hex');
      let seen: string | undefined;
      const remove = guards.also({
        whenFailing: 'open',
        onConnect({ headers, peer }) {
          if (headers[mirrorHeader] === word) seen = peer;
          return undefined;
        },
      });
      try {
        const { bytes } = await site.fetch(`${url}/healthz`, {
          name: 'mirror',
          types: ['text/', 'application/json'],
          most: 10_000,
          within: 5_000,
          redirects: 0,
          headers: { [mirrorHeader]: word },
        });
        await bytes();
        return seen;
      } finally {
        remove();
      }
    },
  };
}

const strayHeaderCheck: OwnCheck<{ readonly client: Pick<Client, 'stray'> }> = {
  name: 'stray-proxy-header',
  what: 'IP addresses of visitors',
  about: 'If a proxy is not trusted, all visitors share its IP address, and are locked out together.',
  badge: 'Security',
  look({ client }) {
    const stray = client.stray.last();
    if (stray === undefined) return ok('do not come from a proxy that is not trusted');
    return warning(
      `come in the header ${stray.header} from ${stray.peer}, which is not a trusted proxy`,
      `If that is your proxy, add its IP address to GATEHOUSE_TRUST_PROXY: GATEHOUSE_TRUST_PROXY=loopback,${stray.peer}`,
    );
  },
};

const insecureDetection: NoticeSource<Pick<Shared, 'settings' | 'switches'>> = ({ settings, switches }, { putOff }) => {
  const id = 'insecure-ip-detection';
  const { proxy, onboard_complete } = settings.of('global');
  if (proxy !== 'automatic' || onboard_complete !== true) return undefined;
  return {
    id,
    severity: 'warning',
    title: 'Choose how to find the IP addresses of visitors',
    message:
      'The security suite does not know yet how to find the IP address of a visitor. Until you choose this, no IP address is locked out or banned.',
    actions: {
      enable: {
        title: 'Detect automatically',
        style: 'primary',
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

const strayHeader: NoticeSource<Pick<Shared, 'client' | 'proxyAdvice'>> = ({ client, proxyAdvice }, { putOff }) => {
  const id = 'untrusted-proxy-header';
  const seen = client.stray.last();
  if (seen === undefined || proxyAdvice() !== undefined) return undefined;
  return {
    id,
    severity: 'warning',
    title: 'Trust your proxy',
    message: `Requests from ${seen.peer} name the visitor in the header ${seen.header}, but ${seen.peer} is not a trusted proxy. If it is your proxy, all visitors share its IP address, and are locked out together. Ask your site operator to set: GATEHOUSE_TRUST_PROXY=loopback,${seen.peer}`,
    actions: { remind_me: { title: 'Remind me later', style: 'close', run: () => putOff(id, 7 * day) } },
  };
};

const sharedAddress: NoticeSource<Pick<Shared, 'proxyAdvice'>> = ({ proxyAdvice }, { putOff }) => {
  const id = 'shared-ip-address';
  const advice = proxyAdvice();
  if (advice === undefined) return undefined;
  return {
    id,
    severity: 'warning',
    title: 'All visitors share one IP address',
    message: `${advice.problem} Ask your site operator to do this: ${remedyText(advice)}`,
    actions: { remind_me: { title: 'Remind me later', style: 'close', run: () => putOff(id, 7 * day) } },
  };
};

const moment = { type: ['null', 'integer'], minimum: 0, default: null, readonly: true } as const;

const ipHeader: Setting<Found> = {
  type: 'object',
  properties: { name: { type: 'string' }, position_from_end: { type: 'integer' } },
  default: { name: '', position_from_end: -1 },
  readonly: true,
};

const properties = {
  last_scan_timestamp: moment,
  ip_header: ipHeader,
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
} as const satisfies Record<string, SettingSchema>;

const securityCheckPro = {
  id: 'security-check-pro',
  type: 'utility',
  standing: 'always-active',
  onboard: true,
  sideEffects: true,
  title: 'How visitors reach the site',
  description: 'Detects the header with the IP address of visitors, and whether the site has HTTPS.',
  tools: {
    'security-check-pro': {
      description: 'Checks your own request to see how visitors reach the site, and stores the result.',
      schedule: 'security-check-pro',
    },
  },
  settings: settingsCard({ properties, ours: Object.keys(properties), secret: ['key_salt'] }),
} satisfies Module;

declare module '../../settings/types.ts' {
  interface ModuleSettings {
    'security-check-pro': SettingsOf<typeof securityCheckPro>;
  }
}

export const globalPart = part({
  name: 'global',
  errors: globalErrors,
  modules: [globalOn, securityCheckPro],
  tables: { migrations: clientMigrations },
  logged: {
    'security-check-pro': {
      label: 'Detection of IP addresses',
      codes: { 'start-scan': 'The detection of visitor IP addresses ran' },
    },
  },
  make: ({ clients, guards, ownSite, site, clock }, { settings, logs }) => {
    const mirror = createMirror(ownSite, site.url, guards);
    return {
      seeing: createSeeing({ settings, clients }),
      proxyTools: proxyTools({
        settings,
        logs,
        clock,
        url: site.url,
        named: ownSite.addresses,
        seen: mirror.look,
        detect() {
          const request = currentRequest();
          return request && foundIn(request.peer, request.headers, clients);
        },
      }),
    };
  },
  tools: ({ proxyTools }) => proxyTools,
  notices: [insecureDetection, sharedAddress, strayHeader],
  health: { checks: [strayHeaderCheck] },
  jobs: {
    kinds: [],
    schedules: [
      {
        name: 'security-suite.server-ips',
        every: day,
        add: ({ tools }) => tools.runLater('identify-server-ips'),
      },
      { name: 'security-suite.check', every: day, add: ({ tools }) => tools.runLater('security-check-pro') },
    ],
  },
  routes: ({ tools, gate }) => ({ rpc: detectIpRoutes(tools, gate.manager) }),
});
