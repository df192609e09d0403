// The rules, as real servers take and keep them.
import assert from 'node:assert/strict';
import { after, describe } from 'node:test';
import fc from 'fast-check';
import { type Front, faultsOf, type ServingFront, serving } from '#test/fronts.ts';
import { withProgram } from '#test/programs.ts';
import { aRemote } from '#test/remote.ts';
import { badBots } from '../../bans/bad-bots.ts';
import { apacheParts } from './apache.ts';
import { framed } from './framed.ts';
import { baseOf, type Ruled } from './ruled.ts';
import { nginxParts } from './rules.ts';

const none: Ruled = {
  paths: { base: '', uploads: 'wp-content/uploads', plugins: 'wp-content/plugins', themes: 'wp-content/themes' },
  badBots: [],
  agents: [],
  hosts: [],
  protectsFiles: false,
  hidesListings: false,
  still: {},
  refusesLegacyRpc: false,
};

const all: Ruled = {
  ...none,
  badBots,
  agents: ['EvilBot'],
  hosts: ['127.0.0.9', '2001:db8::/32', '198.51.100.0/24', '203.0.113.*'],
  protectsFiles: true,
  hidesListings: true,
  still: { uploads_php: 'wp-content/uploads', plugins_php: 'wp-content/plugins', themes_php: 'wp-content/themes' },
  refusesLegacyRpc: true,
};

const textOf = (front: Front, ruled: Partial<Ruled>): string =>
  framed(front === 'nginx' ? nginxParts({ ...none, ...ruled }) : apacheParts({ ...none, ...ruled }));

const hostile = [
  'say "no"',
  "it's",
  'a\\',
  'a\\" { return 200; } #',
  'a"; } location / { return 200 "in"; } #',
  'a\n# END Gatehouse security suite\ndeny all;',
  'a\r\nRequire all denied',
  'a" [NC]\nRewriteRule ^ - [F]',
  '</Location></VirtualHost>',
  `$http_host \${HOSTNAME} %{HTTP_HOST} $1 %1`,
  '#{}();',
  '.*',
  '^$',
  '(?i)(?:x|y)+[a-z]{2,}\\d',
  'Müller/1.0 ☂ 🎸',
  '\u0000\u0001\u007f',
];

/** What may come as a header: neither control characters nor spaces around it, which no server keeps. */
const isSayable = (agent: string): boolean =>
  Array.from(agent).every((sign) => sign >= ' ' && sign !== '\x7f') && agent.trim() === agent && agent !== '';

async function refusesExactly(server: ServingFront, agents: readonly string[]): Promise<void> {
  for (const agent of agents.filter(isSayable)) {
    assert.equal(await server.status({ agent }), 403, agent);
    assert.equal(await server.status({ agent: `${agent} and more` }), 403, agent);
    assert.equal(await server.status({ agent: `Not ${agent}` }), 200, agent);
  }
}

function taken(front: Front, program: string): void {
  for (const base of ['', 'a/b', 'a b;"{}$\\']) {
    const paths = { ...all.paths, base };
    assert.equal(faultsOf(front, program, textOf(front, { ...all, paths, agents: hostile })), '');
  }
  assert.match(faultsOf(front, program, 'deny'), /^1: /, 'and what is wrong is seen');
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary', maxLength: 30 }), { maxLength: 40 }), (texts) => {
      assert.equal(faultsOf(front, program, textOf(front, { agents: texts, hosts: texts })), '');
    }),
    { numRuns: 15 },
  );
}

const notThese = ['/.env', '/.git/config', '/gatehouse.db', '/app.env.rules', '/xmlrpc', '/closed/a', '/listed/'];
const neitherThese = ['wp-content/uploads/2026/a.php', 'wp-content/plugins/x/A.PHP', 'wp-content/themes/t/a.js.map'];
const butThese = [
  '/here.txt',
  '/.well-known/acme',
  '/wp-content/uploads/2026/a.jpg',
  '/apphp',
  '/a.php',
  '/not-secret',
];
const files = [
  ...[...notThese, ...butThese].filter((path) => !path.endsWith('/')).map((path) => path.slice(1)),
  ...neitherThese,
  'listed/a',
];

