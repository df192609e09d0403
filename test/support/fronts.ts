// A real server in front of the site, with the rules that a test wants it to keep: what it says of them, and what it answers.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from './free-port.ts';

export type Front = 'nginx' | 'apache';

/** Who asks, and for what. */
interface Asked {
  readonly path?: string;
  readonly agent?: string;
  readonly from?: string;
}

export interface ServingFront {
  status(asked: Asked): Promise<number | undefined>;
}

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-front-'));
chmodSync(folder, 0o755);
after(() => rmSync(folder, { recursive: true, force: true }));

/** What is wrong with these rules; empty when the server takes them without a word. */
export function faultsOf(front: Front, program: string, rules: string): string {
  const place = mkdtempSync(join(folder, `${front}-`));
  const args = [...{ nginx: ['-t', '-q', '-c'], apache: ['-t', '-f'] }[front], written(front, place, rules, 8080, '')];
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  const said = `${stdout}${stderr}`.replace('Syntax OK', '').trim();
  rmSync(place, { recursive: true });
  return status === 0 ? said : `${status}: ${said}`;
}

/** Serves these files, by path, all but those in `closed`; `more` stands beside the rules. */
export async function serving(
  front: Front,
  program: string,
  rules: string,
  files: readonly string[],
  more = '',
): Promise<ServingFront> {
  const port = await freePort();
  const place = mkdtempSync(join(folder, `${front}-`));
  const file = written(front, place, rules, port, more);
  for (const path of ['here.txt', ...files]) {
    mkdirSync(dirname(join(place, 'root', path)), { recursive: true });
    writeFileSync(join(place, 'root', path), 'served');
  }
  const server = spawn(program, front === 'nginx' ? ['-c', file] : ['-X', '-f', file], { stdio: 'ignore' });
  after(async () => {
    const ended = once(server, 'exit');
    if (server.exitCode === null && server.kill('SIGTERM')) await ended;
  });
  const status = ({ path = '/here.txt', agent = 'A browser', from = '127.0.0.1' }: Asked) =>
    asked(port, path, agent, from);
  for (let n = 0; n < 4_000; n += 1) {
    const first = await status({ agent: 'first' }).catch(() => undefined);
    if (first !== undefined) return { status };
    await pause(25);
  }
  throw new Error(`${front} does not serve`);
}

const asked = (port: number, path: string, agent: string, localAddress: string): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const headers = { 'User-Agent': Buffer.from(agent).toString('latin1') };
    request({ host: '127.0.0.1', port, path, headers, localAddress, agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .on('error', reject)
      .end();
  });

function written(front: Front, place: string, rules: string, port: number, more: string): string {
  for (const path of ['root', 'body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']) mkdirSync(join(place, path));
  for (const path of ['', 'root']) chmodSync(join(place, path), 0o755);
  const included = join(place, 'rules.conf');
  writeFileSync(included, rules);
  const file = join(place, 'server.conf');
  writeFileSync(file, { nginx: nginxFile, apache: apacheFile }[front](place, included, port, more));
  return file;
}

const nginxFile = (place: string, included: string, port: number, more: string): string => `
daemon off; master_process off; pid ${place}/nginx.pid; error_log ${place}/error.log;
events {}
http {
  client_body_temp_path ${place}/body; proxy_temp_path ${place}/proxy; fastcgi_temp_path ${place}/fastcgi;
  uwsgi_temp_path ${place}/uwsgi; scgi_temp_path ${place}/scgi; access_log off;
  autoindex on; large_client_header_buffers 4 16k;
  server { listen 127.0.0.1:${port}; root ${place}/root; location /closed/ { deny all; }
    include ${included}; ${more} }
}`;

const modules = ['mpm_event', 'authz_core', 'authz_host', 'rewrite', 'dir', 'autoindex', 'mime', 'proxy', 'proxy_http'];
const places = ['/usr/lib/apache2/modules', '/usr/lib/httpd/modules', '/opt/homebrew/lib/httpd/modules'];
const shelf = places.find((place) => existsSync(place)) ?? '';

const apacheFile = (place: string, included: string, port: number, more: string): string => `
ServerRoot ${place}
ServerName site.test
PidFile ${place}/apache.pid
ErrorLog ${place}/error.log
DefaultRuntimeDir ${place}
Listen 127.0.0.1:${port}
${modules.map((name) => `LoadModule ${name}_module ${shelf}/mod_${name}.so`).join('\n')}
TypesConfig /dev/null
${process.getuid?.() === 0 ? 'User www-data\nGroup www-data' : ''}
<VirtualHost *:${port}>
  DocumentRoot ${place}/root
  <Directory ${place}/root>
    Options +Indexes
    Require all granted
  </Directory>
  <Directory ${place}/root/closed>
    Require all denied
  </Directory>
  Include ${included}
  ${more}
</VirtualHost>
`;
