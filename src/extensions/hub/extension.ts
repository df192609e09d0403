// A hub: many sites tell it how they are, each with a key of its own, and their owner sees them in one table.

import { minute } from '#lib/spans.ts';
import type { Entry } from '#site/extension.ts';
import { config } from './config.ts';
import { createSweeping } from './heard.ts';
import { capability, createManage } from './manage.ts';
import { pages } from './pages.ts';
import { type Hub, routes } from './routes.ts';
import { sweepName } from './served.ts';
import { createSigners } from './signers.ts';
import { silence } from './silence.ts';
import { createSites } from './sites.ts';
import { createSyncs } from './syncs.ts';
import { tables } from './tables.ts';

interface Nouns extends Hub {
  readonly sweep: ReturnType<typeof createSweeping>;
  /** Adds a sweep, unless one waits. */
  readonly sweepLater: () => Promise<string>;
  /** Nothing else is served here, so its table is what people come for. */
  readonly isAlone: boolean;
}

export const hub: Entry<Nouns> = (tools) => {
  const sweep = tools.job<null>({
    name: sweepName,
    about: 'Forgets which messages of sites came a while ago',
    attempts: 3,
    run: (_, { signal }, { sweep }) => sweep(signal),
  });
  return {
    name: 'hub',
    config,
    title: 'Hub',
    about: 'Shows in one table how the sites are that send it word of themselves.',
    tables,
    capabilities: [capability],
    jobs: {
      kinds: [sweep],
      schedules: [{ name: sweepName, every: 10 * minute, add: ({ sweepLater }) => sweepLater() }],
    },
    health: { checks: [silence(tools)] },
    nouns: ({ store, clock, keys, identity, program, queueOf }) => {
      const sites = createSites({ store, clock, keys });
      const queue = queueOf(sweep);
      return {
        sites,
        syncs: createSyncs(store, clock),
        signers: createSigners(sites, clock),
        manage: createManage(identity.doing),
        sweep: createSweeping(store, clock),
        sweepLater: () => queue.add(null, { key: sweepName }),
        isAlone: Object.entries(program.extensions).every(([name, isOn]) => !isOn || name === 'hub'),
      };
    },
    pages: ({ sites, isAlone }, house) => pages(sites, house, isAlone),
    routes: { 'hub/v1': routes(tools) },
  };
};
