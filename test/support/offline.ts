// A world without other sites: no test asks the internet anything by mistake. Doubles on this machine are reached by their address.
import { connectReally } from '#site/outgoing/connect.ts';
import type { World } from '#site/outgoing/guard.ts';

export const offline: Pick<World, 'lookup' | 'connect'> = {
  lookup: async () => [],
  connect: (spot, signal) => {
    if (spot.address === '127.0.0.1') return connectReally(spot, signal);
    return Promise.reject(new Error(`A test would have asked ${spot.address}.`));
  },
};
