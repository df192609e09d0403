import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { builtInSizes } from '#lib/image-sizes.ts';
import { usualAddresses } from '#lib/permalink.ts';
import { refusedConfig } from '#test/refused-config.ts';
import { checkRows } from '#test/rows.ts';
import { type Config, readConfig } from './config.ts';
import { configs } from './extensions/command-line.ts';

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-test-'));
after(() => rmSync(folder, { recursive: true }));

/** Each extension tests its own. */
const ofExtensions = new Set(
  configs.flatMap(({ settings, toOperator }) =>
    Object.keys(toOperator(Object.fromEntries(Object.keys(settings).map((name) => [name, undefined])))),
  ),
);

test('without anything given, every setting of the site has its default', () => {
  const { deployment, data, ...rest } = Object.fromEntries(
    Object.entries(readConfig({})).filter(([name]) => !ofExtensions.has(name)),
  ) as unknown as Config;
  assert.equal(deployment.name, 'b');
  assert.equal(data, join(process.cwd(), 'data'));
  assert.deepEqual(rest, {
    port: 8080,
    host: '127.0.0.1',
    url: 'http://localhost:8080',
    database: undefined,
    secret: undefined,
    media: { kind: 'folder', path: join(process.cwd(), 'data/media') },
    mediaKeys: undefined,
    smtp: undefined,
    mailFrom: undefined,
    fetchAllowHosts: [],
    trustProxy: ['loopback'],
    metricsToken: undefined,
    log: { level: 'info', access: false },
    hsts: 'on',
    apiPrefix: 'api',
    apiFaces: 'both',
    admin: { login: 'admin', password: undefined, email: undefined },
    avatars: true,
    avatarBase: 'https://secure.gravatar.com/avatar',
    allowInsecureCredentials: false,
    basicForeign: 'refuse',
    bodyLimit: 8 * 1024 * 1024,
    uploadLimit: 64 * 1024 * 1024,
    uploadsPath: 'wp-content/uploads',
    imageSizes: builtInSizes,
    addresses: usualAddresses,
    trashDays: 30,
    revisions: Number.POSITIVE_INFINITY,
    fileMods: true,
    catalogue: undefined,
    catalogueKey: undefined,
  });
});

test('the configuration cannot be changed afterwards, however deep', () => {
  const config = readConfig({});
  assert.throws(() => Object.assign(config, { port: 1 }), TypeError);
  assert.throws(() => Object.assign(config.deployment.settings, { title: 'x' }), TypeError);
  assert.throws(() => (config.deployment.roles.editor!.capabilities as string[]).push('x'), TypeError);
});

test('a flag beats the environment, which beats the deployment file, which beats the default', () => {
  const file = join(folder, 'own.json');
  const roles = { administrator: { label: 'Administrator', capabilities: ['read'] } };
  writeFileSync(file, JSON.stringify({ namespaces: [], roles, server: { port: 3001, api_prefix: 'rest' } }));
  const read = (flags: Record<string, string>, env: Record<string, string>): number =>
    readConfig({ flags: { deployment: file, ...flags }, env }).port;
  assert.equal(read({ port: '3003' }, { GATEHOUSE_PORT: '3002' }), 3003);
  assert.equal(read({}, { GATEHOUSE_PORT: '3002' }), 3002);
  assert.equal(read({}, {}), 3001);
  assert.equal(readConfig({ flags: { deployment: file } }).apiPrefix, 'rest');
  assert.equal(readConfig({ flags: { deployment: file } }).apiFaces, 'both');
});

test('a mistake in the deployment file is told also where a flag hides it', () => {
  const file = join(folder, 'hidden.json');
  const roles = { administrator: { label: 'Administrator', capabilities: ['read'] } };
  writeFileSync(file, JSON.stringify({ namespaces: [], roles, server: { port: 'eighty' } }));
  const sentence = refusedConfig({ flags: { deployment: file, port: '3003' }, env: { GATEHOUSE_PORT: '3002' } });
  assert.match(sentence, /hidden\.json: server\.port must be a whole number .*, not "eighty"\.$/);
});

