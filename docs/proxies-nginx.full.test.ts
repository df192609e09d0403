// The configuration of nginx in proxies.md, and the one for several machines in storage.md, as a real nginx takes them.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { certificateFor } from '#test/certificate.ts';
import { testEngine } from '#test/databases.ts';
import { freePort } from '#test/free-port.ts';
import { withProgram } from '#test/programs.ts';
import { over, upSoon } from '#test/proxied.ts';
import { aSite, type TestSite } from '#test/site.ts';
import { readConfig } from '../src/config.ts';
import { blocks, written } from './handbook.ts';

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-test-'));
chmodSync(folder, 0o755);
after(() => rmSync(folder, { recursive: true, force: true }));

describe('nginx with the configuration of proxies.md', () => {
  const engine = testEngine('sqlite');
  const [whole = ''] = blocks('nginx', written('proxies.md'));
  const [several = ''] = blocks('nginx', written('storage.md'));

  /** The document's own text, with other ports and another certificate. */
  async function configured(upstream: number, plain: number, secure: number): Promise<string> {
    const place = mkdtempSync(join(folder, 'nginx-'));
    chmodSync(folder, 0o755);
    const [certificate, key] = [join(place, 'site.pem'), join(place, 'site.key')];
    const made = certificateFor('example.org');
    writeFileSync(certificate, made.cert);
    writeFileSync(key, made.key, { mode: 0o600 });
    const site = whole
      .replace('server 127.0.0.1:8080;', `server 127.0.0.1:${upstream};`)
      .replace('listen 80;', `listen 127.0.0.1:${plain};`)
      .replace('listen 443 ssl;', `listen 127.0.0.1:${secure} ssl;`)
      .replace('/etc/ssl/example.org.pem', certificate)
      .replace('/etc/ssl/example.org.key', key);
    for (const path of ['body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']) mkdirSync(join(place, path));
    const paths = `client_body_temp_path ${place}/body; proxy_temp_path ${place}/proxy; fastcgi_temp_path ${place}/fastcgi;
      uwsgi_temp_path ${place}/uwsgi; scgi_temp_path ${place}/scgi; access_log off;`;
    const file = join(place, 'nginx.conf');
    writeFileSync(
      file,
      `daemon off; master_process off; pid ${place}/nginx.pid; error_log ${place}/error.log;
       events {} http { ${paths} ${site} }`,
    );
    return file;
  }

  withProgram('nginx', 'is taken by nginx, with one machine or two behind it', async (nginx) => {
    const ports = [await freePort(), await freePort(), await freePort()] as const;
    const file = await configured(...ports);
    const tried = () => spawnSync(nginx, ['-t', '-c', file], { encoding: 'utf8' });
    const one = tried();
    assert.deepEqual([one.status, /\[(?:warn|emerg)\]/.test(one.stderr)], [0, false], one.stderr);
    const configuration = readFileSync(file, 'utf8').replace(/upstream gatehouse \{[\s\S]*?\}/, several);
    assert.match(configuration, /10\.0\.0\.12:8080/);
    writeFileSync(file, configuration);
    const two = tried();
    assert.equal(two.status, 0, two.stderr);
  });

  async function proxied(nginx: string): Promise<{ site: TestSite; plain: number; secure: number }> {
    const site = await aSite(engine, { env: { GATEHOUSE_URL: 'https://example.org' } });
    const [plain, secure] = [await freePort(), await freePort()];
    const proxy = spawn(nginx, ['-c', await configured(site.port, plain, secure)], { stdio: 'ignore' });
    engine.atEnd(async () => {
      const ended = once(proxy, 'exit');
      proxy.kill('SIGTERM');
      await ended;
    });
    await upSoon(secure);
    return { site, plain, secure };
  }

  withProgram(
    'nginx',
    'leads to the site: pages, the interface, refusals in its own form, and no figures',
    async (nginx) => {
      const { site, plain, secure } = await proxied(nginx);
      const before = await fetch(`http://127.0.0.1:${plain}/login?a=b`, { redirect: 'manual' });
      assert.deepEqual([before.status, before.headers.get('location')], [301, 'https://example.org/login?a=b']);
      assert.equal((await over(secure, '/api/')).status, 200);
      assert.equal((await over(secure, '/metrics')).status, 404);
      const large = Buffer.alloc(site.config.bodyLimit + 1, ' ');
      const posting = (headers: object) => ({ method: 'POST', headers });
      const json = (length: number) => posting({ 'content-type': 'application/json', 'content-length': length });
      const refused = await over(secure, '/api/hello/v1/greetings', json(large.length), large);
      assert.deepEqual([refused.status, JSON.parse(refused.body).data.status], [413, 413]);
      const tooMuch = await over(secure, '/api/core/v2/media', json(taken + 1));
      assert.deepEqual([tooMuch.status, JSON.parse(tooMuch.body).code], [413, 'rest_body_too_large']);
    },
  );

  /** What nginx lets through, in bytes. */
  const taken = Number(/client_max_body_size (\d+)m;/.exec(whole)?.[1]) * 2 ** 20;

  test('takes the largest upload, with what a form may hold besides, and not much more', () => {
    const { uploadLimit, bodyLimit } = readConfig({});
    assert.equal(taken, uploadLimit + bodyLimit);
  });

  withProgram('nginx', 'lets a file through that is larger than any other body may be', async (nginx) => {
    const { site, secure } = await proxied(nginx);
    const file = Buffer.alloc(site.config.bodyLimit + 1, ' ');
    file.write('%PDF-1.7\n');
    const headers = {
      ...(await site.credentials('author')),
      'content-type': 'application/pdf',
      'content-disposition': 'attachment; filename="plan.pdf"',
      'content-length': file.length,
    };
    const { status, body } = await over(secure, '/api/core/v2/media', { method: 'POST', headers }, file);
    assert.deepEqual([status, JSON.parse(body).slug], [201, 'plan'], body);
  });

  withProgram('nginx', 'tells the address of the client, whatever the client claims', async (nginx) => {
    const { site, secure } = await proxied(nginx);
    await site.user({ login: 'ada', roles: ['author'], password: 'a quiet river' });
    const login = new URLSearchParams({ log: 'ada', pwd: 'a quiet river' }).toString();
    const headers = {
      'content-type': 'application/x-www-form-urlencoded',
      host: 'example.org',
      'x-forwarded-for': '203.0.113.9',
      'content-length': login.length,
    };
    assert.equal((await over(secure, '/login', { method: 'POST', headers }, login)).status, 302);
    const session = await site.app.services.store.db.selectFrom('sessions').select('address').executeTakeFirst();
    assert.equal(session?.address, '127.0.0.1');
  });
});
