// The security suite keeps attackers out and tells security managers what happened. All it does is said by its parts.
import type { Entry, Toolkit } from '#site/extension.ts';
import { createRoles, type DeclaredRoles } from '#site/identity/roles.ts';
import { config, defends } from './config.ts';
import { listedOf } from './groups/listed.ts';
import { gateOf } from './groups/manage.ts';
import { namespaceHead } from './groups/open.ts';
import { listenersOf, type RouteContext, type SuiteNeed, type SuiteServices } from './part.ts';
import { allParts, every, folded, joinedByName, makeNouns, merged, modulesOn, type Suite } from './parts.ts';
import { listModules } from './settings/modules.ts';
import { createShared } from './shared.ts';
import { createTaskQueue, scheduleOf, tasksJob } from './tools/tasks.ts';

const tasks = every((part) => part.tasks);
const taskRuns = tasksJob(tasks);

export const secsuite: Entry<Suite, SuiteNeed> = (tools) => ({
  name: 'security-suite',
  config,
  title: 'Security suite',
  about:
    'Protects the site with lockouts, bans, a firewall and two-factor authentication, and notifies security managers.',
  defends,
  errors: merged((part) => part.errors),
  tables: {
    migrations: every(({ tables }) => tables?.migrations),
    quiet: every(({ tables }) => tables?.quiet),
    derived: merged(({ tables }) => tables?.derived),
  },
  needs: ['userSearch'],
  jobs: {
    kinds: [taskRuns, ...every(({ jobs }) => jobs?.kinds)],
    schedules: [...tasks.map(scheduleOf), ...every(({ jobs }) => jobs?.schedules)],
  },
  nouns: createSuite,
  ends: endSuite,
  guards: (suite) => [
    { whenFailing: 'closed', isReady: () => suite.followed.every((one) => one.isReady), ready: suite.ready },
    ...(suite.isSuiteOn ? every((part) => part.guards?.(suite)) : []),
  ],
  checks: (suite) => (suite.isSuiteOn ? every((part) => part.checks?.(suite)) : []),
  counts: async (suite) => {
    const counted = allParts.map(
      async (part) => [part.name, Object.entries((await part.counters?.(suite)) ?? {})] as const,
    );
    return Object.fromEntries(joinedByName(await Promise.all(counted)));
  },
  client: ({ client }) => client.detector,
  health: {
    checks: every(({ health }) => health?.checks),
    remotes: async (suite) => (await Promise.all(allParts.map(({ health }) => health?.remotes?.(suite) ?? []))).flat(),
  },
  doctor: every(({ doctor }) => doctor),
  extendsUsers: {
    fields: merged(({ extendsUsers }) => extendsUsers?.fields),
    filters: merged(({ extendsUsers }) => extendsUsers?.filters),
    meta: merged(({ extendsUsers }) => extendsUsers?.meta),
  },
  on: listenersOf(allParts),
  pages: (suite, house) => every((part) => part.pages?.(suite, house)),
  index: { site: { multisite: false }, namespaces: { 'secsuite/v1': namespaceHead } },
  routes: (_, suite, roles) => routesOf(tools, suite, roles),
});

function createSuite(services: SuiteServices): Suite {
  const shared = createShared(services, {
    modules: modulesOn({ data: services.operator.data }),
    notifications: every((part) => part.notifications),
    facts: folded,
    tasks: createTaskQueue(services.queueOf(taskRuns), services.jobs),
  });
  const nouns = makeNouns(services, shared);
  nouns.tools.provide(merged((part) => part.tools?.(nouns)));
  nouns.transfer.provide(every(({ transfers }) => transfers?.(nouns)));
  nouns.notices.provide(every(({ notices }) => notices?.map((source) => (actions) => source(nouns, actions))));
  nouns.cardSources.provide(
    merged((part) => part.cards?.(nouns)),
    merged((part) => part.cardActions?.(nouns)),
  );
  nouns.updates.learnHoles(async () => (await Promise.all(allParts.map(({ holes }) => holes?.(nouns) ?? []))).flat());
  const ready = Promise.all(nouns.followed.map((one) => one.ready)).then(async () => {
    if (services.program.isServing) await startParts(nouns, services.log);
  });
  return { ...nouns, ready };
}

/** A part that cannot begin keeps neither the others nor the site from it. */
async function startParts(nouns: Omit<Suite, 'ready'>, log: SuiteServices['log']): Promise<void> {
  for (const { name, start } of allParts)
    try {
      await start?.(nouns);
    } catch (error) {
      log.error({ err: error }, `The part "${name}" of the security suite could not start.`);
    }
}

async function endSuite(suite: Suite): Promise<void> {
  for (const part of allParts) await part.end?.(suite);
  await suite.logs.end();
  suite.ending.abort();
}

/** Before the data is open, routes are those of the modules that run by default. */
function routesOf(tools: Toolkit<Suite>, suite: Suite | undefined, declared: DeclaredRoles) {
  const byDefault = listModules(modulesOn({ data: '.' })).all.filter(({ standing }) => standing !== 'default-inactive');
  const context: RouteContext<Suite> = {
    tools,
    facts: folded,
    use: suite,
    gate: gateOf(tools, suite?.manage),
    roles: suite?.roles ?? createRoles(declared, new Set()),
    listed: suite?.listed() ?? listedOf(byDefault),
    isRunning: suite?.switches.isRunning ?? ((module) => byDefault.some(({ id }) => id === module)),
    hrefOf: suite?.hrefOf ?? ((_, path) => path),
  };
  const all = allParts.map((part) => part.routes?.(context));
  return {
    'secsuite/rpc': all.flatMap((one) => one?.rpc ?? []),
    'secsuite/v1': all.flatMap((one) => one?.v1 ?? []),
  };
}
