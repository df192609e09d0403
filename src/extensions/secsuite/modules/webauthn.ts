// Passkeys.
import type { Module } from '../module.ts';
import { later } from './card.ts';

export const webauthn: Module = {
  id: 'webauthn',
  type: 'login',
  standing: 'default-active',
  keywords: ['web authentication', 'fido', 'u2f', 'faceid', 'touchid', 'webauthn'],
  title: 'Passkeys',
  description: `Lets people sign in with what is in their device: a finger, a face, or a key. ${later}`,
  requirements: {
    ssl: { validate: 'run', showMessageIfUnmet: true },
    multisite: { validate: 'run', status: 'disabled', showMessageIfUnmet: true },
    server: { validate: 'run', extensions: ['OpenSSL'], showMessageIfUnmet: true },
  },
};
