// An extension that only tests switch on: one route for each thing a route can be, and a namespace that the two faces
// name differently.
import type { Generated } from 'kysely';
import type { Entry } from '#site/extension.ts';
import type { Clock } from '#site/platform/clock.ts';
import type { Store } from '#store/store.ts';
import { hello } from '../../examples/hello/extension.ts';
import { answering } from './probe/answering.ts';
import { arguing } from './probe/arguing.ts';
import { colours, counting } from './probe/counting.ts';
import { failing } from './probe/failing.ts';
import { things } from './probe/things.ts';
import type { SiteOptions } from './site.ts';

interface ProbeTables {
  probe_red: { id: Generated<number>; text: string };
  probe_blue: { id: Generated<number>; text: string };
}

/** What the handlers use. `calls` counts how often a handler ran: a kept answer does not move it. */
export interface Probe {
  readonly store: Store<ProbeTables>;
  readonly calls: Map<string, number>;
  readonly clock: Clock;
}

export const probe: Entry<Probe> = (tools) => ({
  name: 'probe',
  capabilities: ['probe_use'],
  tables: {
    migrations: [
      {
        name: '0001-colours',
        up: async ({ table, column }) => {
          for (const colour of colours) {
            await table(`probe_${colour}`)
              .addColumn('id', column.id)
              .addColumn('text', column.text, (c) => c.notNull())
              .execute();
          }
        },
      },
    ],
  },
  nouns: ({ store, clock }) => ({ store: store as unknown as Store<ProbeTables>, calls: new Map(), clock }),
  routes: {
    'probe/v1': [
      ...arguing(tools),
      ...failing(tools),
      ...answering(tools),
      ...colours.flatMap((colour) => counting(colour, tools)),
    ],
    'core/v2': things(tools),
  },
});

/** A site with `examples/hello` and the probe switched on, and nothing of what ships. */
export const withProbe = (options: SiteOptions = {}): SiteOptions => ({ ...options, extensions: [hello, probe] });
