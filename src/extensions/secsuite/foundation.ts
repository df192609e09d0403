// What everything else of the suite stands on: modules and what is set, groups and who manages, the log, and whom to tell.
import { randomBytes, randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { knocking } from '#kernel/knock.ts';
import type { Services } from '#site/extension.ts';
import { makeFirstGroups } from './groups/first-groups.ts';
import { createGroups } from './groups/groups.ts';
import { listedOf } from './groups/listed.ts';
import { createManage } from './groups/manage.ts';
import { createMatchables } from './groups/matchables.ts';
import { namesFile } from './logs/log-file.ts';
import { createLogs, type LogSettings } from './logs/logs.ts';
import { modulesOn } from './modules/all.ts';
import { createCenter } from './notifications/center.ts';
import { firstAdministratorEmail } from './notifications/contacts.ts';
import { guardPaths } from './settings/folders.ts';
import { guardGlobal } from './settings/global.ts';
import { createSwitchboard } from './switchboard.ts';
import { createSecretsKey } from './tools/secrets-key.ts';

export type Foundation = ReturnType<typeof createFoundation>;

/** `stopping`: the suite ends. */
export function createFoundation(services: Services, stopping: AbortSignal) {
  const { store, clock, log, identity } = services;
  const failed = (what: string) => (error: unknown) => log.error({ err: error }, `${what} could not be read.`);
  const shared = { store, clock, stopping };
  const groups = createGroups({
    ...{ ...shared, roles: identity.roles, unique: randomUUID },
    failed: failed('The groups of users'),
  });
  const matchables = createMatchables(groups);
  const board = createBoard(services, stopping, matchables.has);
  const { settings, switches } = board;
  const running = () => switches.modules.all.filter(({ id }) => switches.isRunning(id));
  const manage = createManage({ settings, matchables, roles: identity.roles, doing: identity.doing });
  guardGlobal(settings, manage.wouldAllow);
  const paths = guardPaths(settings, services.operator.media);
  const logs = createSuiteLogs(services, stopping, board);
  const center = createCenter({
    ...{ ...shared, settings, switches, logs, log, roles: identity.roles, mail: services.mail, about: services.about },
    adminEmail: async () =>
      (await services.settings.read(services.siteGroup)).email || firstAdministratorEmail(store.db, identity.roles),
    failed: failed('Whom to tell'),
  });
  return {
    ...{ ...board, paths, shared, failed, groups, matchables, running, manage, logs, center },
    lists: () => listedOf(running()),
    /** As a deployment may want them. */
    firstGroups: () =>
      makeFirstGroups({ groups, settings, listed: listedOf(switches.modules.all), unique: randomUUID }).catch((error) =>
        log.error({ err: error }, 'The first groups of users could not be made.'),
      ),
  };
}

type Board = ReturnType<typeof createBoard>;

function createBoard(services: Services, stopping: AbortSignal, isGroup: (id: string) => boolean) {
  const { store, clock, seal, log, site, program, operator } = services;
  const secretsKey = createSecretsKey({ store, seal, modules: () => switches.modules.all });
  const { settings, switches, ground } = createSwitchboard({
    ...{ store, clock, stopping, log, isGroup, url: site.url, front: operator.security.front },
    modules: modulesOn({ data: operator.data }),
    seal: secretsKey.seal,
    deployment: program.modules,
  });
  return { settings, switches, ground, secretsKey };
}

function createSuiteLogs({ store, clock, log, site, program }: Services, stopping: AbortSignal, board: Board) {
  const { settings, switches } = board;
  settings.along(
    'global',
    namesFile(() => secretOf(24)),
  );
  return createLogs({
    ...{ store, clock, stopping, log, url: site.url, isRunning: switches.isRunning },
    asking: () => askingOf(clock().getTime()),
    background: program.isServing ? 'wp-cron' : 'wp-cli',
    settings: () => settings.of<LogSettings>('global'),
  });
}

/** Of so many signs. */
export const secretOf = (signs: number): string => randomBytes(signs).toString('base64url').slice(0, signs);

/** The request under way, to the log. */
function askingOf(now: number) {
  const knock = knocking();
  return knock && { ...knock, startedAt: now - (performance.now() - knock.began) };
}
