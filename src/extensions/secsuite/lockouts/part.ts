// Lockouts of IP addresses and accounts, and the links that end a lockout of an account.
import { day } from '#lib/spans.ts';
import { banSeams } from '../bans/open.ts';
import { about, type CodeLabel } from '../logs/named.ts';
import type { Module, SettingsOf } from '../module.ts';
import { signInTags, whileRunning } from '../notifications/notification.ts';
import { part } from '../part.ts';
import { count, flag, minutes, settingsCard } from '../setting-schemas.ts';
import { lockoutRoutes, statisticsRoutes } from './routes.ts';
import { lockoutMigrations, quietLockoutTables } from './tables.ts';

const settings = settingsCard({
  properties: {
    auto_ban_admin: flag(
      false,
      'Lock out attempts as "admin"',
      'Locks out an IP address at once when it tries to sign in as "admin". Turn this on if no account has this name.',
    ),
    max_attempts_host: count(
      5,
      0,
      'Wrong passwords from one IP address',
      'Number of wrong passwords that locks out an IP address. 0 locks out no IP address.',
    ),
    max_attempts_user: count(
      10,
      0,
      'Wrong passwords for one account',
      'Number of wrong passwords that locks an account. 0 locks no account.',
    ),
    check_period: minutes(5, 1, 'Within minutes', 'Number of minutes that a wrong password counts.'),
  },
  uiSchema: {
    'ui:sections': [{ title: 'How often', fields: ['max_attempts_host', 'max_attempts_user'] }],
  },
});

type BruteForceSettings = SettingsOf<{ readonly settings: typeof settings }>;

const passwordLimits = ({
  max_attempts_host: host,
  max_attempts_user: user,
  check_period: period,
}: BruteForceSettings) => ({
  host,
  user,
  period,
});

const bruteForce = {
  id: 'brute-force',
  type: 'lockout',
  standing: 'default-active',
  onboard: true,
  title: 'Guessed passwords',
  description: 'Locks out IP addresses and accounts after repeated wrong passwords.',
  help: 'Wrong passwords are counted for each IP address and for each account, so an attacker cannot avoid the limit with many accounts or many IP addresses.',
  requirements: { ip: { validate: 'run', showMessageIfUnmet: true } },
  settings,
  lockouts: [
    {
      type: 'brute_force',
      label: 'Guessed password',
      reason: 'Too many wrong passwords',
      limits: passwordLimits,
    },
    {
      type: 'brute_force_admin_user',
      label: 'The name "admin"',
      reason: 'Tried to sign in as "admin"',
      limits: (values: BruteForceSettings) => ({ ...passwordLimits(values), host: 1, user: 1 }),
    },
  ],
} satisfies Module;

/** A link by email, for the owner of an account that was locked out because others guessed its password. */
const magicLinks: Module = {
  id: 'magic-links',
  type: 'lockout',
  standing: 'default-active',
  onboard: true,
  title: 'Unlock by email',
  description: 'Sends users with a locked account a link to sign in.',
  requirements: { load: { validate: 'run', showMessageIfUnmet: true, type: 'normal' } },
};

declare module '../settings/types.ts' {
  interface ModuleSettings {
    'brute-force': BruteForceSettings;
  }
}

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
      secsuite_dashboard_lockouts: ['daily_counts'],
    },
  },
  notifications: [
    {
      slug: 'lockout',
      module: '',
      recipient: 'user-list',
      label: 'Lockouts',
      description:
        'Reports each lockout and its reason. If there are more than 20 within 1 hour, the summary counts the rest.',
      subject: 'An IP address or account was locked out',
      optional: true,
    },
    {
      slug: 'magic-link-login-page',
      ...whileRunning('magic-links'),
      recipient: 'user',
      label: 'Link to unlock an account',
      description: 'Lets users sign in if an attacker has locked their account.',
      subject: 'Your link to sign in',
      message:
        '<p>Hello {{ $display_name }},</p><p>your account {{ $username }} at {{ $site_title }} is locked, because of too many wrong passwords. To sign in, open this link. It works once, within 30 minutes:</p><p><a href="{{ $login_url }}">{{ $login_url }}</a></p><p>If you did not request this email, no action is needed.</p>',
      tags: signInTags,
    },
  ],
  logged: {
    brute_force: {
      label: 'Wrong sign-ins',
      codes: {
        'invalid-login': wrongSignIn,
        'auto-ban-admin-username': 'Attempt to sign in as "admin"',
      },
    },
    lockout: {
      label: 'Lockouts',
      codes: {
        'host-lockout': (address) => `${address ?? 'An IP address'} is locked out`,
        'user-lockout': (user) => (user === undefined ? 'A user is locked out' : `User ${user} is locked out`),
        'username-lockout': (...name) =>
          name.length === 0 ? 'A user name is locked out' : `"${name.join(',')}" is locked out`,
        'host-triggered-blacklist': 'An IP address was banned after repeated lockouts',
        'whitelisted-host-triggered-blacklist': 'A trusted IP address would have been banned',
        'whitelisted-host-triggered-host-lockout': 'A trusted IP address would have been locked out',
        'whitelisted-host-triggered-user-lockout': 'A user at a trusted IP address would have been locked out',
        'whitelisted-host-triggered-username-lockout': 'A user name at a trusted IP address would have been locked out',
        authorised: about('IP address trusted by a command'),
        released: about('IP address unblocked by a command'),
        'released-all': 'All lockouts ended by a command',
      },
    },
  },
  guards: ({ defence }) => defence.guards,
  checks: ({ defence }) => [defence.check],
  pages: ({ defence }, house) => defence.pages(house),
  tasks: [{ name: 'purge-lockouts', every: day, run: ({ defence }, signal) => defence.purge(signal) }],
  counters: async ({ statistics }) => ({ lockouts_24h: await statistics.ofDay() }),
  routes: ({ tools, gate }) => ({
    rpc: statisticsRoutes(tools, gate.manager),
    v1: lockoutRoutes(tools, gate.manager, banSeams(gate)),
  }),
});
