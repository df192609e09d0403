// A hub that looks after several sites is told how this one is, and forgets it when this one leaves.
import { randomInt, randomUUID } from 'node:crypto';
import type { Operator } from '#lib/operator.ts';
import { hour, minute } from '#lib/spans.ts';
import type { Entry, Services } from '#site/extension.ts';
import type { Queue } from '#site/jobs/job.ts';
import { accountPath } from '#site/pages/account-path.ts';
import { ownCheck } from './condition.ts';
import { config } from './config.ts';
import { createHub } from './hub.ts';
import { createInventory } from './inventory.ts';
import { createAsked, createLogout } from './logout.ts';
import { createLooking } from './looking.ts';
import { createPlans, firstName } from './plans.ts';
import { type HubConnector, routes } from './routes.ts';
import { createAccounts, type HubGroup, hubGroup } from './settings.ts';
import { createSync } from './sync.ts';
import { tables } from './tables.ts';
import { createTurns } from './turns.ts';

export const hubConnector: Entry<HubConnector> = (tools) => {
  let operator: Operator | undefined;
  const group = hubGroup(tools, () => operator?.hubUrl);
  const syncing = tools.job<null>({
    name: 'hub-connector.sync',
    about: 'Tells the hub how the site is',
    serving: true,
    run: (_, { signal }, { plans }) => plans.done(signal),
  });
  return {
    name: 'hub-connector',
    config,
    title: 'Hub connector',
    about: 'Looks after this site together with others.',
    tables,
    settings: [group],
    jobs: {
      kinds: [syncing],
      schedules: [
        { name: 'hub-connector.sync', every: 12 * hour, add: ({ plans }) => plans.soon() },
        { name: firstName, every: minute, add: ({ plans }) => plans.first() },
      ],
    },
    on: {
      'extension.changed': (_, { plans }) => plans.now(),
      'settings.changed': ({ group: name, names }, { plans }) =>
        name === group.name && names.includes('key') ? plans.now() : undefined,
    },
    nouns: (services) => {
      operator = services.operator;
      return nounsOf(services, group, services.queueOf(syncing));
    },
    health: {
      checks: [
        {
          name: ownCheck,
          what: 'Hub',
          about: 'Whether the hub that looks after this site hears of it.',
          badge: 'Performance',
          look: ({ looking }) => looking.look(),
        },
      ],
      remotes: ({ looking }) => looking.remotes(),
    },
    routes: { 'hub-connector/v1': routes(tools) },
  };
};

function nounsOf(services: Services, group: HubGroup, queue: Queue<null>): HubConnector {
  const {
    store,
    clock,
    events,
    settings,
    keys,
    identity,
    counts,
    health,
    outgoing,
    log,
    operator,
    program,
    site,
    extensions,
    jobs,
  } = services;
  const accounts = createAccounts({ settings, group, operator, encryption: keys.encryption });
  const inventory = createInventory({
    store,
    counts,
    health,
    data: operator.data,
    users: identity.users,
    version: program.version,
    url: site.url,
    admin: `${site.url}${accountPath}`,
    extensions: () => extensions.list(),
  });
  const hub = createHub({ outgoing, clock, unique: randomUUID });
  const turns = createTurns({ store, clock });
  const sync = createSync({ store, clock, events, accounts, inventory, hub, turns, retries: queue, log });
  return {
    asked: createAsked(sync, jobs.stopping),
    logout: createLogout({ store, accounts, inventory, hub, turns, stopping: jobs.stopping }),
    plans: createPlans({ store, clock, chance: randomInt, accounts, queue, sync }),
    looking: createLooking({ store, clock, accounts }),
    accounts,
    doing: identity.doing,
  };
}
