// Rules that refuse requests.
import { beginningOf } from '../../disk/beginnings.ts';
import { byRule } from '../../logs/named.ts';
import { part } from '../../part.ts';
import { isAddressKnown } from '../../switches/requirements.ts';
import { createFirewall } from './firewall.ts';
import { firewallRoutes } from './routes.ts';
import { firewall as firewallModule } from './settings.ts';
import { firewallMigrations } from './tables.ts';

export const firewallPart = part({
  name: 'firewall',
  modules: [firewallModule],
  tables: { migrations: firewallMigrations, leftOut: { secsuite_firewall_rules: ['secsuite_firewall_rules'] } },
  logged: {
    firewall: {
      label: 'Firewall',
      codes: {
        BLOCK: byRule('Request refused'),
        LOG: byRule('Request noticed'),
        REDIRECT: byRule('Request sent elsewhere'),
        WHITELIST: byRule('Request let through'),
        'over-budget': 'A request cost the rules too much work, and was refused',
        'rule-failed': (rule) => `Rule ${rule} failed`,
        'rule-left-out': (rule) => `Rule ${rule} cannot be run, and is left out`,
      },
    },
  },
  make: ({ operator, log, site, events }, { base, failed, settings, logs, client, defence, defends, followed }) => {
    const { authorised } = client;
    const firewall = createFirewall({
      ...base,
      log,
      logs,
      url: site.url,
      beginningOf,
      response: defence.response,
      isOn: () => operator.security.firewall && defends('firewall'),
      // A thief of a password has visited too, so a visit does not let a request write.
      isTrusted: (address, pass) =>
        isAddressKnown(settings) && (pass === 'write' ? authorised.letsByChoice(address) : authorised.lets(address)),
      strike: (address) => defence.struck('firewall', address),
      follow: (work) => events.follow('login.failed', work),
      failed: failed('The rules of the firewall'),
    });
    followed.push(firewall.running);
    return { firewall };
  },
  guards: ({ firewall }) => [firewall.guard],
  routes: ({ tools, gate, isRunning }) => ({ v1: isRunning('firewall') ? firewallRoutes(tools, gate.manager) : [] }),
});
