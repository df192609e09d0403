// The configurations of proxies.md, as a real nginx, Apache, Caddy and HAProxy take them, with the settings that a new site has.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe } from 'node:test';
import { certificateFor } from '#test/certificate.ts';
import { testEngine } from '#test/databases.ts';
import { freePort } from '#test/free-port.ts';
import { withProgram } from '#test/programs.ts';
import { over, upSoon } from '#test/proxied.ts';
import { aSite } from '#test/site.ts';
import { blocks, written } from './handbook.ts';

const page = written('proxies.md');

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-test-'));
chmodSync(folder, 0o755);
after(() => rmSync(folder, { recursive: true, force: true }));

type Front = 'nginx' | 'apache' | 'caddy' | 'haproxy';

interface Place {
  readonly folder: string;
  readonly upstream: number;
  readonly port: number;
}

describe('Each proxy of proxies.md', () => {
  const engine = testEngine('sqlite');
  const certificate = certificateFor('example.org');

  /** The document's own text, with other ports and another certificate. */
  const configurations: Readonly<Record<Front, (place: Place) => string>> = {
    nginx: ({ folder: at, upstream, port }) => `
      daemon off; master_process off; pid ${at}/nginx.pid; error_log ${at}/error.log; events {}
      http { client_body_temp_path ${at}/a; proxy_temp_path ${at}/b; fastcgi_temp_path ${at}/c; uwsgi_temp_path ${at}/d;
        scgi_temp_path ${at}/e; access_log off;
        ${(blocks('nginx', page)[0] ?? '')
          .replace('127.0.0.1:8080', `127.0.0.1:${upstream}`)
          .replace(/server \{\s*listen 80;[\s\S]*?\n\}/, '')
          .replace('listen 443 ssl;', `listen 127.0.0.1:${port} ssl;`)
          .replace('/etc/ssl/example.org.pem', `${at}/site.pem`)
          .replace('/etc/ssl/example.org.key', `${at}/site.key`)} }`,
    apache: (place) => apache(place, blocks('apache', page)[0] ?? ''),
    caddy: ({ folder: at, upstream, port }) => `
{
  admin off
  auto_https disable_redirects
}
${(blocks('text', page).find((block) => block.startsWith('example.org {')) ?? '')
  .replace('example.org {', `https://example.org:${port} {\n  bind 127.0.0.1\n  tls ${at}/site.pem ${at}/site.key`)
  .replace('127.0.0.1:8080', `127.0.0.1:${upstream}`)}`,
    haproxy: ({ folder: at, upstream, port }) => `
defaults
  timeout connect 5s
  timeout client 30s
${(blocks('haproxy', page)[0] ?? '')
  .replace('bind :443', `bind 127.0.0.1:${port}`)
  .replace('/etc/haproxy/example.org.pem', `${at}/both.pem`)
  .replace('127.0.0.1:8080', `127.0.0.1:${upstream}`)}`,
  };

  const modules = ['mpm_event', 'authz_core', 'ssl', 'socache_shmcb', 'headers', 'proxy', 'proxy_http'];
  const apache = ({ folder: at, upstream, port }: Place, text: string): string => `
ServerRoot ${at}
PidFile ${at}/apache.pid
ErrorLog ${at}/error.log
DefaultRuntimeDir ${at}
Listen 127.0.0.1:${port}
${modules.map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`).join('\n')}
${process.getuid?.() === 0 ? 'User www-data\nGroup www-data' : ''}
<VirtualHost *:${port}>
${text
  .replaceAll('127.0.0.1:8080', `127.0.0.1:${upstream}`)
  .replace('/etc/ssl/example.org.pem', `${at}/site.pem`)
  .replace('/etc/ssl/example.org.key', `${at}/site.key`)}
</VirtualHost>
`;

  const commands: Readonly<Record<Front, (file: string) => string[]>> = {
    nginx: (file) => ['-c', file],
    apache: (file) => ['-X', '-f', file],
    caddy: (file) => ['run', '--adapter', 'caddyfile', '--config', file],
    haproxy: (file) => ['-db', '-f', file],
  };

  async function serving(front: Front, program: string, configuration: (place: Place) => string) {
    const site = await aSite(engine, { env: { GATEHOUSE_URL: 'https://example.org' } });
    await site.user({ login: 'ada', roles: ['author'], password: 'a quiet river' });
    const place = { folder: mkdtempSync(join(folder, `${front}-`)), upstream: site.port, port: await freePort() };
    for (const [name, content] of [
      ['site.pem', certificate.cert],
      ['site.key', certificate.key],
      ['both.pem', `${certificate.cert}\n${certificate.key}`],
    ] as const)
      writeFileSync(join(place.folder, name), content, { mode: 0o600 });
    const file = join(place.folder, 'proxy.conf');
    writeFileSync(file, configuration(place));
    const env = { PATH: process.env.PATH, HOME: place.folder, XDG_DATA_HOME: place.folder };
    const proxy = spawn(program, commands[front](file), { stdio: 'ignore', env });
    engine.atEnd(async () => {
      const ended = once(proxy, 'exit');
      if (proxy.exitCode === null && proxy.kill('SIGTERM')) await ended;
    });
    await upSoon(place.port);
    const host = { host: 'example.org' };
    return {
      site,
      /** What a client gets that comes from this IP address of the machine. */
      read: async (localAddress: string, path = '/api/core/v2/posts') =>
        (await over(place.port, path, { localAddress, headers: host })).status,
      signIn: async (localAddress: string, log: string, pwd: string, more: Record<string, string> = {}) => {
        const form = String(new URLSearchParams({ log, pwd }));
        const headers = {
          ...host,
          'content-type': 'application/x-www-form-urlencoded',
          'content-length': form.length,
          ...more,
        };
        return (await over(place.port, '/login', { method: 'POST', localAddress, headers }, form)).status;
      },
    };
  }

  type Served = Awaited<ReturnType<typeof serving>>;

  const guess = async ({ signIn }: Served, from: string, more?: (time: number) => Record<string, string>) => {
    const statuses = [];
    for (let time = 0; time < 15; time += 1) statuses.push(await signIn(from, `guess${time}`, 'wrong', more?.(time)));
    return statuses;
  };

  /** An IP address of this machine that is not on the loopback interface. */
  const outside = Object.values(networkInterfaces())
    .flat()
    .find((one) => one?.family === 'IPv4' && !one.internal)?.address;

  async function locksOnlyTheGuesser(front: Front, program: string): Promise<void> {
    const served = await serving(front, program, configurations[front]);
    const { site, read, signIn } = served;
    assert.deepEqual(await guess(served, '127.0.0.5'), [...Array(4).fill(200), ...Array(11).fill(403)]);
    assert.deepEqual([await read('127.0.0.5'), await read('127.0.0.6')], [403, 200]);
    assert.equal(await signIn('127.0.0.6', 'ada', 'a quiet river'), 302);
    assert.equal(await read('127.0.0.6', '/metrics'), 404);
    if (outside !== undefined) {
      const claims = (time: number) => ({ 'x-forwarded-for': `203.0.113.${time}`, 'x-real-ip': `203.0.113.${time}` });
      const forged = await guess(served, outside, claims);
      assert.deepEqual(forged, [...Array(4).fill(200), ...Array(11).fill(403)], 'made-up hops change nothing');
      assert.deepEqual([await read(outside), await read('127.0.0.6')], [403, 200]);
    }
    assert.equal(site.app.services.clients.proxyAdvice, undefined);
  }

  /** Every visitor has the IP address of the proxy: a lockout stops signing in, and the proxy is not believed. */
  async function namesNobody(front: Front, program: string, configuration: (place: Place) => string): Promise<void> {
    const served = await serving(front, program, configuration);
    const { site, read, signIn } = served;
    const claims = (time: number) => ({ 'x-forwarded-for': `203.0.113.${time}` });
    await read('127.0.0.6');
    const statuses = await guess(served, '127.0.0.5', claims);
    assert.deepEqual(statuses.slice(-5), Array(5).fill(403));
    assert.equal(await signIn('127.0.0.6', 'ada', 'a quiet river'), 403);
    assert.deepEqual([await read('127.0.0.5'), await read('127.0.0.6'), await read('127.0.0.6', '/')], [200, 200, 200]);
    const { proxyAdvice } = site.app.services.clients;
    for (let time = 0; time < 20 && site.app.services.clients.proxyAdvice === undefined; time += 1)
      await read('127.0.0.6');
    assert.match(site.app.services.clients.proxyAdvice?.remedy ?? proxyAdvice?.remedy ?? '', /Add the line/);
  }

  withProgram('nginx', 'nginx: 15 wrong passwords lock out one client and no other', (path) =>
    locksOnlyTheGuesser('nginx', path),
  );
  withProgram('apache', 'Apache: 15 wrong passwords lock out one client and no other', (path) =>
    locksOnlyTheGuesser('apache', path),
  );
  withProgram('caddy', 'Caddy: 15 wrong passwords lock out one client and no other', (path) =>
    locksOnlyTheGuesser('caddy', path),
  );
  withProgram('haproxy', 'HAProxy: 15 wrong passwords lock out one client and no other', (path) =>
    locksOnlyTheGuesser('haproxy', path),
  );

  withProgram('nginx', 'nginx without X-Forwarded-For passes on what clients make up, and is not believed', (path) =>
    namesNobody('nginx', path, (place) =>
      configurations.nginx(place).replace(/proxy_set_header X-Forwarded-For.*/, ''),
    ),
  );
  withProgram(
    'haproxy',
    'HAProxy without "option forwardfor" passes on what clients make up, and is not believed',
    (path) => namesNobody('haproxy', path, (place) => configurations.haproxy(place).replace('option forwardfor', '')),
  );
  withProgram('apache', 'Apache without "ProxyPreserveHost" asks for localhost, and is not believed', (path) =>
    namesNobody('apache', path, (place) => configurations.apache(place).replace('ProxyPreserveHost On', '')),
  );
});
