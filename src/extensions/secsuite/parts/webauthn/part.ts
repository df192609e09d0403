// Passkeys: users register keys of their devices, and sign in with them instead of their password.
import { day } from '#lib/spans.ts';
import { about } from '../../logs/named.ts';
import type { Module } from '../../module.ts';
import { part } from '../../part.ts';
import { webauthnErrors } from './errors.ts';
import { passkeyPages, passkeysPath, signInButton } from './pages.ts';
import { createPasskeys, lookForForeign } from './passkeys.ts';
import { ceremonyRoutes, credentialRoutes } from './routes.ts';
import { webauthnMigrations } from './tables.ts';
import { passwordlessAdditions } from './user-field.ts';

const webauthn: Module = {
  id: 'webauthn',
  type: 'login',
  standing: 'default-active',
  keywords: ['web authentication', 'fido', 'u2f', 'faceid', 'touchid', 'webauthn'],
  title: 'Passkeys',
  description:
    'Users can add passkeys on their account page: keys on their devices that need a finger, a face or a PIN. Passkeys sign them in while “Signing in without a password” is turned on.',
  requirements: {
    ssl: { validate: 'run', showMessageIfUnmet: true },
    multisite: { validate: 'run', status: 'disabled', showMessageIfUnmet: true },
    server: { validate: 'run', extensions: ['OpenSSL'], showMessageIfUnmet: true },
  },
};

export const webauthnPart = part({
  name: 'webauthn',
  errors: webauthnErrors,
  modules: [webauthn],
  tables: {
    migrations: webauthnMigrations,
    quiet: ['secsuite_webauthn_tokens'],
    users: {
      secsuite_webauthn_credentials: ['user_id'],
      secsuite_webauthn_users: ['user_id'],
      secsuite_webauthn_tokens: ['user_id'],
    },
    leftOut: {
      secsuite_webauthn_credentials: ['secsuite_webauthn_credentials'],
      secsuite_webauthn_users: ['secsuite_webauthn_users'],
    },
  },
  logged: {
    webauthn: {
      label: 'Passkeys',
      codes: {
        'registration-ceremony-failed': 'A passkey could not be registered',
        'authentication-ceremony-failed': 'A sign-in with a passkey failed',
        'hash-conflict': 'Two passkeys have the same id',
        'credential-repository': about('Passkeys could not be stored'),
        'user-entity': about('The user of a passkey could not be found'),
      },
    },
  },
  make: (services, { settings, switches, logs, matchables, accounts, isSuiteOn }) => {
    const passkeys = createPasskeys(services, { settings, switches, logs, isSuiteOn, matches: matchables.matches });
    const { hasAllowed, allow, trashSince } = passkeys;
    accounts.passwordless.add({ hasAllowed, allow, endSince: trashSince });
    return { passkeys, webauthnDoing: services.identity.doing, siteUrl: services.site.url };
  },
  checks: (use) => [
    {
      method: { name: 'webauthn', failure: 'incorrect_passkey', prove: use.passkeys.prove },
      besides: (form) => (form === 'sign-in' && use.passkeys.isOffered() ? signInButton(use, use.siteUrl) : undefined),
      account: () =>
        use.switches.isRunning('webauthn')
          ? [
              {
                path: passkeysPath,
                title: 'Your passkeys',
                about: 'Add, name and remove the passkeys of your devices.',
              },
            ]
          : [],
    },
  ],
  pages: (use, house) => passkeyPages(use, house, () => use.switches.isRunning('webauthn')),
  routes: ({ tools, isRunning }) =>
    isRunning('webauthn') ? { rpc: ceremonyRoutes(tools), v1: credentialRoutes(tools) } : {},
  extendsUsers: passwordlessAdditions,
  tasks: [{ name: 'purge-passkeys', every: day, run: ({ passkeys }) => passkeys.purge() }],
  health: {
    checks: [
      {
        name: 'passkeys',
        what: 'Passkeys',
        about: 'Whether passkeys work at the URL of the site: each works only at the host that it was registered for.',
        badge: 'Security',
        look: ({ passkeys }) => passkeys.look(),
      },
    ],
  },
  doctor: [
    {
      what: 'Passkeys',
      look: ({ store, config }) => lookForForeign(store.db as never, new URL(config.url).hostname),
    },
  ],
  on: { 'user.deleted': ({ user }, { passkeys }) => passkeys.forgetUser(user) },
});
