// The keys that sessions and one-time links are signed with.

import type { Module } from '../../module.ts';
import { part } from '../../part.ts';
import { noted, settingsCard } from '../../setting-schemas.ts';
import { saltTools } from './secrets.ts';

const coreSalts: Module = {
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

export const coreSaltsPart = part({
  name: 'core-salts',
  modules: [coreSalts],
  make: ({ sessionKey, clock }, { settings }) => ({ saltTools: saltTools({ settings, sessionKey, clock }) }),
  tools: ({ saltTools }) => saltTools,
});
