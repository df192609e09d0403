// The nouns that all parts of the suite share. They are made in this order, because each may use those before it and none after it.
import { randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { apiUrl } from '#kernel/faces.ts';
import { knocking } from '#kernel/knock.ts';
import type { Services } from '#site/extension.ts';
import type { Snapshot } from '#site/platform/cache/snapshot.ts';
import { createLocator } from './addresses/location.ts';
import { createBans } from './bans/bans.ts';
import { createEnforced } from './bans/enforced.ts';
import { createLabels, createNames } from './bans/labels.ts';
import { createClient, machineAddresses } from './client/client.ts';
import { createFileWriter } from './disk/file-writer.ts';
import { makeFirstGroups } from './groups/first-groups.ts';
import { createGroups } from './groups/groups.ts';
import { listedOf } from './groups/listed.ts';
import { createManage } from './groups/manage.ts';
import { createMatchableSettings } from './groups/matchable-settings.ts';
import { createMatchables } from './groups/matchables.ts';
import { createListeners } from './listeners.ts';
import { createDefence } from './lockouts/defence.ts';
import { createLockoutMail, digestOf } from './lockouts/lockout-mail.ts';
import type { Struck } from './lockouts/striking.ts';
import { namesFile } from './logs/log-file.ts';
import { createLogs, type LogSettings } from './logs/logs.ts';
import type { LogNames } from './logs/named.ts';
import type { Module } from './module.ts';
import { createNotices } from './notices/notices.ts';
import { createCenter, notificationsJob } from './notifications/center.ts';
import { firstAdministratorEmail } from './notifications/contacts.ts';
import type { Notification } from './notifications/notification.ts';
import { randomText } from './random-text.ts';
import { guardPaths } from './settings/folders.ts';
import { guardGlobal } from './settings/global.ts';
import { createSecretsKey } from './settings/secrets-key.ts';
import type { Settings } from './settings/types.ts';
import { createSettingsAndSwitches } from './switches/settings-and-switches.ts';
import type { Switches } from './switches/types.ts';
import type { TaskQueue } from './tasks.ts';
import { createTools, toolsJob } from './tools/tools.ts';

/** The facts that parts declare and that the shared nouns are made of. */
export interface Facts {
  readonly modules: readonly Module[];
  readonly notifications: readonly Notification[];
  readonly logNames: LogNames;
  readonly tasks: TaskQueue;
}

export type Shared = ReturnType<typeof createShared>;

export function createShared(services: Services, facts: Facts) {
  const settled = createSettled(services, facts);
  const { base, settings, switches, context, running, logs, failed } = settled;
  const locator = createLocator();
  const client = createClient({
    ...base,
    settings,
    clients: services.clients,
    machine: machineAddresses(),
    failed: failed('Who is always let in'),
  });
  const defense = createDefense(services, { ...settled, authorised: client.authorised });
  const { isSuiteOn } = settled;
  const followed: Pick<Snapshot<unknown>, 'isReady' | 'ready'>[] = [
    settled.groups,
    switches,
    defense.enforced,
    client.authorised,
    defense.defence.enforced,
    settled.center,
  ];
  return {
    ...settled,
    ...defense,
    client,
    tasks: facts.tasks,
    locator,
    locate: locator.locate,
    tools: createTools({ settings, context, logs, modules: running }),
    runToolsLater: (schedule: string) => services.queueOf(toolsJob).add({ schedule }, { key: schedule }),
    sendNotificationsLater: () =>
      services.queueOf(notificationsJob).add(null, { key: 'all', alone: 'security-suite.notifications' }),
    notices: createNotices({
      ...base,
      settings,
      switches,
      logs,
      logNames: facts.logNames,
      hrefOf: (entry) => apiUrl(services.site.roots, 'neutral', `/secsuite/v1/logs/${entry}`),
    }),
    files: createFileWriter(),
    /** Whether a module may refuse requests: never while the operator has turned the suite off. */
    defends: (module: string): boolean => isSuiteOn && switches.isRunning(module),
    /** Values that guards read from memory; the site answers no request until all of them are read. */
    followed,
  };
}

/** Settings, switches, groups, the log and notifications. */
function createSettled(services: Services, facts: Facts) {
  const { store, clock, log, identity, seal, site, operator, program } = services;
  const ending = new AbortController();
  const base = { store, clock, stopping: ending.signal };
  const failed = (what: string) => (error: unknown) => log.error({ err: error }, `${what} could not be read.`);
  const groups = createGroups({
    ...base,
    roles: identity.roles,
    unique: randomUUID,
    failed: failed('The groups of users'),
  });
  const matchables = createMatchables(groups);
  const secretsKey = createSecretsKey({ store, seal, modules: () => switches.modules.all });
  const { settings, switches, context } = createSettingsAndSwitches({
    ...base,
    log,
    isGroup: matchables.has,
    url: site.url,
    front: operator.security.front,
    modules: facts.modules,
    seal: secretsKey.seal,
    deployment: program.modules,
  });
  const running = () => switches.modules.all.filter(({ id }) => switches.isRunning(id));
  const manage = createManage({ settings, matchables, roles: identity.roles, doing: identity.doing });
  guardGlobal(settings, manage.wouldAllow);
  const paths = guardPaths(settings, operator.media);
  const listed = () => listedOf(running());
  const logs = createSuiteLogs(services, settings, switches.isRunning);
  const center = createCenter({
    ...base,
    settings,
    switches,
    logs,
    log,
    roles: identity.roles,
    mail: services.mail,
    about: services.about,
    all: facts.notifications,
    adminEmail: async () =>
      (await services.settings.read(services.siteGroup)).email || firstAdministratorEmail(store.db, identity.roles),
    failed: failed('Whom to tell'),
  });
  return {
    base,
    failed,
    ending,
    groups,
    matchables,
    secretsKey,
    settings,
    switches,
    context,
    running,
    manage,
    paths,
    listed,
    logs,
    center,
    isSuiteOn: operator.security.suite,
    roles: identity.roles,
    roots: site.roots,
    dataFolder: operator.data,
    matchableSettings: createMatchableSettings({ listed, settings, matchables }),
    /** Makes the groups that a deployment may ask for, once a site. */
    firstGroups: () =>
      makeFirstGroups({ groups, settings, listed: listedOf(switches.modules.all), unique: randomUUID }).catch((error) =>
        log.error({ err: error }, 'The first groups of users could not be made.'),
      ),
  };
}

type Settled = ReturnType<typeof createSettled>;

function createSuiteLogs(
  { store, clock, log, site, program }: Services,
  settings: Settings,
  isRunning: Switches['isRunning'],
) {
  settings.along(
    'global',
    namesFile(() => randomText(24)),
  );
  return createLogs({
    store,
    clock,
    log,
    isRunning,
    url: site.url,
    asking: () => {
      const request = knocking();
      return request && { ...request, startedAt: clock().getTime() - (performance.now() - request.began) };
    },
    background: program.isServing ? 'wp-cron' : 'wp-cli',
    settings: () => settings.of<LogSettings>('global'),
  });
}

interface DefenseDeps extends Settled {
  readonly authorised: ReturnType<typeof createClient>['authorised'];
}

/** Bans and lockouts. */
function createDefense(services: Services, deps: DefenseDeps) {
  const { log, identity, events } = services;
  const { base, failed, settings, switches, running, manage, logs, center, authorised } = deps;
  const enforced = createEnforced({ ...base, failed: failed('The bans') });
  const bans = createBans({ ...base, enforced, isAuthorised: authorised.isAuthorised });
  const isListed = () => switches.isRunning('ban-users') && settings.of('ban-users').enable_ban_lists === true;
  const listeners = createListeners<[Struck]>((error) => log.error({ err: error }, 'A listener to lockouts failed.'));
  const mail = createLockoutMail({
    ...base,
    send: center.send,
    isWanted: () => center.isWanted('lockout'),
    loginOf: async (user) => (await identity.users.find(user))?.login ?? String(user),
  });
  const defence = createDefence({
    ...base,
    settings,
    switches,
    bans,
    authorised,
    logs,
    log,
    identity,
    url: services.site.url,
    isManager: manage.isManager,
    isBanning: isListed,
    zone: services.content.zone,
    enforcedBans: enforced,
    names: createNames(identity.users),
    send: center.send,
    follow: (work) => events.follow('login.failed', work),
    tell: async (struck) => {
      listeners.tell(struck);
      await mail(struck);
    },
    failed: failed('The lockouts'),
  });
  center.writes('digest', digestOf(defence.lockouts));
  const reasons = () => running().flatMap(({ lockouts = [] }) => lockouts);
  return {
    enforced,
    bans,
    defence,
    lockouts: defence.lockouts,
    showLockouts: defence.showLockouts,
    statistics: defence.statistics,
    onLockout: listeners.add,
    mailLockout: mail,
    banning: {
      bans,
      isListed,
      labels: createLabels({
        users: identity.users,
        lockoutLabel: (id) => reasons().find(({ type }) => type === id)?.label ?? id,
      }),
      showsActivity: () => settings.of('global').log_type !== 'file',
    },
  };
}