test('an empty variable counts as not set', () => {
  assert.equal(readConfig({ env: { GATEHOUSE_PORT: '', GATEHOUSE_URL: '' } }).url, 'http://localhost:8080');
});

const secret = 'a secret of thirty-two characters';

const taken: readonly [string, string, (config: Config) => unknown, unknown][] = [
  ['GATEHOUSE_PORT', '0', ({ port }) => port, 0],
  ['GATEHOUSE_PORT', '65535', ({ port }) => port, 65_535],
  ['GATEHOUSE_HOST', '::1', ({ host }) => host, '::1'],
  ['GATEHOUSE_HOST', '[::]', ({ host }) => host, '::'],
  ['GATEHOUSE_HOST', 'site.internal', ({ host }) => host, 'site.internal'],
  ['GATEHOUSE_DATA', '/srv/site', ({ data }) => data, '/srv/site'],
  ['GATEHOUSE_URL', 'https://example.org/', ({ url }) => url, 'https://example.org'],
  ['GATEHOUSE_URL', 'https://Example.org:443/site//', ({ url }) => url, 'https://example.org/site'],
  ['GATEHOUSE_URL', 'http://[::1]:3000', ({ url }) => url, 'http://[::1]:3000'],
  ['GATEHOUSE_SECRET', secret, (config) => config.secret, secret],
  ['GATEHOUSE_TRUST_PROXY', '10.0.0.5, fd00::/8 192.168.0.0/16', ({ trustProxy }) => trustProxy.length, 3],
  ['GATEHOUSE_TRUST_PROXY', 'none', ({ trustProxy }) => trustProxy, []],
  ['GATEHOUSE_TRUST_PROXY', 'Loopback, 10.0.0.5', ({ trustProxy }) => trustProxy, ['loopback', '10.0.0.5']],
  ['GATEHOUSE_METRICS_TOKEN', '0123456789abcdef', ({ metricsToken }) => metricsToken, '0123456789abcdef'],
  ['GATEHOUSE_LOG', 'debug+access', ({ log }) => log, { level: 'debug', access: true }],
  ['GATEHOUSE_LOG', '+access', ({ log }) => log, { level: 'info', access: true }],
  ['GATEHOUSE_API_PREFIX', '/site/rest/', ({ apiPrefix }) => apiPrefix, 'site/rest'],
  ['GATEHOUSE_API_FACES', 'classic', ({ apiFaces }) => apiFaces, 'classic'],
  ['GATEHOUSE_ADMIN_USER', 'anna', ({ admin }) => admin.login, 'anna'],
  ['GATEHOUSE_ADMIN_PASSWORD', '\\', ({ admin }) => admin.password, '\\'],
  ['GATEHOUSE_ADMIN_EMAIL', 'anna@example.org', ({ admin }) => admin.email, 'anna@example.org'],
  ['GATEHOUSE_MAIL_FROM', 'site@[127.0.0.1]', ({ mailFrom }) => mailFrom, 'site@[127.0.0.1]'],
  ['GATEHOUSE_AVATARS', 'OFF', ({ avatars }) => avatars, false],
  ['GATEHOUSE_AVATAR_BASE', 'https://pictures.example/', ({ avatarBase }) => avatarBase, 'https://pictures.example'],
  ['GATEHOUSE_ALLOW_INSECURE_CREDENTIALS', '1', (config) => config.allowInsecureCredentials, true],
  ['GATEHOUSE_BASIC_FOREIGN', 'ignore', ({ basicForeign }) => basicForeign, 'ignore'],
  ['GATEHOUSE_BODY_LIMIT', '65536', ({ bodyLimit }) => bodyLimit, 65_536],
  ['GATEHOUSE_BODY_LIMIT', '512k', ({ bodyLimit }) => bodyLimit, 524_288],
  ['GATEHOUSE_BODY_LIMIT', '1 GiB', ({ bodyLimit }) => bodyLimit, 1_073_741_824],
  ['GATEHOUSE_UPLOAD_LIMIT', '500 MiB', ({ uploadLimit }) => uploadLimit, 524_288_000],
  [
    'GATEHOUSE_IMAGE_SIZES',
    'large=off,card=9x8-crop',
    ({ imageSizes }) => imageSizes.map(({ label }) => label).join(),
    'medium,thumbnail,medium_large,1536x1536,2048x2048,card',
  ],
  ['GATEHOUSE_UPLOADS_PATH', '/files/', ({ uploadsPath }) => uploadsPath, 'files'],
  ['GATEHOUSE_PERMALINK', '/n/%post_id%/', ({ addresses }) => addresses.post, '/n/%post_id%/'],
  ['GATEHOUSE_CATEGORY_BASE', '/themes/', ({ addresses }) => addresses.category, 'themes'],
  ['GATEHOUSE_TAG_BASE', 'words', ({ addresses }) => addresses.tag, 'words'],
  ['GATEHOUSE_AUTHOR_BASE', 'people', ({ addresses }) => addresses.author, 'people'],
  ['GATEHOUSE_TYPE_BASE', 'kinds/of', ({ addresses }) => addresses.format, 'kinds/of'],
  ['GATEHOUSE_TRASH_DAYS', '0', ({ trashDays }) => trashDays, 0],
  ['GATEHOUSE_REVISIONS', '25', ({ revisions }) => revisions, 25],
  ['GATEHOUSE_REVISIONS', '0', ({ revisions }) => revisions, 0],
];

