// Settings that all modules share, and how the site finds the IP addresses of its visitors and of itself.
import { knocking } from '#kernel/knock.ts';
import { day } from '#lib/spans.ts';
import { foundIn } from '../../client/finding.ts';
import { clientMigrations } from '../../client/tables.ts';
import { part } from '../../part.ts';
import { createSeeing, detectIpRoutes } from './detect-ip.ts';
import { strayHeaderCheck } from './health.ts';
import { createMirror } from './mirror.ts';
import { insecureDetection, strayHeader } from './notices.ts';
import { proxyTools } from './proxy-tools.ts';
import { securityCheckPro } from './security-check-pro.ts';
import { globalOn } from './settings.ts';

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
