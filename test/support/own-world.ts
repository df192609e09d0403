// A world with nobody in it but the site itself, which is found at its public address, http://site.test, wherever it really listens.
import { connectReally } from '#site/outgoing/connect.ts';
import type { TestEngine } from './databases.ts';
import { offline } from './offline.ts';
import { aSite, type SiteOptions, type TestSite } from './site.ts';

export async function aSiteThatReachesItself(engine: TestEngine, options: SiteOptions = {}): Promise<TestSite> {
  let port = 0;
  const world: typeof offline = {
    lookup: async (name) => (name === 'site.test' ? ['127.0.0.1'] : []),
    connect: (spot, signal) =>
      spot.name === 'site.test' ? connectReally({ ...spot, port }, signal) : offline.connect(spot, signal),
  };
  const site = await aSite(engine, { ...options, world });
  port = site.port;
  return site;
}
