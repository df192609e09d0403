// The nouns of the suite, put together.
import { randomBytes, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { apiUrl } from '#kernel/faces.ts';
import { knocking } from '#kernel/knock.ts';
import type { Services } from '#site/extension.ts';
import type { Queue } from '#site/jobs/job.ts';
import type { HouseNow } from '#site/pages/door.ts';
import { createActors } from './actors/actors.ts';
import { blockOf } from './addresses/block.ts';
import { createAgents } from './agents/agents.ts';
import { createBans } from './bans/bans.ts';
import { createEnforced } from './bans/enforced.ts';
import { createLabels, createNames } from './bans/labels.ts';
import { createCaptcha } from './captcha/captcha.ts';
import { createClient } from './client/client.ts';
import { headers } from './client/headers.ts';
import { machineAddresses } from './client/machine.ts';
import { baseOf } from './config-rules/ruled.ts';
import { createConfigRules } from './config-rules/rules.ts';
import { keepUp } from './config-rules/upkeep.ts';
import { createDiscover } from './discover/discover.ts';
import { bundledAddresses, ownAddresses } from './disk/addresses.ts';
import { beginningOf } from './disk/beginnings.ts';
import * as texts from './disk/texts.ts';
import type { Errand } from './errands.ts';
import { createFirewall } from './firewall/firewall.ts';
import { createDatabase } from './geolocation/database.ts';
import { createGeolocation } from './geolocation/geolocation.ts';
import { createProvider } from './geolocation/provider.ts';
import { makeFirstGroups } from './groups/first-groups.ts';
import { createGroups } from './groups/groups.ts';
import { listedOf } from './groups/listed.ts';
import { createManage } from './groups/manage.ts';
import { createMatchableSettings } from './groups/matchable-settings.ts';
import { createMatchables } from './groups/matchables.ts';
import { createDefence } from './lockouts/defence.ts';
import { namesFile } from './logs/log-file.ts';
import { createLogs, type LogSettings } from './logs/logs.ts';
import { modulesOn } from './modules/all.ts';
import { createNotices } from './notices/notices.ts';
import { createCenter } from './notifications/center.ts';
import { digestOf } from './notifications/lockout-mail.ts';
import { createPasswordRules } from './passwords/passwords.ts';
import { guardGlobal } from './settings/global.ts';
import { createSiteTypes } from './site-types/site-types.ts';
import { createSwitchboard } from './switchboard.ts';
import { isAddressKnown } from './switches/requirements.ts';
import { createSuiteTools } from './tools/create.ts';
import { createSecretsKey } from './tools/secrets-key.ts';
import type { Order } from './user-actions/order.ts';
import { createUserActions, type UserSearch } from './user-actions/user-actions.ts';
import { createWorks } from './works.ts';

export type Suite = ReturnType<typeof createSuite>;

/** Where its jobs are put. */
interface Queues {
  readonly acting: Queue<Order>;
  readonly notifying: Queue<null>;
  readonly erranding: Queue<{ readonly errand: Errand }>;
  readonly tooling: Queue<{ readonly schedule: string }>;
}

export function createSuite(services: Services, queues: Queues) {
  const { store, clock, seal, log, identity, site, program, operator, needed } = services;
  const ending = new AbortController();
  const shared = { store, clock, stopping: ending.signal };
  const failed = (what: string) => (error: unknown) => log.error({ err: error }, `${what} could not be read.`);

  const groups = createGroups({
    ...{ ...shared, roles: identity.roles, unique: randomUUID },
    failed: failed('The groups of users'),
  });
  const matchables = createMatchables(groups);
  const modules = modulesOn({ data: operator.data });
  const secretsKey = createSecretsKey({ store, seal, modules: () => switches.modules.all });
  const { settings, switches, ground } = createSwitchboard({
    ...{ ...shared, modules, log, url: site.url, front: operator.security.front },
    seal: secretsKey.seal,
    deployment: program.modules,
    isGroup: matchables.has,
  });
  const running = () => switches.modules.all.filter(({ id }) => switches.isRunning(id));
  const lists = () => listedOf(running());
  const manage = createManage({ settings, matchables, roles: identity.roles, doing: identity.doing });
  guardGlobal(settings, manage.wouldAllow);
  settings.along(
    'global',
    namesFile(() => secretOf(24)),
  );
  const logs = createLogs({
    ...{ ...shared, log, url: site.url, isRunning: switches.isRunning },
    asking: () => askingOf(clock().getTime()),
    background: program.isServing ? 'wp-cron' : 'wp-cli',
    settings: () => settings.of<LogSettings>('global'),
  });
  const enforced = createEnforced({ ...shared, failed: failed('The bans') });
  const client = createClient({
    ...{ ...shared, settings, clients: services.clients, machine: machineAddresses() },
    failed: failed('Who is always let in'),
  });
  const { authorised } = client;
  const bans = createBans({ ...shared, enforced, isAuthorised: authorised.isAuthorised });
  const userActions = createUserActions({
    ...{ ...shared, identity, groups, manage, unique: randomUUID, secret: secretOf },
    search: needed.userSearch as UserSearch,
    queue: queues.acting,
  });
  const center = createCenter({
    ...{ ...shared, settings, switches, logs, log, roles: identity.roles, mail: services.mail, about: services.about },
    adminEmail: async () => (await services.settings.read(services.siteGroup)).email,
    failed: failed('Whom to tell'),
  });
  /** Switched off by the operator, the suite refuses nobody. */
  const defends = (id: string): boolean => operator.security.suite && switches.isRunning(id);
  const isListed = () => switches.isRunning('ban-users') && settings.of('ban-users').enable_ban_lists === true;
  const defence = createDefence({
    ...{ ...shared, settings, switches, bans, enforcedBans: enforced, authorised, logs, log, identity, url: site.url },
    ...{ keys: services.keys, isManager: manage.isManager, isBanning: isListed, zone: services.content.zone },
    names: createNames(identity.users),
    tell: async (struck) => {
      if (struck.lockouts.some(({ host }) => host !== null))
        services.events.follow('login.failed', () => works.reported(struck.strike.address));
      await center.lockedOut(struck);
    },
    send: center.send,
    follow: (work) => services.events.follow('login.failed', work),
    failed: failed('The lockouts'),
  });
  center.writes('digest', digestOf(defence.lockouts));
  const deaf = services.mail.onLost(center.undelivered);
  const siteTypes = createSiteTypes({
    ...{ users: identity.users, isActive: switches.isActive, unique: randomUUID, headerNames: Object.keys(headers) },
    recommended: operator.security.siteKind,
  });
  const rewrite = async (path: string, text: string) => {
    await works.means(path, text);
    await texts.replace(path, text);
  };
  const configRules = createConfigRules({
    ...{
      settings,
      switches: { isRunning: defends },
      files: { ...texts, replace: rewrite },
      dialect: operator.security.front,
      data: operator.data,
    },
    newestBans: async (most) => (await bans.newest(most)).map(({ host }) => host),
    isAuthorised: (host) => authorised.isAuthorised(blockOf(host)!),
    paths: {
      base: baseOf(site.url),
      uploads: operator.uploadsPath,
      plugins: 'wp-content/plugins',
      themes: 'wp-content/themes',
    },
    appFile: join(operator.data, 'app.env.rules'),
  });
  const passwords = createPasswordRules({
    ...services,
    ...{
      ready: switches.ready,
      settings,
      matches: matchables.matches,
      isOn: operator.security.suite,
      breachedUrl: operator.security.breachedUrl,
      log: logs.write,
    },
  });
  const { placesUrl } = operator.security;
  const geolocation = createGeolocation({
    ...{ clock, isRunning: () => switches.isRunning('geolocation') },
    own: createDatabase(ownAddresses(operator.data), log),
    bundled: createDatabase(bundledAddresses(), log),
    provider: placesUrl === undefined ? undefined : createProvider(placesUrl, services),
  });
  const tooling = createSuiteTools(services, {
    ...{ settings, ground, logs, manage, configRules, secretsKey, modules: running },
  });
  const toolsLater = (schedule: string) => queues.tooling.add({ schedule }, { key: schedule });
  keepUp({
    ...{ settings, switches, write: () => toolsLater('flush-files') },
    failed: (error) => log.warn({ err: error }, 'Rules could not be written anew at once; they are within the hour.'),
  });
  const agents = createAgents({ settings, authorised, isRunning: switches.isRunning });
  const works = createWorks(services, {
    ...{ settings, switches, matchables, authorised, logs, center, erranding: queues.erranding },
    purgeLockouts: defence.purge,
  });
  const firewall = createFirewall({
    ...{ ...shared, log, logs, url: site.url, beginningOf, response: defence.response },
    isOn: () => operator.security.firewall && defends('firewall'),
    isTrusted: (address) => isAddressKnown(settings) && authorised.lets(address),
    strike: (address) => defence.struck('firewall', address),
    follow: (work) => services.events.follow('login.failed', work),
    failed: failed('The rules of the firewall'),
  });
  const captcha = createCaptcha({
    ...{ outgoing: services.outgoing, settings, log: logs.write },
    isRunning: () => defends('recaptcha'),
    captchaUrl: operator.security.captchaUrl,
    failed: (from) => defence.refuseStruck('recaptcha', from),
  });
  const lockoutCards = () => running().flatMap(({ lockouts = [] }) => lockouts);
  const parts = [groups, switches, enforced, authorised, defence.enforced, firewall.running, center];
  const firstGroups = () =>
    makeFirstGroups({ groups, settings, listed: listedOf(switches.modules.all), unique: randomUUID }).catch((error) =>
      log.error({ err: error }, 'The first groups of users could not be made.'),
    );
  const ready = Promise.all(parts.map((part) => part.ready)).then(() =>
    program.isServing && program.firstGroups ? firstGroups() : undefined,
  );
  switches.onChange(() => services.servesAnew());

  return {
    ...{ roles: identity.roles, roots: site.roots },
    ...{ settings, switches, ground, groups, matchables, lists, manage, logs, bans, enforced, userActions, siteTypes },
    ...{ configRules, passwords, geolocation, center, firewall },
    ...{ client, seeing: client.seeing, lockouts: defence.lockouts, purgeLockouts: defence.purge },
    ...{ showLockouts: defence.showLockouts, statistics: defence.statistics },
    locate: (ip: string) =>
      switches.isRunning('geolocation') ? geolocation.find(ip).then((place) => place ?? null) : undefined,
    notices: createNotices({
      ...{ store, clock, settings, switches, logs, hasUnreadable: secretsKey.hasUnreadable },
      hasDatabase: async () => (await ownAddresses(operator.data).stamp()) !== undefined,
      hasRegistry: () => operator.security.blocklistUrl !== undefined,
      isOff: () => !operator.security.suite,
      stray: client.stray.last,
      hrefOf: (entry) => apiUrl(site.roots, 'neutral', `/secsuite/v1/logs/${entry}`),
    }),
    secretsKey,
    tools: tooling.tools,
    toolsLater,
    notifyLater: () => queues.notifying.add(null, { key: 'all', alone: 'security-suite.notifications' }),
    discover: createDiscover({ ...services, site: site.url }),
    banning: {
      bans,
      labels: createLabels({
        users: identity.users,
        lockoutLabel: (id) => lockoutCards().find(({ type }) => type === id)?.label ?? id,
      }),
      isListed,
      showsActivity: () => settings.of('global').log_type !== 'file',
    },
    matchableSettings: createMatchableSettings({ listed: lists, settings, matchables }),
    actors: createActors({ users: identity.users, lockouts: lockoutCards }),
    ready,
    guards: [
      { isReady: () => parts.every((part) => part.isReady), ready },
      ...(operator.security.suite ? [defence.guard, agents, firewall.guard, ...works.guards, captcha.guard] : []),
      tooling.mirror.guard,
    ],
    // Whoever is locked out is asked for nothing more.
    checks: operator.security.suite ? [defence.check, captcha.check, ...works.checks] : [],
    detector: client.detector,
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

/** Of so many signs. */
const secretOf = (signs: number): string => randomBytes(signs).toString('base64url').slice(0, signs);

/** The request under way, to the log. */
function askingOf(now: number) {
  const knock = knocking();
  return knock && { ...knock, startedAt: now - (performance.now() - knock.began) };
}
