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
  return isName ? text : read.refuse('a name of at most 20 lowercase letters, digits and hyphens, but not `user`');
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
    meaning: 'Whether the security suite protects the site; when off, you can still see and change its settings',
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
    meaning: 'Web server in front of the site, `nginx` or `apache`; the security suite writes rules for it',
    file: true,
  },
  siteKind: {
    parse: siteKind,
    shown: 'none',
    value: 'kind',
    meaning:
      'Type of site that the first setup recommends: `ecommerce`, `network`, `non-profit`, `blog`, `portfolio` or `brochure`',
    file: true,
  },
  breachedUrl: {
    parse: read.baseUrl,
    shown: 'none: no service is used',
    value: 'url',
    meaning:
      'URL of a service that knows breached passwords, such as `https://api.pwnedpasswords.com`; the site sends only 5 characters of the hash of a password',
    file: true,
  },
  blocklistUrl: {
    parse: read.baseUrl,
    shown: 'none: no service is used',
    value: 'url',
    meaning: 'URL of the shared blocklist, where sites report the IP addresses of attackers',
    file: true,
  },
  placesUrl: {
    parse: read.baseUrl,
    shown: 'none: the database that comes with Gatehouse',
    value: 'url',
    meaning: 'URL of a service for locations of IP addresses that the database does not have',
    file: true,
  },
  placesDatabaseUrl: {
    parse: downloadUrl,
    shown: 'none: nothing is downloaded',
    value: 'url',
    meaning:
      'URL of a location database (MMDB, also with gzip) that a security manager can download; `{api_key}` stands for their key',
    file: true,
  },
  captchaUrl: {
    parse: read.baseUrl,
    shown: 'the CAPTCHA provider',
    value: 'url',
    meaning: 'URL that verifies CAPTCHA answers, instead of the CAPTCHA provider',
    file: true,
  },
  advisories: {
    parse: feedSource,
    shown: 'none: the short list that comes with Gatehouse',
    value: 'file|folder|url',
    meaning: 'File or URL of known vulnerabilities in OSV format, for scans of the site',
    file: true,
  },
  clamd: {
    parse: clamdAddress,
    shown: 'none: built-in signatures only',
    value: 'socket|host:port',
    meaning: 'ClamAV daemon that checks for malware: a socket such as `/run/clamav/clamd.ctl`, or a host with its port',
    file: true,
  },
  reputationUrl: {
    parse: read.baseUrl,
    shown: 'none: no service is used',
    value: 'url',
    meaning: 'URL of a service that knows whether the site is on a list of dangerous sites',
    file: true,
  },
  reputationKey: {
    parse: read.token,
    shown: 'none',
    value: 'key',
    meaning: 'Key for the service of `reputation-url`',
    confidential: true,
  },
  scanRoots: {
    parse: folderList,
    shown: 'the folder around the data folder',
    value: 'folder,…',
    meaning: 'Folders to search for old sites',
    file: true,
  },
  ruleFeed: {
    parse: feedSource,
    shown: 'none: no rules are created',
    value: 'file|url',
    meaning: 'Signed list of firewall rules against known vulnerabilities: a file or a URL',
    file: true,
  },
  ruleFeedKey: {
    parse: read.publicKey,
    shown: 'none',
    value: 'key',
    meaning: 'Public key of the list of `rule-feed`',
    file: true,
  },
  ruleFeedProvider: {
    parse: providerName,
    default: 'vpatch',
    value: 'name',
    meaning: 'Provider name for rules from `rule-feed`',
    file: true,
  },
  logCheckpoints: {
    parse: read.path,
    shown: 'none: no checkpoints are written',
    value: 'folder',
    meaning: 'Folder for daily checkpoints of the security log; use another disk or machine than the database',
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
  why: 'Without it, the site is not protected',
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
    if (!security.suite) return { what: 'the security suite is turned off', setting: envOf('securitySuite') };
    return security.firewall ? undefined : { what: 'the firewall is turned off', setting: envOf('firewall') };
  },
};
