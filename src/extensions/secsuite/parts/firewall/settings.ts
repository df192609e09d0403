// The firewall: rules that requests are held against.
import { limitsOfHosts, type Module } from '../../module.ts';
import { count, minutes, settingsCard } from '../../setting-schemas.ts';

export const firewall: Module = {
  id: 'firewall',
  type: 'lockout',
  standing: 'default-active',
  onboard: true,
  title: 'Firewall',
  description: 'Holds every request against rules, and refuses what looks like an attack.',
  settings: settingsCard({
    properties: {
      max_attempts_host: count(
        10,
        0,
        'Refused requests before a lockout',
        'So many refused requests lock an address out. 0 locks nobody out.',
      ),
      check_period: minutes(30, 0, 'Within minutes', 'For how many minutes a refused request counts.'),
    },
  }),
  lockouts: [
    {
      type: 'firewall',
      label: 'Firewall',
      reason: 'Requests that the firewall refused',
      limits: ({ max_attempts_host, check_period }) => limitsOfHosts(max_attempts_host, check_period),
    },
  ],
};
