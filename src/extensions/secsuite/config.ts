// What only the operator sets about the security suite: its emergency switches, the services it may ask, and the modules that a
// deployment may turn on and off.
import { operatorSettings, settingsTable } from '#config/setting.ts';
import { envOf } from '#config/settings.ts';
import * as read from '#config/values.ts';
import type { Defence } from '#site/extension.ts';
import { modulesOn } from './parts.ts';

/** The kinds of sites that the first set-up knows. */
const siteKinds = ['ecommerce', 'network', 'non-profit', 'blog', 'portfolio', 'brochure'] as const;
type SiteKind = (typeof siteKinds)[number];

interface SecuritySettings {
  /** Turned off, the suite defends nothing. */
  readonly suite: boolean;
  readonly firewall: boolean;
  /** The web server in front of the site. */
  readonly front: 'nginx' | 'apache';
  /** What the first set-up recommends the site to be set up as. */
  readonly siteKind: SiteKind | undefined;
  /** Services elsewhere; the suite asks none that is not named here. */
  readonly breachedUrl: string | undefined;
  readonly blocklistUrl: string | undefined;
  readonly placesUrl: string | undefined;
  /** Where a database of locations is downloaded from when a manager asks for it. */
  readonly placesDatabaseUrl: string | undefined;
  /** Asked instead of the provider of the CAPTCHA. */
  readonly captchaUrl: string | undefined;
  /** Where known vulnerabilities are listed, in the format of OSV: a file, a folder or a URL. */
  readonly advisories: FeedSource | undefined;
  readonly clamd: ClamdAddress | undefined;
  readonly reputationUrl: string | undefined;
  readonly reputationKey: string | undefined;
  /** Where forgotten sites are looked for; the folder around the data folder without it. */
  readonly scanRoots: readonly string[] | undefined;
  /** Firewall rules that protect from known vulnerabilities. */
  readonly ruleFeed: FeedSource | undefined;
  readonly ruleFeedKey: string | undefined;
  /** What rules of the feed have as their provider. */
  readonly ruleFeedProvider: string;
  /** Where checkpoints of the security log are written. */
  readonly logCheckpoints: string | undefined;
}

export type FeedSource =
  | { readonly kind: 'path'; readonly path: string }
  | { readonly kind: 'url'; readonly url: string };

/** The socket of a ClamAV daemon. */
export type ClamdAddress = { readonly path: string } | { readonly host: string; readonly port: number };

declare module '#lib/operator.ts' {
  interface Operator {
    readonly security: SecuritySettings;
  }
}

function siteKind(text: string): SiteKind {
  return siteKinds.find((kind) => kind === text) ?? read.refuse(`one of ${siteKinds.join(', ')}`);
}

function frontServer(text: string): 'nginx' | 'apache' {
  return text === 'nginx' || text === 'apache' ? text : read.refuse('nginx or apache');
}

function feedSource(text: string, cwd: string): FeedSource {
  if (/^https?:\/\//i.test(text) && URL.canParse(text)) return { kind: 'url', url: text };
  return { kind: 'path', path: read.path(text, cwd) };
}

function downloadUrl(text: string): string {
  const url = URL.parse(text.replaceAll('{api_key}', 'key'));
  const isFit = url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
  return isFit ? text : read.refuse('a URL such as https://example.org/country.mmdb.gz?key={api_key}');
}

function providerName(text: string): string {
  const isName = /^[a-z][a-z0-9-]{0,19}$/.test(text) && text !== 'user';
  return isName ? text : read.refuse('a name of at most 20 small letters, digits and dashes other than `user`');
}

function clamdAddress(text: string): ClamdAddress {
  if (text.startsWith('/')) return { path: text };
  const found = /^(\[[\da-f:]+\]|[a-z\d.-]+):(\d{1,5})$/i.exec(text);
  const port = Number(found?.[2] ?? 0);
  if (found === null || port < 1 || port > 65_535)
    return read.refuse('the path of a socket, or a host with its port, such as 127.0.0.1:3310');
  return { host: found[1]!.replace(/^\[|\]$/g, ''), port };
}

const folderList = (text: string, cwd: string): readonly string[] =>
  text
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '')
    .map((one) => read.path(one, cwd));