describe('a good value is taken', () => {
  test('whatever its kind', () =>
    checkRows(taken, ([name, value, found, expected]) =>
      assert.deepEqual(found(readConfig({ env: { [name]: value } })), expected),
    ));
});

const refused: readonly [string, readonly string[]][] = [
  ['GATEHOUSE_IMAGE_SIZES', ['card', 'full=9x9', 'card=0x0', 'card=9x9,card=8x8', 'card=99999x1', 'A=9x9']],
  ['GATEHOUSE_PORT', ['x', '-1', '65536', '80.5', '8e3', ' 80', '0x50']],
  ['GATEHOUSE_TRASH_DAYS', ['-1', '3651', '1.5', 'x']],
  ['GATEHOUSE_REVISIONS', ['-1', '1.5', 'many', '1000001']],
  ['GATEHOUSE_PERMALINK', ['/', '/%year%/', '/%author%/%postname%/', '/api/%postname%/', '/wp-json/%post_id%']],
  ['GATEHOUSE_TAG_BASE', ['/', '..', 'a b', 'wp-json']],
  ['GATEHOUSE_UPLOADS_PATH', ['/', '..', 'a/../b', 'a//b', 'a b', 'wp-json/files']],
  ['GATEHOUSE_HOST', ['http://x', 'a b', '999.1.1.1', '-x', 'x/y', '1.2.3']],
  ['GATEHOUSE_DATA', ['a\0b']],
  [
    'GATEHOUSE_URL',
    [
      'example.org',
      'ftp://x',
      'https://x?',
      'https://x/#',
      'https://me:pw@x',
      'javascript:1',
      'https:x',
      'https://x /y',
    ],
  ],
  ['GATEHOUSE_DATABASE', ['mysql://x', 'postgres', 'postgres:x']],
  ['GATEHOUSE_SECRET', ['short']],
  [
    'GATEHOUSE_TRUST_PROXY',
    [
      'x',
      'none, loopback',
      'localhost',
      '10.0.0.0/33',
      '10.0.0.0/',
      '0x7f.1',
      '1',
      '0.0.0.0/0',
      '::/0',
      'fe80::1%eth0',
      '1.2.3.4/8/8',
    ],
  ],
  [
    'GATEHOUSE_MAIL_FROM',
    ['site', 'site:x@example.org', 'Site <site@example.org>', 'a@b.test, c@d.test', 'site@example.'],
  ],
  ['GATEHOUSE_METRICS_TOKEN', ['short', 'has a space in the middle']],
  ['GATEHOUSE_LOG', ['loud', 'info+', 'info+access+', '+', 'INFO']],
  [
    'GATEHOUSE_API_PREFIX',
    ['/', 'a//b', 'a b', '..', 'a/../b', 'wp-json', 'WP-JSON/x', 'metrics', 'Login', 'account/x', 'é', 'a?b'],
  ],
  ['GATEHOUSE_API_FACES', ['all', 'Both']],
  ['GATEHOUSE_AVATARS', ['yes', '2']],
  ['GATEHOUSE_AVATAR_BASE', ['gravatar', 'ftp://x']],
  ['GATEHOUSE_ALLOW_INSECURE_CREDENTIALS', ['maybe']],
  ['GATEHOUSE_BASIC_FOREIGN', ['take', 'Ignore']],
  ['GATEHOUSE_BODY_LIMIT', ['0', '1', '2 GiB', 'much', '-5', '1.5m', '99999999999999']],
  ['GATEHOUSE_DEPLOYMENT', ['/nowhere/x.json']],
];

