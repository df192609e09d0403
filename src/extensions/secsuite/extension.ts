// The security suite keeps attackers out and tells security managers what happened. All it does is said by its parts.

import type { Caller } from '#kernel/caller.ts';
import { apiUrl } from '#kernel/faces.ts';
import type { Entry, Services, Toolkit } from '#site/extension.ts';
import { createRoles, type DeclaredRoles } from '#site/identity/roles.ts';
import { config } from './config.ts';
import { gateOf } from './groups/access.ts';
import { rolesShown } from './groups/canonical.ts';
import { listedOf } from './groups/listed.ts';
import type { RouteContext } from './part.ts';
import { allParts, logNames, makeNouns, modulesOn, type Nouns, type Suite } from './parts.ts';
import { listModules } from './settings/modules.ts';
import { createShared, type Shared } from './shared.ts';
import { createTaskQueue, tasksJob } from './tasks.ts';

/** Users who may create, edit or promote users see the roles. */
const sees = ['create_users', 'edit_users', 'promote_users'];

function head(
  caller: Caller,
  { manage, roles, context }: Pick<Shared, 'manage' | 'roles' | 'context'>,
): Record<string, unknown> {
  const isManager = manage.allows(caller);
  return {
    supports: [],
    ...((isManager || sees.some((one) => caller.can(one))) && { roles: rolesShown(roles) }),
    ...(isManager && {
      requirements_info: {
        load: 'normal',
        server: { runtime: process.versions.node, extensions: { OpenSSL: true } },
      },
      server_type: context.front,
      install_type: 'pro',
      has_virtual_patching: false,
    }),
  };
}

const tasks = allParts.flatMap((part) => part.tasks ?? []);
const taskRuns = tasksJob(tasks);

export const secsuite: Entry<Suite> = (tools) => ({
  name: 'security-suite',
  config,
  title: 'Security suite',
  about: 'Keeps out who should not come in, and tells who manages the site.',
  tables: {
    migrations: allParts.flatMap(({ tables }) => tables?.migrations ?? []),
    quiet: allParts.flatMap(({ tables }) => tables?.quiet ?? []),
    derived: Object.assign({}, ...allParts.map(({ tables }) => tables?.derived)),
  },
  needs: ['userSearch'],
  jobs: {
    kinds: [taskRuns, ...allParts.flatMap(({ jobs }) => jobs?.kinds ?? [])],
    schedules: [
      ...tasks.map((task) => ({
        name: `security-suite.${task.name}`,
        every: task.every,
        add: async (suite: Nouns) => void ((task.isDue?.(suite) ?? true) && (await suite.tasks.start(task.name))),
      })),
      ...allParts.flatMap(({ jobs }) => jobs?.schedules ?? []),
    ],
  },
  nouns: createSuite,
  ends: endSuite,
  guards: (suite) => [
    { isReady: () => suite.followed.every((one) => one.isReady), ready: suite.ready },
    ...(suite.isSuiteOn ? allParts.flatMap((part) => part.guards?.(suite) ?? []) : []),
    ...allParts.flatMap((part) => part.probes?.(suite) ?? []),
  ],
  checks: (suite) => (suite.isSuiteOn ? allParts.flatMap((part) => part.checks?.(suite) ?? []) : []),
  counts: async (suite) => Object.assign({}, ...(await Promise.all(allParts.map((part) => part.counters?.(suite))))),
  client: ({ client }) => client.detector,
  health: {
    checks: allParts.flatMap(({ health }) => health?.checks ?? []),
    remotes: async (suite) => (await Promise.all(allParts.map(({ health }) => health?.remotes?.(suite) ?? []))).flat(),
  },
  on: { 'user.deleted': ({ user }, { groups }) => groups.forget(user.id) },
  pages: (suite, house) => allParts.flatMap((part) => part.pages?.(suite, house) ?? []),
  index: { site: { multisite: false }, namespaces: { 'secsuite/v1': head } },
  routes: (_, suite, roles) => routesOf(tools, suite, roles),
});

function createSuite(services: Services): Suite {
  const { program, log, mail } = services;
  const shared = createShared(services, {
    modules: modulesOn({ data: services.operator.data }),
    notifications: allParts.flatMap(({ notifications = [] }) => notifications),
    logNames,
    tasks: createTaskQueue(services.queueOf(taskRuns), services.jobs),
  });
  const nouns = makeNouns(services, shared);
  const { switches, paths, center, followed } = nouns;
  nouns.tools.provide(Object.assign({}, ...allParts.map((part) => part.tools?.(nouns))));
  nouns.notices.provide(
    allParts.flatMap(({ notices = [] }) => notices.map((source) => (actions) => source(nouns, actions))),
  );
  switches.onChange(() => services.servesAnew());
  nouns.ending.signal.addEventListener('abort', mail.onLost(center.undelivered));
  const ready = Promise.all(followed.map((one) => one.ready)).then(async () => {
    if (!program.isServing) return;
    if (program.firstGroups) await nouns.firstGroups();
    const served = await paths.served();
    if (served.length > 0) log.warn({ settings: served }, servedPaths);
    if (served.includes('global.nginx_file')) await nouns.runToolsLater('flush-files');
  });
  return { ...nouns, ready };
}

const servedPaths =
  'Settings name paths in the folder of uploaded files, which visitors can read. Choose paths outside that folder.';

async function endSuite(suite: Suite): Promise<void> {
  for (const part of allParts) await part.end?.(suite);
  await suite.logs.end();
  suite.ending.abort();
}

/** Before the data is open, routes are those of the modules that run by default. */
function routesOf(tools: Toolkit<Suite>, suite: Suite | undefined, declared: DeclaredRoles) {
  const usual = listModules(modulesOn({ data: '.' })).all.filter(({ standing }) => standing !== 'default-inactive');
  const context: RouteContext<Suite> = {
    tools,
    logNames,
    use: suite,
    gate: gateOf(tools, suite?.manage),
    roles: suite?.roles ?? createRoles(declared, new Set()),
    listed: suite?.listed() ?? listedOf(usual),
    isRunning: suite?.switches.isRunning ?? ((module) => usual.some(({ id }) => id === module)),
    hrefOf: (face, path) => (suite ? apiUrl(suite.roots, face, path) : path),
  };
  const all = allParts.map((part) => part.routes?.(context));
  return {
    'secsuite/rpc': all.flatMap((one) => one?.rpc ?? []),
    'secsuite/v1': all.flatMap((one) => one?.v1 ?? []),
  };
}
