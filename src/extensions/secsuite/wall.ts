// What stands between the site and those who should not come in: whose request it is, bans, lockouts, the firewall, captchas.
import type { Services } from '#site/extension.ts';
import { createAgents } from './agents/agents.ts';
import { createBans } from './bans/bans.ts';
import { createEnforced } from './bans/enforced.ts';
import { createNames } from './bans/labels.ts';
import { createCaptcha } from './captcha/captcha.ts';
import { createClient } from './client/client.ts';
import { machineAddresses } from './client/machine.ts';
import { beginningOf } from './disk/beginnings.ts';
import { createFirewall } from './firewall/firewall.ts';
import type { Foundation } from './foundation.ts';
import { createDefence } from './lockouts/defence.ts';
import { digestOf } from './notifications/lockout-mail.ts';
import { isAddressKnown } from './switches/requirements.ts';

export type Wall = ReturnType<typeof createWall>;

interface Needs {
  /** Switched off by the operator, the suite refuses nobody. */
  defends(module: string): boolean;
  /** An address was locked out. */
  reported(address: string): Promise<void>;
}

export function createWall(services: Services, foundation: Foundation, needs: Needs) {
  const { operator } = services;
  const { shared, failed, settings, switches, logs } = foundation;
  const enforced = createEnforced({ ...shared, failed: failed('The bans') });
  const client = createClient({
    ...{ ...shared, settings, clients: services.clients, machine: machineAddresses() },
    failed: failed('Who is always let in'),
  });
  const { authorised } = client;
  const bans = createBans({ ...shared, enforced, isAuthorised: authorised.isAuthorised });
  const isListed = () => switches.isRunning('ban-users') && settings.of('ban-users').enable_ban_lists === true;
  const defence = defenceOf(services, foundation, { ...needs, bans, enforcedBans: enforced, authorised, isListed });
  const firewall = createFirewall({
    ...{ ...shared, log: services.log, logs, url: services.site.url, beginningOf, response: defence.response },
    isOn: () => operator.security.firewall && needs.defends('firewall'),
    // Whoever stole a password has visited too: that does not let them write.
    isTrusted: (address, pass) =>
      isAddressKnown(settings) && (pass === 'write' ? authorised.letsByChoice(address) : authorised.lets(address)),
    strike: (address) => defence.struck('firewall', address),
    follow: (work) => services.events.follow('login.failed', work),
    failed: failed('The rules of the firewall'),
  });
  const captcha = createCaptcha({
    ...{ outgoing: services.outgoing, settings, log: logs.write },
    isRunning: () => needs.defends('recaptcha'),
    captchaUrl: operator.security.captchaUrl,
    failed: (from) => defence.refuseStruck('recaptcha', from),
  });
  return {
    ...{ enforced, client, bans, isListed, defence, firewall },
    /** In the order in which they are asked. */
    guards: [defence.guard, createAgents({ settings, authorised, isRunning: switches.isRunning }), firewall.guard],
    captcha,
    /** Whoever is locked out is asked for nothing more. */
    checks: [defence.check, captcha.check],
  };
}

type Defending = Needs &
  Pick<Parameters<typeof createDefence>[0], 'bans' | 'enforcedBans' | 'authorised'> & { isListed(): boolean };

function defenceOf(services: Services, foundation: Foundation, { reported, isListed, ...needs }: Defending) {
  const { log, identity, site, events } = services;
  const { shared, failed, settings, switches, manage, logs, center } = foundation;
  const follow = (work: () => Promise<void>): void => events.follow('login.failed', work);
  const defence = createDefence({
    ...{ ...shared, ...needs, settings, switches, logs, log, identity, follow, url: site.url },
    ...{ keys: services.keys, isManager: manage.isManager, isBanning: isListed, zone: services.content.zone },
    names: createNames(identity.users),
    tell: async (struck) => {
      if (struck.lockouts.some(({ host }) => host !== null)) follow(() => reported(struck.strike.address));
      await center.lockedOut(struck);
    },
    send: center.send,
    failed: failed('The lockouts'),
  });
  center.writes('digest', digestOf(defence.lockouts));
  return defence;
}
