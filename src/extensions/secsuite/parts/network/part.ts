// A blocklist that sites share.

import type { Condition, Module, SettingsOf } from '../../module.ts';
import { dismissal, linkTo } from '../../notices/notice.ts';
import { part } from '../../part.ts';
import { flag, forAll, line, settingsCard } from '../../setting-schemas.ts';
import { createNetwork, networkErrors } from './network.ts';

const keys = (length: { minLength: number } | { maxLength: number }): Condition => ({
  settings: {
    type: 'object',
    properties: { api_key: { type: 'string', ...length }, api_secret: { type: 'string', ...length } },
  },
});

const networkBruteForce = {
  id: 'network-brute-force',
  type: 'lockout',
  standing: 'default-active',
  onboard: true,
  title: 'Reported IP addresses',
  description: 'Locks out IP addresses that have attacked other sites, and reports IP addresses that attack this site.',
  help: 'It needs a shared blocklist that the operator has set. The site reports only the IP addresses of attackers, and no data of your visitors.',
  requirements: { ip: { validate: 'run', showMessageIfUnmet: true } },
  settings: settingsCard({
    properties: {
      enable_ban: flag(
        true,
        'Lock out reported IP addresses',
        'IP addresses that other sites have reported are locked out here.',
      ),
      api_key: line('Key', 'Key of this site at the shared blocklist.'),
      api_secret: { type: 'string', default: '', readonly: true },
      email: {
        type: ['string', 'null'],
        format: 'email',
        default: null,
        title: 'Email address',
        description: 'Saving an email address registers this site with the shared blocklist.',
      },
      updates_optin: flag(false, 'News by email', 'The shared blocklist can send news to this email address.'),
    },
    uiSchema: {
      'ui:sections': [{ title: 'Registration', fields: ['api_key', 'api_secret', 'email', 'updates_optin'] }],
      api_key: { 'ui:disabled': true },
    },
    conditional: {
      ...forAll(['enable_ban', 'api_key'], keys({ minLength: 1 })),
      ...forAll(['email', 'updates_optin'], keys({ maxLength: 0 })),
    },
    ours: ['api_secret'],
    secret: ['api_secret'],
    onboard: ['email', 'updates_optin'],
    import: ['email', 'updates_optin', 'api_key'],
  }),
} satisfies Module;

declare module '../../settings/types.ts' {
  interface ModuleSettings {
    'network-brute-force': SettingsOf<typeof networkBruteForce>;
  }
}

export const networkPart = part({
  name: 'network',
  errors: networkErrors,
  modules: [networkBruteForce],
  logged: {
    ipcheck: {
      label: 'Shared blocklist',
      codes: {
        'ip-blocked': 'A reported IP address was locked out',
        'failed-login-by-blocked-ip': 'Wrong sign-in from a reported IP address',
        'successful-login-by-blocked-ip': 'Sign-in from a reported IP address',
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
        title: 'Join the shared blocklist',
        message: 'Sites that share the IP addresses of attackers are attacked less.',
        actions: {
          register: linkTo('Join', '/settings/configure/lockout#network-brute-force'),
          dismiss: dismissal(id, dismiss),
        },
      };
    },
  ],
});
