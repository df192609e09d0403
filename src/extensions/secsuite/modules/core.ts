// The ground of the suite: the key that secrets are kept with, and what is cleared away.
import type { Module } from '../module.ts';
import { settingsCard } from './card.ts';

const notHere = 'Nothing has to be loaded early here: the suite stands before everything else.';

export const core: Module = {
  id: 'core',
  type: 'recommended',
  standing: 'always-active',
  title: 'Foundation',
  description: '',
  tools: {
    'set-encryption-key': {
      title: 'Set the key for secrets',
      description: 'Makes a new key and seals all kept secrets with it.',
      help: 'Keys and passwords among the settings are kept sealed, so that a copy of the database does not give them away.',
      keywords: ['encryption'],
      form: {
        type: 'object',
        properties: {
          confirm: {
            type: 'boolean',
            title: 'Replace the key there is',
            description: 'There is a key already. All secrets are sealed anew with the next one.',
          },
        },
      },
    },
    'rotate-encryption-key': {
      title: 'Seal secrets anew',
      description: 'Seals with the present key what was sealed with an earlier one.',
      help: 'For use after the key was changed from outside. It needs the key from before.',
      keywords: ['encryption'],
      form: {
        type: 'object',
        required: ['previous'],
        properties: {
          previous: {
            type: 'string',
            minLength: 1,
            title: 'The key from before',
            description: 'The key that the secrets were sealed with until now.',
          },
        },
      },
    },
    'create-mu-plugin': { title: 'Add the early loader', description: notHere },
    'remove-mu-plugin': { title: 'Remove the early loader', description: notHere },
  },
  settings: settingsCard({
    properties: { last_seen_lockout: { type: 'integer', default: 0 } },
    ours: ['last_seen_lockout'],
  }),
};
