import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { checkRows } from '#test/rows.ts';
import { BadSetting, type Config, readConfig } from '../config.ts';

const taken: readonly (readonly [
  name: string,
  value: string,
  found: (config: Config) => unknown,
  expected: unknown,
])[] = [
  ['GATEHOUSE_HUB_URL', 'https://hub.example/api/hub/v1/', ({ hubUrl }) => hubUrl, 'https://hub.example/api/hub/v1'],
  ['GATEHOUSE_HUB_API_KEY', 'abcdefghijklmnop', ({ hubApiKey }) => hubApiKey, 'abcdefghijklmnop'],
  ['GATEHOUSE_FILE_MODS', 'off', ({ fileMods }) => fileMods, false],
  [
    'GATEHOUSE_CATALOGUE',
    'https://c.test/l.json',
    ({ catalogue }) => catalogue,
    { kind: 'url', url: 'https://c.test/l.json' },
  ],
  ['GATEHOUSE_CATALOGUE', '/etc/l.json', ({ catalogue }) => catalogue, { kind: 'file', path: '/etc/l.json' }],
  ['GATEHOUSE_CATALOGUE_KEY', `${'A'.repeat(43)}=`, ({ catalogueKey }) => catalogueKey, `${'A'.repeat(43)}=`],
  [
    'GATEHOUSE_RULE_FEED',
    'https://r.test/f',
    ({ security }) => security.ruleFeed,
    { kind: 'url', url: 'https://r.test/f' },
  ],
  ['GATEHOUSE_RULE_FEED_KEY', `${'A'.repeat(43)}=`, ({ security }) => security.ruleFeedKey, `${'A'.repeat(43)}=`],
  ['GATEHOUSE_RULE_FEED_PROVIDER', 'ours', ({ security }) => security.ruleFeedProvider, 'ours'],
  ['GATEHOUSE_LOG_CHECKPOINTS', '/mnt/c', ({ security }) => security.logCheckpoints, '/mnt/c'],
  ['GATEHOUSE_SECURITY_SUITE', 'off', ({ security }) => security.suite, false],
  ['GATEHOUSE_FIREWALL', 'off', ({ security }) => security.firewall, false],
  ['GATEHOUSE_FRONT_SERVER', 'apache', ({ security }) => security.front, 'apache'],
  ['GATEHOUSE_SITE_KIND', 'non-profit', ({ security }) => security.siteKind, 'non-profit'],
  ['GATEHOUSE_BREACHED_URL', 'https://b.test/', ({ security }) => security.breachedUrl, 'https://b.test'],
  ['GATEHOUSE_BLOCKLIST_URL', 'https://l.test', ({ security }) => security.blocklistUrl, 'https://l.test'],
  ['GATEHOUSE_PLACES_URL', 'https://p.test', ({ security }) => security.placesUrl, 'https://p.test'],
  ['GATEHOUSE_PLACES_DATABASE_URL', 'https://p.test', ({ security }) => security.placesDatabaseUrl, 'https://p.test'],
  ['GATEHOUSE_CAPTCHA_URL', 'https://c.test', ({ security }) => security.captchaUrl, 'https://c.test'],
  ['GATEHOUSE_ADVISORIES', '/srv/osv', ({ security }) => security.advisories, { kind: 'path', path: '/srv/osv' }],
  [
    'GATEHOUSE_ADVISORIES',
    'https://o.test',
    ({ security }) => security.advisories,
    { kind: 'url', url: 'https://o.test' },
  ],
  ['GATEHOUSE_CLAMD', '/run/clamd.ctl', ({ security }) => security.clamd, { path: '/run/clamd.ctl' }],
  ['GATEHOUSE_CLAMD', '[::1]:3310', ({ security }) => security.clamd, { host: '::1', port: 3310 }],
  ['GATEHOUSE_REPUTATION_URL', 'https://r.test', ({ security }) => security.reputationUrl, 'https://r.test'],
  ['GATEHOUSE_REPUTATION_KEY', 'k'.repeat(16), ({ security }) => security.reputationKey, 'k'.repeat(16)],
  ['GATEHOUSE_SCAN_ROOTS', '/srv/a, /srv/b', ({ security }) => security.scanRoots, ['/srv/a', '/srv/b']],
];

test('without anything given, a site has no hub, and the security suite defends it', () => {
  const { hubUrl, hubApiKey, security } = readConfig({});
  assert.deepEqual([hubUrl, hubApiKey], [undefined, undefined]);
  assert.deepEqual(JSON.parse(JSON.stringify(security)), {
    suite: true,
    firewall: true,
    front: 'nginx',
    ruleFeedProvider: 'vpatch',
  });
});

describe('a good value of an extension is taken', () => {
  test('whatever its kind', () =>
    checkRows(taken, ([name, value, found, expected]) =>
      assert.deepEqual(found(readConfig({ env: { [name]: value } })), expected),
    ));
});

const refused: readonly (readonly [name: string, values: readonly string[]])[] = [
  ['GATEHOUSE_HUB_URL', ['hub.example', 'ftp://hub.example', 'https://me:pw@hub.example', 'https://hub.example/?a=b']],
  ['GATEHOUSE_HUB_API_KEY', ['short', 'with a space in the middle']],
  ['GATEHOUSE_FILE_MODS', ['perhaps']],
  ['GATEHOUSE_SECURITY_SUITE', ['perhaps']],
  ['GATEHOUSE_FIREWALL', ['perhaps']],
  ['GATEHOUSE_FRONT_SERVER', ['caddy', 'NGINX']],
  ['GATEHOUSE_SITE_KIND', ['shop', 'Blog']],
  ['GATEHOUSE_BREACHED_URL', ['ftp://b.test', 'b.test']],
  ['GATEHOUSE_ADVISORIES', ['ftp://o.test/a']],
  ['GATEHOUSE_CLAMD', ['clamd', 'host:0', 'host:99999', 'unix:/run/clamd.ctl']],
  ['GATEHOUSE_CATALOGUE', ['http://c.test/l.json', 'ftp://c.test/l.json', 'data://x']],
  ['GATEHOUSE_CATALOGUE_KEY', ['x', 'A'.repeat(42), `${'A'.repeat(44)}=`, `${'!'.repeat(43)}=`]],
];

describe('a bad value of an extension is refused by the name of its variable', () => {
  test('whatever is wrong with it', () =>
    checkRows(refused, ([name, values]) =>
      checkRows(values, (value) =>
        assert.throws(
          () => readConfig({ env: { [name]: value } }),
          (error) => error instanceof BadSetting && error.message.startsWith(`${name} must be `),
        ),
      ),
    ));
});
