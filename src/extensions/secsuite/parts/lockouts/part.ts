// Lockouts of IP addresses and accounts, and the links that end a lockout of an account.
import { day } from '#lib/spans.ts';
import { banSeams } from '../../bans/seams.ts';
import { lockoutRoutes } from '../../lockouts/routes.ts';
import { bruteForce, magicLinks } from '../../lockouts/settings.ts';
import { statisticsRoutes } from '../../lockouts/statistics-routes.ts';
import { lockoutMigrations, quietLockoutTables } from '../../lockouts/tables.ts';
import { about, type CodeLabel } from '../../logs/named.ts';
import { signInTags, whileRunning } from '../../notifications/notification.ts';
import { part } from '../../part.ts';

const wrongSignIn: CodeLabel = (...whose) => {
  const [, kind, who] = /^(user|username)-(.*)$/s.exec(whose.join(',')) ?? [];
  if (kind === undefined) return 'Wrong sign-in';
  return kind === 'user' ? `Wrong sign-in of user ${who}` : `Wrong sign-in as "${who}"`;
};

export const lockoutsPart = part({
  name: 'lockouts',
  modules: [bruteForce, magicLinks],
  tables: {
    migrations: lockoutMigrations,
    quiet: quietLockoutTables,
    leftOut: {
      secsuite_temp: ['secsuite_lockout_events'],
      secsuite_lockouts: ['secsuite_lockouts', 'secsuite_lockouts_spared'],
      secsuite_opaque_tokens: ['one_time_tokens'],
      secsuite_dashboard_lockouts: ['secsuite_lockout_days'],
    },
  },
  notifications: [
    {
      slug: 'lockout',
      module: '',
      recipient: 'user-list',
      label: 'Lockouts',
      description: 'Says who was locked out, and why. When there are very many, the rest is counted in the summary.',
      subject: 'Somebody was locked out',
      optional: true,
    },
    {
      slug: 'magic-link-login-page',
      ...whileRunning('magic-links'),
      recipient: 'user',
      label: 'Link past a lockout',
      description: 'Lets people sign in all the same whose account was locked by somebody who guessed at it.',
      subject: 'Your link to sign in',
      message:
        '<p>Hello {{ $display_name }},</p><p>your account {{ $username }} at {{ $site_title }} is locked just now, for somebody tried too many passwords. This link lets you sign in all the same, once and within half an hour:</p><p><a href="{{ $login_url }}">{{ $login_url }}</a></p><p>If you did not ask for it, there is nothing to do.</p>',
      tags: signInTags,
    },
  ],
  logged: {
    brute_force: {
      label: 'Wrong sign-ins',
      codes: {
        'invalid-login': wrongSignIn,
        'auto-ban-admin-username': 'Somebody tried to sign in as "admin"',
      },
    },
    lockout: {
      label: 'Lockouts',
      codes: {
        'host-lockout': (address) => `${address ?? 'An address'} is locked out`,
        'user-lockout': (user) => (user === undefined ? 'A user is locked out' : `User ${user} is locked out`),
        'username-lockout': (...name) =>
          name.length === 0 ? 'A user name is locked out' : `"${name.join(',')}" is locked out`,
        'host-triggered-blacklist': 'An address was locked out so often that it is banned',
        'whitelisted-host-triggered-blacklist': 'An authorised address would have been banned',
        'whitelisted-host-triggered-host-lockout': 'An authorised address would have been locked out',
        'whitelisted-host-triggered-user-lockout': 'A user at an authorised address would have been locked out',
        'whitelisted-host-triggered-username-lockout':
          'A user name at an authorised address would have been locked out',
        authorised: about('Let in for a while, from the machine'),
        released: about('Let in again, from the machine'),
        'released-all': 'Everybody who was locked out is let in again, from the machine',
      },
    },
  },
  guards: ({ defence }) => [defence.guard],
  checks: ({ defence }) => [defence.check],
  pages: ({ defence }, house) => defence.pages(house),
  tasks: [{ name: 'purge-lockouts', every: day, run: ({ defence }, signal) => defence.purge(signal) }],
  counters: async ({ statistics }) => ({ lockouts_24h: await statistics.ofDay() }),
  routes: ({ tools, gate }) => ({
    rpc: statisticsRoutes(tools, gate.manager),
    v1: lockoutRoutes(tools, gate.manager, banSeams(gate)),
  }),
});
