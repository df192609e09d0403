// Passkeys.

import { about } from '../../logs/named.ts';
import type { Module } from '../../module.ts';
import { part } from '../../part.ts';
import { later } from '../../setting-schemas.ts';

const webauthn: Module = {
  id: 'webauthn',
  type: 'login',
  standing: 'default-active',
  keywords: ['web authentication', 'fido', 'u2f', 'faceid', 'touchid', 'webauthn'],
  title: 'Passkeys',
  description: `${later} Will let people sign in with a passkey: a finger, a face, or a security key.`,
  requirements: {
    ssl: { validate: 'run', showMessageIfUnmet: true },
    multisite: { validate: 'run', status: 'disabled', showMessageIfUnmet: true },
    server: { validate: 'run', extensions: ['OpenSSL'], showMessageIfUnmet: true },
  },
};

export const webauthnPart = part({
  name: 'webauthn',
  modules: [webauthn],
  logged: {
    webauthn: {
      label: 'Passkeys',
      codes: {
        'registration-ceremony-failed': 'A passkey could not be registered',
        'authentication-ceremony-failed': 'A sign-in with a passkey failed',
        'hash-conflict': 'Two passkeys have the same mark',
        'credential-repository': about('Passkeys could not be kept'),
        'user-entity': about('The user of a passkey could not be found'),
      },
    },
  },
});
