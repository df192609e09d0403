// The rooms of the security suite that know of users, on a site without the rest of the suite.
import { randomBytes, randomUUID } from 'node:crypto';
import { apiUrl, type Face } from '#kernel/faces.ts';
import type { Entry, Services } from '#site/extension.ts';
import { createRoles } from '#site/identity/roles.ts';
import type { Queue } from '#site/jobs/job.ts';
import { createActors } from '../../src/extensions/secsuite/actors/actors.ts';
import { actorRoutes } from '../../src/extensions/secsuite/actors/routes.ts';
import { groupRoutes } from '../../src/extensions/secsuite/groups/group-routes.ts';
import { createGroups } from '../../src/extensions/secsuite/groups/groups.ts';
import { listedOf } from '../../src/extensions/secsuite/groups/listed.ts';
import { createManage } from '../../src/extensions/secsuite/groups/manage.ts';
import { matchableRoutes } from '../../src/extensions/secsuite/groups/matchable-routes.ts';
import { createMatchableSettings } from '../../src/extensions/secsuite/groups/matchable-settings.ts';
import { createMatchables } from '../../src/extensions/secsuite/groups/matchables.ts';
import { groupMigrations } from '../../src/extensions/secsuite/groups/tables.ts';
import { modulesOn } from '../../src/extensions/secsuite/modules/all.ts';
import { guardGlobal } from '../../src/extensions/secsuite/settings/global.ts';
import { settingsMigrations } from '../../src/extensions/secsuite/settings/tables.ts';
import { createSwitchboard } from '../../src/extensions/secsuite/switchboard.ts';
import { switchMigrations } from '../../src/extensions/secsuite/switches/tables.ts';
import { userActionsJob } from '../../src/extensions/secsuite/user-actions/job.ts';
import type { Order } from '../../src/extensions/secsuite/user-actions/order.ts';
import { userActionRoutes } from '../../src/extensions/secsuite/user-actions/routes.ts';
import { quietUserActionTables, userActionMigrations } from '../../src/extensions/secsuite/user-actions/tables.ts';
import { createUserActions, type UserSearch } from '../../src/extensions/secsuite/user-actions/user-actions.ts';

export type GroupRooms = ReturnType<typeof nounsOf>;

const roots = { neutral: 'http://site.test/api', classic: 'http://site.test/wp-json' };
const noRoles = createRoles({}, new Set());

/** `seen` is given the nouns, once they are made. */
export const groupRooms =
  (seen: (rooms: GroupRooms) => void = () => {}): Entry<GroupRooms> =>
  (tools) => {
    const job = userActionsJob(tools as never);
    return {
      name: 'group-rooms',
      needs: ['userSearch'],
      tables: {
        migrations: [...groupMigrations, ...userActionMigrations, ...settingsMigrations, ...switchMigrations],
        quiet: quietUserActionTables,
      },
      jobs: { kinds: [job] },
      on: { 'user.deleted': ({ user }, { groups }) => groups.forget(user.id) },
      nouns(services) {
        const rooms = nounsOf(services, services.queueOf(job));
        seen(rooms);
        return rooms;
      },
      ends: ({ stopping }) => stopping.abort(),
      routes: (_extras, rooms) => {
        const wiring = {
          manages: (caller: Parameters<GroupRooms['manage']['allows']>[0]) => rooms?.manage.allows(caller) ?? false,
          mayMakeDashboards: (caller: Parameters<GroupRooms['manage']['allows']>[0]) =>
            rooms?.manage.mayMakeDashboards(caller) ?? false,
          roles: rooms?.roles ?? noRoles,
          listed: rooms?.listed() ?? [],
          hrefOf: (face: Face, path: string) => apiUrl(roots, face, path),
        };
        return {
          'secsuite/v1': [
            ...groupRoutes(tools, wiring),
            ...matchableRoutes(tools, wiring),
            ...actorRoutes(tools, wiring),
            ...userActionRoutes(tools, wiring),
          ],
        };
      },
    };
  };

function nounsOf(services: Services, queue: Queue<Order>) {
  const { store, clock, seal, log, identity, operator, needed } = services;
  const stopping = new AbortController();
  const failed = (error: unknown): void => log.error({ err: error }, 'The groups could not be read.');
  const { roles, doing } = identity;
  const { signal } = stopping;
  const groups = createGroups({ store, clock, roles, unique: randomUUID, failed, stopping: signal });
  const matchables = createMatchables(groups);
  const { settings, switches } = createSwitchboard({
    ...{ store, seal, log, deployment: {}, url: 'http://site.test', front: 'nginx', stopping: signal },
    modules: modulesOn({ data: operator.data }),
    isGroup: matchables.has,
  });
  const manage = createManage({ settings, matchables, roles, doing });
  guardGlobal(settings, manage.wouldAllow);
  const listed = () => listedOf(switches.modules.all.filter(({ id }) => switches.isRunning(id)));
  switches.onChange(() => services.servesAnew());
  const userActions = createUserActions({
    ...{ store, clock, identity, groups, manage, queue, unique: randomUUID },
    search: needed.userSearch as UserSearch,
    secret: (signs) => randomBytes(signs).toString('base64url').slice(0, signs),
  });
  const lockouts = () =>
    switches.modules.all.filter(({ id }) => switches.isRunning(id)).flatMap((one) => one.lockouts ?? []);
  return {
    ...{ groups, matchables, settings, switches, manage, listed, userActions, stopping, roles },
    matchableSettings: createMatchableSettings({ listed, settings, matchables }),
    actors: createActors({ users: identity.users, lockouts }),
    ready: Promise.all([groups.ready, settings.ready, switches.ready]),
  };
}
