// The cards of dashboards, in the order in which clients list them. Those of a module are there while it runs.
import {
  backupsIn,
  type CardDeps,
  type CardType,
  lineCard,
  lockoutsFor,
  pieCard,
  profileFor,
  profilesFor,
  small,
  updatesIn,
  wide,
} from './card-data.ts';

const custom = { type: 'custom', max: 1, queryArgs: [] } as const;

const cardsOfSuite = (deps: CardDeps): CardType[] => [
  {
    ...custom,
    slug: 'security-summary',
    label: 'Security summary',
    size: wide,
    data: async () => ({ news: null, vulnerability: null }),
  },
  {
    ...custom,
    slug: 'active-lockouts',
    label: 'Active lockouts',
    size: small,
    queryArgs: ['search'],
    data: (query) => lockoutsFor(deps, query),
  },
  lineCard(deps, 'brute-force', 'Attacks', [
    ['Attacks', ['local-brute-force', 'network-brute-force', 'firewall-block']],
  ]),
  pieCard(deps, 'lockout', 'Lockouts', 'Total', deps.countLockouts, [
    ['lockout-host', 'IP addresses'],
    ['lockout-user', 'Accounts'],
    ['lockout-username', 'Usernames'],
  ]),
];

const cardsOfBans = (deps: CardDeps): CardType[] => [
  { ...custom, slug: 'banned-users-list', label: 'Banned IP addresses', size: small, data: async () => [] },
  pieCard(deps, 'banned-users', 'Bans', 'Banned', () => deps.bans.count(), [
    ['blacklist-brute_force', 'Wrong passwords'],
    ['blacklist-brute_force_admin_user', 'Attempts to sign in as "admin"'],
    ['blacklist-recaptcha', 'CAPTCHA'],
  ]),
];

const cardsOfScanner: readonly CardType[] = [
  {
    ...custom,
    slug: 'vulnerable-software',
    label: 'Vulnerable software',
    size: { ...wide, maxW: 3 },
    data: async () => ({ vulnerabilities: [], date: null }),
  },
  {
    ...custom,
    slug: 'malware-scan',
    label: 'Malware scans',
    size: wide,
    queryArgs: ['period'],
    data: async () => ({ scans: [], log_type: 'database' }),
  },
];

const deviceCard = (deps: CardDeps): CardType =>
  lineCard(deps, 'fingerprinting', 'Trusted devices', [
    ['Approved', ['fingerprint-status-approved']],
    ['Approved automatically', ['fingerprint-status-auto-approved']],
    ['Blocked', ['fingerprint-status-denied']],
  ]);

const cardsOfAccounts = (deps: CardDeps): CardType[] => [
  {
    ...custom,
    slug: 'security-profile-list',
    label: 'Accounts',
    size: wide,
    queryArgs: ['search', 'roles'],
    data: (query) => profilesFor(deps, query),
  },
  {
    ...custom,
    slug: 'security-profile',
    label: 'Account',
    size: small,
    max: null,
    settings: { type: 'object', properties: { user: { type: 'integer', minimum: 1 } } },
    data: (query) => profileFor(deps, query),
  },
];

export function createCards(deps: CardDeps): () => readonly CardType[] {
  const backups = { ...custom, slug: 'database-backup', label: 'Database backups', size: small } as const;
  const updates = { ...custom, slug: 'version-management', label: 'Updates', size: small } as const;
  const ofSuite = cardsOfSuite(deps);
  const ofModules: readonly (readonly [module: string, cards: readonly CardType[]])[] = [
    ['ban-users', cardsOfBans(deps)],
    ['backup', [{ ...backups, data: () => backupsIn(deps) }]],
    ['site-scanner', cardsOfScanner],
    ['fingerprinting', [deviceCard(deps)]],
    ['version-management', [{ ...updates, queryArgs: ['period'], data: ({ period }) => updatesIn(deps, period) }]],
    ['user-security-check', cardsOfAccounts(deps)],
  ];
  return () => [...ofSuite, ...ofModules.flatMap(([module, cards]) => (deps.isRunning(module) ? cards : []))];
}
