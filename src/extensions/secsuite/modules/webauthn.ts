// Passkeys.
import type { Module } from '../module.ts';
import { later } from './card.ts';

export const webauthn: Module = {
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
