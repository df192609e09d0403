// The keys that sessions and one-time links are signed with.
import type { Module } from '../module.ts';
import { noted, settingsCard } from './card.ts';

export const coreSalts: Module = {
  id: 'core-salts',
  type: 'tool',
  standing: 'always-active',
  title: 'Keys of sessions',
  description: '',
  tools: {
    'change-salts': {
      title: 'Change the keys of sessions',
      description: 'Makes new keys for sessions, and so signs everybody out.',
      help: 'For use when somebody may have got hold of a session or of the keys. You too sign in again afterwards.',
    },
  },
  settings: settingsCard({ properties: { last_generated: noted }, ours: ['last_generated'] }),
};