const settings = settingsTable({
  securitySuite: {
    parse: read.onOff,
    default: 'on',
    value: 'on|off',
    meaning: 'Whether the security suite defends the site; off, it can still be looked at and set',
    file: true,
  },
  firewall: {
    parse: read.onOff,
    default: 'on',
    value: 'on|off',
    meaning: 'Whether firewall rules are run; turn it off when a rule blocks all visitors',
    file: true,
  },
  frontServer: {
    parse: frontServer,
    default: 'nginx',
    value: 'nginx|apache',
    meaning: 'Which web server stands in front of the site: the security suite writes rules for it',
    file: true,
  },
  siteKind: {
    parse: siteKind,
    shown: 'none',
    value: 'kind',
    meaning:
      'What the first set-up recommends the site to be set up as: `ecommerce`, `network`, `non-profit`, `blog`, `portfolio` or `brochure`',
    file: true,
  },
  breachedUrl: {
    parse: read.baseUrl,
    shown: 'none: no service is asked',
    value: 'url',
    meaning:
      'Where it is asked whether a password was made public by a breach, such as `https://api.pwnedpasswords.com`: five signs of its hash are sent, and nothing else',
    file: true,
  },
  blocklistUrl: {
    parse: read.baseUrl,
    shown: 'none: no service is asked',
    value: 'url',
    meaning: 'The registry that sites share addresses of attackers by',
    file: true,
  },
  placesUrl: {
    parse: read.baseUrl,
    shown: 'none: the database that comes with the program',
    value: 'url',
    meaning: 'Where it is asked in which place an address is, when the database does not know it',
    file: true,
  },
  placesDatabaseUrl: {
    parse: downloadUrl,
    shown: 'none: nothing is downloaded',
    value: 'url',
    meaning:
      'Where a database of locations (MMDB, also packed by gzip) is downloaded from when a security manager asks for it; `{api_key}` stands where their key belongs',
    file: true,
  },
  captchaUrl: {
    parse: read.baseUrl,
    shown: 'the provider of the captcha',
    value: 'url',
    meaning: 'Where answers to captchas are verified, instead of at their provider',
    file: true,
  },
  advisories: {
    parse: feedSource,
    shown: 'none: the short list that comes with the program',
    value: 'file|folder|url',
    meaning: 'Known vulnerabilities in the format of OSV, for scans of the site',
    file: true,
  },
  clamd: {
    parse: clamdAddress,
    shown: 'none: built-in signatures only',
    value: 'socket|host:port',
    meaning: 'The ClamAV daemon that looks for malware, such as `/run/clamav/clamd.ctl`',
    file: true,
  },
  reputationUrl: {
    parse: read.baseUrl,
    shown: 'none: no service is asked',
    value: 'url',
    meaning: 'A service that says whether the site is on a list of dangerous sites',
    file: true,
  },
  reputationKey: {
    parse: read.token,
    shown: 'none',
    value: 'key',
    meaning: 'The key for the service of `reputation-url`',
    confidential: true,
  },
  scanRoots: {
    parse: folderList,
    shown: 'the folder around the data folder',
    value: 'folder,…',
    meaning: 'Folders in which forgotten sites are looked for',
    file: true,
  },
  ruleFeed: {
    parse: feedSource,
    shown: 'none: no rules are created',
    value: 'file|url',
    meaning: 'A signed list of firewall rules that protect from known vulnerabilities',
    file: true,
  },
  ruleFeedKey: {
    parse: read.publicKey,
    shown: 'none',
    value: 'key',
    meaning: 'The public key that the list of `rule-feed` is signed with',
    file: true,
  },
  ruleFeedProvider: {
    parse: providerName,
    default: 'vpatch',
    value: 'name',
    meaning: 'The provider that rules from `rule-feed` are shown with',
    file: true,
  },
  logCheckpoints: {
    parse: read.path,
    shown: 'none: no checkpoints are written',
    value: 'folder',
    meaning: 'The folder for daily checkpoints of the security log, on another disk or machine than the database',
    file: true,
  },
});

/** What extends a module cannot be turned on by itself. */
const modules = modulesOn({ data: '.' })
  .filter((module) => module.extends === undefined)
  .map(({ id }) => id);

export const config = operatorSettings({
  name: 'security-suite',
  namespaces: ['secsuite/rpc', 'secsuite/v1'],
  settings,
  modules,
  toOperator: ({ securitySuite, frontServer, ...others }) => ({
    security: { ...others, suite: securitySuite, front: frontServer },
  }),
});

/** What the start, doctor and site health say when the security suite does not defend the site. */
export const defends: Defence = {
  called: 'security suite',
  by: 'lockouts, bans and the firewall',
  why: 'Nothing defends the site without it',
  stops: [
    'lockouts after wrong passwords, bans and the shared blocklist',
    'the firewall and its rules',
    'the CAPTCHA, password rules and the hidden sign-in page',
    'two-factor authentication, trusted devices, passkeys and links by email: a password alone signs users in',
    'the end of lent rights: users keep them until the suite is active again',
    'the security log, security emails and scheduled backups of the database',
    'the routes under secsuite/v1',
  ],
  leftOpen({ security }) {
    if (!security.suite) return { what: 'the security suite is switched off', setting: envOf('securitySuite') };
    return security.firewall ? undefined : { what: 'no rule of the firewall is run', setting: envOf('firewall') };
  },
};
