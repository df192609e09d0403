// A world with nobody in it but the site itself, which is found at its public address, http://site.test, wherever it really listens.
import { connectReally } from '#site/outgoing/connect.ts';
import type { TestEngine } from './databases.ts';
import { offline } from './offline.ts';
import { aSite, type SiteOptions, type TestSite } from './site.ts';

export interface ReachingItself extends TestSite {
  /** How often it asked itself. */
  reached(): number;
}

export async function aSiteThatReachesItself(engine: TestEngine, options: SiteOptions = {}): Promise<ReachingItself> {
  let port = 0;
  let reached = 0;
  const world: typeof offline = {
    lookup: async (name) => (name === 'site.test' ? ['127.0.0.1'] : []),
    connect: (spot, signal) => {
      if (spot.name !== 'site.test') return offline.connect(spot, signal);
      reached += 1;
      return connectReally({ ...spot, port }, signal);
    },
  };
  const site = await aSite(engine, { ...options, world });
  port = site.port;
  return { ...site, reached: () => reached };
}
