// The nouns of the suite, put together.
import type { Services } from '#site/extension.ts';
import type { HouseNow } from '#site/pages/door.ts';
import { createDesk } from './desk.ts';
import { createFoundation, type Foundation } from './foundation.ts';
import { createMachinery } from './machinery.ts';
import { createPasswordRules } from './passwords/passwords.ts';
import type { Queues } from './queues.ts';
import { createWall } from './wall.ts';

export type Suite = ReturnType<typeof createSuite>;

export function createSuite(services: Services, queues: Queues) {
  const { site, program, operator } = services;
  const { suite: isOn } = operator.security;
  const ending = new AbortController();
  const foundation = createFoundation(services, ending.signal);
  const { settings, paths, switches, ground, groups, matchables, lists, manage, logs, center, secretsKey } = foundation;
  const defends = (id: string): boolean => isOn && switches.isRunning(id);
  const wall = createWall(services, foundation, { defends, reported: (address) => works.reported(address) });
  const { client, enforced, bans, defence, firewall } = wall;
  const machinery = createMachinery(services, foundation, { wall, queues, defends });
  const { works, configRules, tools, mirror, toolsLater } = machinery;
  const passwords = passwordsOf(services, foundation);
  const deaf = services.mail.onLost(center.undelivered);
  const parts = [groups, switches, enforced, client.authorised, defence.enforced, firewall.running, center];
  const ready = Promise.all(parts.map((part) => part.ready)).then(async () => {
    if (!program.isServing) return;
    if (program.firstGroups) await foundation.firstGroups();
    const served = await paths.served();
    if (served.length > 0) services.log.warn({ settings: served }, servedPaths);
    if (served.includes('global.nginx_file')) await toolsLater('flush-files');
  });
  switches.onChange(() => services.servesAnew());
  return {
    ...{ roles: services.identity.roles, roots: site.roots },
    ...{ settings, switches, ground, groups, matchables, lists, manage, logs, center, secretsKey, passwords },
    ...{ client, seeing: client.seeing, detector: client.detector, enforced, bans, firewall },
    ...{ lockouts: defence.lockouts, purgeLockouts: defence.purge, showLockouts: defence.showLockouts },
    ...{ statistics: defence.statistics, configRules, tools, toolsLater },
    ...createDesk(services, foundation, { wall, queues }),
    notifyLater: () => queues.notifying.add(null, { key: 'all', alone: 'security-suite.notifications' }),
    ready,
    guards: [
      { isReady: () => parts.every((part) => part.isReady), ready },
      ...(isOn ? [...wall.guards, ...works.guards, wall.captcha.guard] : []),
      mirror.guard,
    ],
    checks: isOn ? [...wall.checks, ...works.checks] : [],
    pages: (house: HouseNow) => [...defence.pages(house), ...works.pages(house)],
    errandLater: works.errandLater,
    runErrand: works.runErrand,
    reported: works.reported,
    async end() {
      deaf();
      works.end();
      await passwords.end();
      await logs.end();
      ending.abort();
    },
  };
}

const servedPaths =
  'Settings name paths in the folder of uploaded files, which visitors can read. Choose paths outside that folder.';

const passwordsOf = (services: Services, { switches, settings, matchables, logs }: Foundation) =>
  createPasswordRules({
    ...services,
    ...{ ready: switches.ready, settings, matches: matchables.matches, log: logs.write },
    ...{ isOn: services.operator.security.suite, breachedUrl: services.operator.security.breachedUrl },
  });
