// The requirement that a password has not become known.
import type { Module } from '../../module.ts';

export const hibp = {
  id: 'hibp',
  type: 'recommended',
  standing: 'always-active',
  title: 'Leaked passwords',
  description:
    'Refuses passwords that have become known elsewhere. Only a few characters of their fingerprint are sent.',
  passwordRequirements: { hibp: { 'user-group': true } },
} as const satisfies Module;
