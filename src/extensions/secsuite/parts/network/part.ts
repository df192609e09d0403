// A blocklist that sites share.
import { dismissal, linkTo } from '../../notices/notice.ts';
import { part } from '../../part.ts';
import { createNetwork } from './network.ts';
import { networkBruteForce } from './settings.ts';

export const networkPart = part({
  name: 'network',
  modules: [networkBruteForce],
  logged: {
    ipcheck: {
      label: 'Network of shared bans',
      codes: {
        'ip-blocked': 'An address known for attacks was kept out',
        'failed-login-by-blocked-ip': 'Wrong sign-in from an address known for attacks',
        'successful-login-by-blocked-ip': 'Somebody signed in from an address known for attacks',
      },
    },
  },
  make: (services, { settings, logs, client, defence, defends, onLockout }) => {
    const { site, operator, events } = services;
    const network = createNetwork({
      ...services,
      settings,
      url: site.url,
      base: operator.security.blocklistUrl,
      log: logs.write,
      response: defence.response,
      lets: client.authorised.lets,
      isRunning: () => defends('network-brute-force'),
    });
    onLockout(({ lockouts, strike }) => {
      if (lockouts.some(({ host }) => host !== null))
        events.follow('login.failed', () => network.reported(strike.address));
    });
    return { network, hasRegistry: operator.security.blocklistUrl !== undefined };
  },
  checks: ({ network }) => [network.check],
  notices: [
    ({ hasRegistry, settings }, { dismiss }) => {
      if (!hasRegistry || settings.of('network-brute-force').api_key !== '') return undefined;
      const id = 'network-brute-force-promo';
      return {
        id,
        severity: 'info',
        title: 'Join the community list',
        message: 'Sites that share who attacks them are attacked less.',
        actions: {
          register: linkTo('Join', '/settings/configure/lockout#network-brute-force'),
          dismiss: dismissal(id, dismiss),
        },
      };
    },
  ],
});
