// A hub that looks after several sites is told how this one is, and forgets it when this one leaves.
import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import { Problem } from '#kernel/problem.ts';
import type { Operator } from '#lib/operator.ts';
import { printable } from '#lib/printable.ts';
import { hour, minute } from '#lib/spans.ts';
import type { Entry, Inspected, Services } from '#site/extension.ts';
import { note, ok, type Seen, warning } from '#site/health/check.ts';
import type { Queue } from '#site/jobs/job.ts';
import { createOutgoing } from '#site/outgoing/guard.ts';
import { Upstream } from '#site/outgoing/outgoing.ts';
import { accountPath } from '#site/pages/door.ts';
import { createSeal } from '#site/platform/seal.ts';
import { keptOf, rowsOf } from '#site/platform/settings/kept.ts';
import type { AnyStore } from '#store/store.ts';
import { config, firstName } from './config.ts';
import { hubConnectorErrors, unaskedRemedy } from './errors.ts';
import { createHub } from './hub.ts';
import { createInventory, ownCheck } from './inventory.ts';
import { createAsked, createLogout } from './logout.ts';
import { type HubConnector, routes } from './routes.ts';
import { createAccounts, type HubGroup, hubGroup } from './settings.ts';
import { createLooking } from './state.ts';
import { createPlans, createSync } from './sync.ts';
import { tables } from './tables.ts';
import { createTurns } from './turns.ts';

export const hubConnector: Entry<HubConnector> = (tools) => {
  let operator: Operator | undefined;
  const group = hubGroup(tools, () => operator?.hubUrl);
  const syncing = tools.job<null>({
    name: 'hub-connector.sync',
    about: 'Sends a report to the hub',
    serving: true,
    run: (_, { signal }, { plans }) => plans.done(signal),
  });
  return {
    name: 'hub-connector',
    config,
    errors: hubConnectorErrors,
    title: 'Hub connector',
    about: 'Reports the state of this site to a hub.',
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
          about: 'Whether the hub receives the reports of this site.',
          badge: 'Performance',
          look: ({ looking }) => looking.look(),
        },
      ],
      remotes: ({ looking }) => looking.remotes(),
    },
    doctor: [{ what: 'Hub', look: (inspected) => inspectHub(group, inspected) }],
    startLines: async ({ hubUrl, hubApiKey }, { settings }) => {
      // Missing while the extension is off. This declaration has another value of the same group.
      const registered = settings.groups.find(({ name }) => name === group.name);
      if (registered === undefined) return [];
      const set = await settings.read(registered);
      const [url, key] = [hubUrl ?? set.url, hubApiKey ?? set.key];
      if (!url || !key) return [];
      return [`  Hub         ${printable(String(url))}  (gets a report twice a day, the first within 2 minutes)`];
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

// Whether the site may ask the hub at its address, as doctor looks at it. The hub is not asked.

async function inspectHub(group: HubGroup, { config, store, version }: Inspected): Promise<Seen | undefined> {
  const url = config.hubUrl ?? (await urlSet(group, store));
  if (!url) return undefined;
  const outgoing = createOutgoing({ allowHosts: config.fetchAllowHosts, version, log: { info() {} } });
  try {
    await outgoing.vet(url, { name: 'hub' });
    return ok('its URL is allowed');
  } catch (error) {
    if (error instanceof Problem) return warning('this site does not contact its URL', unaskedRemedy(url));
    if (error instanceof Upstream) return note('its host name cannot be looked up now');
    throw error;
  }
}

/** As people set it. */
async function urlSet(group: HubGroup, { db }: AnyStore): Promise<string> {
  // The address is not sealed.
  const { url } = keptOf(group, createSeal(randomBytes(32)), { warn() {} }).values(await rowsOf(db, group.name));
  return String(url);
}
