// The requirement that a password cannot be guessed.
import type { Module } from '../../module.ts';

export const strongPasswords = {
  id: 'strong-passwords',
  type: 'recommended',
  standing: 'always-active',
  title: 'Strong passwords',
  description: 'Refuses passwords that are easy to guess.',
  passwordRequirements: {
    strength: {
      title: 'Strong passwords',
      description: 'Members must choose a password that takes very long to guess.',
      'user-group': true,
    },
  },
} as const satisfies Module;
