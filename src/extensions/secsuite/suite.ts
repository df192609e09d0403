// The nouns of the suite, put together.
import { randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { knocking } from '#kernel/knock.ts';
import type { Services } from '#site/extension.ts';
import { createBans } from './bans/bans.ts';
import { createEnforced } from './bans/enforced.ts';
import { createGroups } from './groups/groups.ts';
import { listedOf } from './groups/listed.ts';
import { createManage } from './groups/manage.ts';
import { createMatchableSettings } from './groups/matchable-settings.ts';
import { createMatchables } from './groups/matchables.ts';
import { createLogs, type LogSettings } from './logs/logs.ts';
import { modulesOn } from './modules/all.ts';
import { createSwitchboard } from './switchboard.ts';

export type Suite = ReturnType<typeof createSuite>;

export function createSuite(services: Services) {
  const { store, clock, seal, log, identity, site, program, operator } = services;
  const ending = new AbortController();
  const stopping = ending.signal;
  const failed = (what: string) => (error: unknown) => log.error({ err: error }, `${what} could not be read.`);

  const groups = createGroups({
    store: store as never,
    clock,
    roles: identity.roles,
    unique: randomUUID,
    failed: failed('The groups of users'),
    stopping,
  });
  const matchables = createMatchables(groups);
  const { settings, switches, ground } = createSwitchboard({
    store,
    seal,
    modules: modulesOn({ data: operator.data }),
    deployment: program.modules,
    url: site.url,
    front: operator.security.front,
    log,
    stopping,
    isGroup: matchables.has,
  });
  const listed = () => listedOf(switches.modules.all.filter(({ id }) => switches.isRunning(id)));
  const matchableSettings = createMatchableSettings({ listed, settings, matchables });
  const manage = createManage({ settings, matchables, roles: identity.roles, doing: identity.doing });
  const logs = createLogs({
    store: store as never,
    clock,
    asking: () => {
      const knock = knocking();
      return knock && { ...knock, startedAt: clock().getTime() - (performance.now() - knock.began) };
    },
    background: program.isServing ? 'wp-cron' : 'wp-cli',
    url: site.url,
    settings: () => settings.of<LogSettings & Record<string, unknown>>('global'),
    isRunning: switches.isRunning,
    log,
  });
  const enforced = createEnforced({ store: store as never, failed: failed('The bans'), stopping });
  const bans = createBans({ store: store as never, clock, enforced, isAuthorised: () => false });

  return {
    settings,
    switches,
    ground,
    groups,
    matchables,
    listed,
    matchableSettings,
    manage,
    logs,
    bans,
    enforced,
    /** Once all that every request asks is known. */
    ready: Promise.all([groups.ready, switches.ready, enforced.ready]),
    get isReady() {
      return groups.isReady && switches.isReady && enforced.isReady;
    },
    async end() {
      await logs.end();
      ending.abort();
    },
  };
}
