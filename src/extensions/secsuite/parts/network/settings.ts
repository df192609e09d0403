// The community's list: addresses that attacked other sites.
import type { Condition, Module } from '../../module.ts';
import { flag, forAll, line, settingsCard } from '../../setting-schemas.ts';

const keys = (length: { minLength: number } | { maxLength: number }): Condition => ({
  settings: {
    type: 'object',
    properties: { api_key: { type: 'string', ...length }, api_secret: { type: 'string', ...length } },
  },
});

export const networkBruteForce: Module = {
  id: 'network-brute-force',
  type: 'lockout',
  standing: 'default-active',
  onboard: true,
  title: 'Reported addresses',
  description: 'Keeps out addresses that have attacked other sites, and reports those that attack this one.',
  help: 'It needs a registry that the operator has named. Only the addresses of attackers are reported, and nothing about your visitors.',
  requirements: { ip: { validate: 'run', showMessageIfUnmet: true } },
  settings: settingsCard({
    properties: {
      enable_ban: flag(true, 'Keep out reported addresses', 'Addresses that others have reported are locked out here.'),
      api_key: line('Key', 'The key under which this site is registered.'),
      api_secret: { type: 'string', default: '', readonly: true },
      email: {
        type: ['string', 'null'],
        format: 'email',
        default: null,
        title: 'Mail address',
        description: 'Saving an address registers this site with the registry.',
      },
      updates_optin: flag(false, 'News by mail', 'The registry may write to this address.'),
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
};
