// The nouns that all parts of the suite share. Each room opens its own, with those before it and none after it.
import { apiUrl, type Face } from '#kernel/faces.ts';
import type { Services } from '#site/extension.ts';
import type { Snapshot } from '#site/platform/cache/snapshot.ts';
import { createAccounts } from './accounts/accounts.ts';
import { createLocator } from './addresses/location.ts';
import { openBans } from './bans/open.ts';
import { createBase } from './base.ts';
import { createClient } from './client/client.ts';
import { createFileWriter } from './disk/texts.ts';
import { createCardAccess } from './groups/manage.ts';
import { openGroups } from './groups/open.ts';
import { openLockouts } from './lockouts/open.ts';
import type { LogNames } from './logs/named.ts';
import { openLogs } from './logs/open.ts';
import type { Module } from './module.ts';
import type { Highlights } from './notices/highlights.ts';
import { createNotices } from './notices/notices.ts';
import { createCenter } from './notifications/center.ts';
import type { Notification } from './notifications/notification.ts';
import { guardPaths } from './settings/folders.ts';
import { createInventory, programFolder } from './software/inventory.ts';
import { createPatching } from './software/patching.ts';
import { openSettingsAndSwitches } from './switches/open.ts';
import type { TaskQueue } from './tools/tasks.ts';
import { createTools, toolsJob } from './tools/tools.ts';

/** What parts declare, and shared nouns are made of. */
interface SharedDeps {
  readonly modules: readonly Module[];
  readonly notifications: readonly Notification[];
  readonly facts: { readonly logNames: LogNames; readonly highlights: Highlights };
  readonly tasks: TaskQueue;
}

type Followed = Pick<Snapshot<unknown>, 'isReady' | 'ready'>;

export type Shared = ReturnType<typeof createShared>;

export function createShared(services: Services, { modules, notifications, facts, tasks }: SharedDeps) {
  const { clients, log, operator, program, seal, site } = services;
  const ending = new AbortController();
  const base = createBase(services, ending.signal);
  const switchboard = openSettingsAndSwitches({
    ...base,
    modules,
    seal,
    log,
    url: site.url,
    front: operator.security.front,
    deployment: program.modules,
    isGroup: (id) => groups.matchables.has(id),
  });
  const { settings, switches, running } = switchboard;
  const groups = openGroups(services, { ...switchboard, base });
  const paths = guardPaths({ settings, media: operator.media, modules, log });
  const logs = openLogs(services, switchboard);
  const client = createClient({ ...base, settings, clients, failed: base.failed('The trusted IP addresses') });
  const bans = openBans(services, { ...switchboard, base, client });
  const center = createCenter(services, { base, settings, switches, logs, all: notifications });
  const lockouts = openLockouts(services, { ...switchboard, ...groups, ...bans, base, logs, client, center });
  const { enforced } = lockouts.defence;
  /** Values that guards read from memory; the site answers no request until all of them are read. */
  const followed: Followed[] = [groups.groups, switches, bans.enforced, client.authorised, enforced, center];
  const hrefOf = (face: Face, path: string) => apiUrl(site.roots, face, path);
  switches.onChange(() => services.servesAnew());
  return {
    ...switchboard,
    ...groups,
    ...bans,
    ...lockouts,
    base,
    accounts: createAccounts(services, base),
    ending,
    paths,
    logs,
    client,
    center,
    tasks,
    followed,
    hrefOf,
    locator: createLocator(),
    inventory: createInventory({ extensions: services.extensions, version: program.version, root: programFolder }),
    patching: createPatching(),
    cardAccess: createCardAccess(),
    notices: createNotices({ ...base, ...facts, settings, switches, logs, hrefOf }),
    tools: createTools({ ...switchboard, logs, modules: running, queue: services.queueOf(toolsJob) }),
    files: createFileWriter(),
    /** What the operator has to set if all visitors share one IP address. */
    proxyAdvice: () => clients.proxyAdvice,
    hasLogCheckpoints: operator.security.logCheckpoints !== undefined,
    isSuiteOn: operator.security.suite,
    /** Whether a module may refuse requests: never while the operator has turned the suite off. */
    defends: (module: string): boolean => operator.security.suite && switches.isRunning(module),
  };
}