describe('a bad value is refused in one sentence that names it', () => {
  test('whatever is wrong with it', () =>
    checkRows(refused, ([name, values]) =>
      checkRows(values, (value) => {
        const message = refusedConfig({ env: { [name]: value } });
        assert.match(message, name === 'GATEHOUSE_DEPLOYMENT' ? /nowhere/ : new RegExp(`^${name} must be .*\\.$`));
        assert.ok(!message.includes('\n'));
      }),
    ));

  test('on the command line it is named as the flag', () => {
    assert.equal(
      refusedConfig({ flags: { port: 'x' } }),
      '--port must be a whole number from 0 (any free port) to 65535, not "x".',
    );
  });

  test('what is confidential is never repeated', () => {
    const env = { GATEHOUSE_SECRET: 'hunter2', GATEHOUSE_METRICS_TOKEN: 'hunter2' };
    assert.ok(!refusedConfig({ env: { GATEHOUSE_SECRET: env.GATEHOUSE_SECRET } }).includes('hunter2'));
    assert.ok(!refusedConfig({ env: { GATEHOUSE_METRICS_TOKEN: env.GATEHOUSE_METRICS_TOKEN } }).includes('hunter2'));
    assert.ok(!refusedConfig({ env: { GATEHOUSE_DATABASE: 'mysql://me:hunter2@x' } }).includes('hunter2'));
  });
});

test('PostgreSQL needs a secret of the operator, because several machines share it', () => {
  const database = 'postgres://site:pw@db.internal:5432/site';
  assert.match(refusedConfig({ flags: { database } }), /^GATEHOUSE_SECRET must be set/);
  assert.equal(readConfig({ flags: { database }, env: { GATEHOUSE_SECRET: secret } }).database, database);
});

test('reading the configuration makes nothing', () => {
  const data = join(folder, 'not-made');
  readConfig({ flags: { data } });
  assert.equal(existsSync(data), false);
});

test('a mail server is never repeated to whoever reads the refusal: it holds a password', () => {
  const message = refusedConfig({ env: { GATEHOUSE_SMTP: 'http://me:opensesame@host' } });
  assert.match(message, /^GATEHOUSE_SMTP must be a URL such as smtp:/);
  assert.equal(message.includes('opensesame'), false);
});

test('hosts that may be asked are named with their ports', () => {
  const read = (text: string) => readConfig({ env: { GATEHOUSE_FETCH_ALLOW_HOSTS: text } }).fetchAllowHosts;
  assert.deepEqual(read('CDN.internal:8080, [::1]:99'), ['cdn.internal:8080', '[::1]:99']);
  for (const text of ['cdn.internal', 'http://a:1', 'a:0', 'a:65536', 'a b:1', '1.2.3.4.5:80', '[::1::]:80']) {
    assert.match(
      refusedConfig({ env: { GATEHOUSE_FETCH_ALLOW_HOSTS: text } }),
      /^GATEHOUSE_FETCH_ALLOW_HOSTS must be a list of hosts/,
    );
  }
});