async function keeps(server: ServingFront): Promise<void> {
  for (const path of [...notThese, ...neitherThese.map((file) => `/${file}`)])
    assert.equal(await server.status({ path }), 403, path);
  for (const path of butThese) assert.equal(await server.status({ path }), 200, path);
  assert.equal(await server.status({ from: '127.0.0.9' }), 403);
  assert.equal(await server.status({ from: '127.0.0.8' }), 200);
  for (const agent of ['evilbot/2.0', 'sqlmap/1.5', 'MOZILLA/5.0 (compatible; nmap scripting engine; x)'])
    assert.equal(await server.status({ agent }), 403, agent);
  for (const agent of ['Mozilla/5.0 (X11; Linux x86_64)', 'Not EvilBot', ''])
    assert.equal(await server.status({ agent }), 200, agent);
}

const proxied = {
  nginx: (url: string) => `location /site/ { proxy_pass ${url}; }`,
  apache: (url: string) => `ProxyPass /site/ ${url}/site/`,
};

/** The same where the server asks the site behind it. */
async function keepsForOthers(front: Front, program: string): Promise<void> {
  const site = await aRemote((_, response) => response.end('from the site'));
  after(() => site.close());
  const server = await serving(front, program, textOf(front, all), [], proxied[front](site.url));
  for (const path of ['/site/.env', '/site/a/.git/config']) assert.equal(await server.status({ path }), 403, path);
  for (const path of ['/site/', '/site/.well-known/a']) assert.equal(await server.status({ path }), 200, path);
  assert.equal(await server.status({ path: '/site/', from: '127.0.0.9' }), 403);
  assert.equal(await server.status({ path: '/site/', agent: 'EvilBot' }), 403);
}

/** The same where the site has an address that is written with percent signs. */
async function keepsBelow(front: Front, program: string): Promise<void> {
  const base = baseOf('https://site.test/%C3%BC%20$%7BHOME%7D*');
  const place = '/%C3%BC%20$%7BHOME%7D*';
  const not = ['xmlrpc', 'secret', 'wp-content/uploads/a.php'];
  const there = ['xmlrpc.txt', 'wp-content/uploads/a.jpg'];
  const files = [...not, ...there].map((file) => `${base}/${file}`);
  const paths = { ...all.paths, base };
  const server = await serving(front, program, textOf(front, { ...all, paths }), [...files, 'xmlrpc']);
  for (const file of not) assert.equal(await server.status({ path: `${place}/${file}` }), 403, file);
  for (const file of there) assert.equal(await server.status({ path: `${place}/${file}` }), 200, file);
  assert.equal(await server.status({ path: '/xmlrpc' }), 200);
}

for (const front of ['nginx', 'apache'] as const)
  describe(`The rules for ${front}`, () => {
    const withFront = (about: string, run: (program: string) => Promise<void>) =>
      front === 'nginx' ? withProgram('nginx', about, run) : withProgram('apache', about, run);

    withFront('are taken, whatever people typed', async (program) => taken(front, program));

    withFront('refuse whom and what they name, and nobody and nothing else', async (program) =>
      keeps(await serving(front, program, textOf(front, all), files)),
    );

    withFront('hold below a path that is written with percent signs', async (program) => keepsBelow(front, program));

    withFront('hold where the site behind is asked', async (program) => keepsForOthers(front, program));

    withFront('take what people typed by its letters', async (program) =>
      refusesExactly(await serving(front, program, textOf(front, { agents: hostile }), []), hostile),
    );

    withFront('leave to others what nobody set', async (program) => {
      const server = await serving(front, program, textOf(front, {}), ['.env', 'listed/a']);
      for (const path of ['/.env', '/listed/']) assert.equal(await server.status({ path }), 200, path);
    });
  });
