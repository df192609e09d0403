// Apps that are refused because of the name they send.

import { part } from '../../part.ts';
import { createAgents } from './agents.ts';

export const agentsPart = part({
  name: 'agents',
  guards: ({ settings, switches, client }) => [
    createAgents({ settings, authorised: client.authorised, isRunning: switches.isRunning }),
  ],
});
