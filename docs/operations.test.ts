// What operations.md tells an operator to copy is what works: the unit, the proxy, the settings of two machines, the figures.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { isPicture, isSizable, mimeOf } from '#site/content/media/kinds.ts';
import { certificateFor } from '#test/certificate.ts';
import { testEngine } from '#test/databases.ts';
import { gatehouse, start } from '#test/gatehouse.ts';
import { needs } from '#test/needs.ts';
import { withProgram } from '#test/programs.ts';
import { aSite, type TestSite } from '#test/site.ts';
import { readConfig } from '../src/config.ts';

const root = join(import.meta.dirname, '..');
const operations = readFileSync(join(root, 'docs/operations.md'), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'gatehouse-test-'));
after(() => rmSync(folder, { recursive: true }));

/** The blocks of one language, without what indents them. */
const blocks = (language: string): string[] =>
  [...operations.matchAll(new RegExp(`^( *)\`\`\`${language}\\n([\\s\\S]*?)^\\1\`\`\``, 'gm'))].map(
    ([, indent = '', block = '']) => block.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  );

describe('the unit for systemd', () => {
  const unit = blocks('ini')[0] ?? '';
  const can = spawnSync('systemd-analyze', ['--version']).status === 0;

  needs(can, 'systemd-analyze', 'is taken by systemd, every line of it', async () => {
    const file = join(folder, 'gatehouse.service');
    writeFileSync(file, unit.replaceAll('/srv/gatehouse', root));
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', file], { encoding: 'utf8' });
    const aboutIt = stderr.split('\n').filter((line) => line.includes('gatehouse'));
    assert.deepEqual([status, aboutIt], [0, []], stderr);
  });

  test('gives a running request the time that the program gives it, and does not start again what is set wrongly', () => {
    assert.match(unit, /^RestartPreventExitStatus=2$/m);
    assert.ok(Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1]) > 35);
  });
});

describe('the command beside the unit', () => {
  const script = blocks('sh').find((block) => block.startsWith('#!/bin/sh')) ?? '';
  const unit = blocks('ini')[0] ?? '';
  const can = spawnSync('systemd-run', ['--version']).status === 0;

  test('is given what the unit gives the site', () => {
    const given = [...script.matchAll(/-p (\S+)/g)].map(([, property = '']) => property);
    const wanted = /^(User|WorkingDirectory|Environment|EnvironmentFile|UMask)=/;
    assert.deepEqual(
      given.toSorted(),
      unit
        .split('\n')
        .filter((line) => wanted.test(line))
        .toSorted(),
    );
    const [, program = ''] = /^ExecStart=(\S+) serve$/m.exec(unit) ?? [];
    assert.ok(script.endsWith(`  ${program} "$@"\n`), program);
  });

  test('hands on every word as it came', () => {
    const place = mkdtempSync(join(folder, 'systemd-'));
    writeFileSync(join(place, 'systemd-run'), '#!/bin/sh\nprintf "%s\\n" "$@"\n', { mode: 0o755 });
    const env = { ...process.env, PATH: `${place}:${process.env.PATH}` };
    const words = ['settings', 'set', 'site', 'title', 'Hill  side; $(School)', ''];
    const { stdout } = spawnSync('sh', ['-c', script, 'gatehouse', ...words], { env, encoding: 'utf8' });
    assert.deepEqual(stdout.split('\n').slice(-words.length - 1, -1), words);
  });

  needs(can, 'systemd-run', 'uses what systemd-run takes', async () => {
    const { stdout } = spawnSync('systemd-run', ['--help'], { encoding: 'utf8' });
    for (const [flag] of script.matchAll(/--[a-z]+(?:-[a-z]+)*/g)) assert.ok(stdout.includes(flag), flag);
  });
});

describe('the backups of the document', () => {
  const engine = testEngine('sqlite');

  test('are made every night with the settings of the site', () => {
    const lines = operations.split('\n').filter((line) => /^0 3 \* \* \* /.test(line));
    assert.equal(lines.length, 1);
    assert.match(lines[0] ?? '', /^0 3 \* \* \* root {2}\/usr\/local\/sbin\/gatehouse backup \S+/);
  });

  test('can be tried as it says, beside the site', async () => {
    const { data } = await engine.place();
    const archive = join(data, 'site.ghb');
    const aside = join(data, 'try');
    const ada = ['user', 'create', 'ada', '--email', 'ada@example.org', '--generate'];
    for (const args of [['migrate'], ada, ['backup', archive]])
      assert.equal((await gatehouse([...args, '--data', data])).code, 0, args.join(' '));
    const [block = ''] = blocks('sh').filter((one) => one.includes('/tmp/try'));
    const line = block
      .replace(/^sudo -u site /, '')
      .replace('/var/lib/gatehouse/secret', join(data, 'secret'))
      .replace('/srv/gatehouse/bin/gatehouse', `"${process.execPath}" "${join(root, 'src/main.ts')}"`)
      .replace(/\/backup\/\S+\.ghb/, archive)
      .replace('/tmp/try', aside);
    const { code, out, err } = await start('sh', ['-c', line]).ended;
    assert.equal(code, 0, err);
    assert.match(out, /^Restored /);
  });
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

describe('the proxy of the document', () => {
  const engine = testEngine('sqlite');
  const [whole = '', several = ''] = blocks('nginx');

  /** The document's own text, with other ports and another certificate. */
  async function written(upstream: number, plain: number, secure: number): Promise<string> {
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

  interface Told {
    readonly status: number | undefined;
    readonly headers: Record<string, unknown>;
    readonly body: string;
  }

  const over = (port: number, path: string, options: object = {}, body?: string | Buffer): Promise<Told> =>
    new Promise((resolve, reject) => {
      const host = { host: '127.0.0.1', port, path, servername: 'example.org', rejectUnauthorized: false };
      const asking = request({ ...host, ...options, agent: false }, async (response) => {
        resolve({ status: response.statusCode, headers: response.headers, body: await text(response) });
      });
      asking.on('error', reject).end(body);
    });

  async function upSoon(port: number): Promise<void> {
    for (let n = 0; n < 200; n += 1) {
      const { status } = await over(port, '/healthz').catch(() => ({ status: undefined }));
      if (status === 200) return;
      await pause(25);
    }
    assert.fail('nginx does not serve');
  }

  withProgram('nginx', 'is taken by nginx, with one machine or two behind it', async (nginx) => {
    const ports = [await freePort(), await freePort(), await freePort()] as const;
    const file = await written(...ports);
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
    const site = await aSite(engine, { env: { GATEHOUSE_TRUST_PROXY: '127.0.0.1' } });
    const [plain, secure] = [await freePort(), await freePort()];
    const proxy = spawn(nginx, ['-c', await written(site.port, plain, secure)], { stdio: 'ignore' });
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
      'x-forwarded-for': '203.0.113.9',
      'content-length': login.length,
    };
    assert.equal((await over(secure, '/login', { method: 'POST', headers }, login)).status, 302);
    const session = await site.app.services.store.db.selectFrom('sessions').select('address').executeTakeFirst();
    assert.equal(session?.address, '127.0.0.1');
  });
});

describe('the settings of two machines', () => {
  const machines = blocks('sh').filter((block) => block.startsWith('GATEHOUSE_HOST='));
  const [first = {}, second = {}] = machines.map((block) =>
    Object.fromEntries(
      block
        .trim()
        .split('\n')
        .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
    ),
  );

  test('differ in the address of the machine alone', () => {
    assert.equal(machines.length, 2);
    const { GATEHOUSE_HOST: one, ...rest } = first;
    const { GATEHOUSE_HOST: other, ...others } = second;
    assert.notEqual(one, other);
    assert.deepEqual(rest, others);
  });

  test('are settings that are taken', () => {
    for (const env of [first, second]) {
      const { host, media, database, smtp } = readConfig({ env: { ...env, GATEHOUSE_DEPLOYMENT: 'b' } });
      assert.equal(host, env.GATEHOUSE_HOST);
      assert.equal(media.kind, 's3');
      assert.ok(database && smtp);
    }
  });
});

test('the files that the document says are taken are', () => {
  const [, table = ''] = /\n\| Taken \| With these endings \|\n\|---\|---\|\n((?:\|.*\n)+)/.exec(operations) ?? [];
  const rows = table.trim().split('\n');
  const endings = rows.map((row) => [...row.matchAll(/`(\w+)`/g)].map(([, ending = '']) => ending));
  const kinds = endings.map((some) => some.map((ending) => mimeOf(`file.${ending}`)));
  assert.deepEqual([rows.length, kinds.flat().indexOf('application/octet-stream')], [4, -1]);
  assert.deepEqual(
    kinds.map((some) => [some.every(isSizable), some.every(isPicture), some.some(isPicture)]),
    [
      [true, true, true],
      [false, true, true],
      [false, false, false],
      [false, false, false],
    ],
  );
});

describe('the figures of the document', () => {
  const [, table = ''] = /\n\| Figure \| What \|\n\|---\|---\|\n((?:\|.*\n)+)/.exec(operations) ?? [];
  const told = [...table.matchAll(/^\| `(\w+)`/gm)].map(([, name]) => name ?? '');
  const [, alarms = ''] = /\n\| When \| Why \|\n\|---\|---\|\n((?:\|.*\n)+)/.exec(operations) ?? [];

  for (const name of ['sqlite', 'postgres'] as const) {
    const engine = testEngine(name);

    test(`are those that a site gives (${name})`, async () => {
      const site = await aSite(engine);
      await site.get('/api/');
      const text = await (await fetch(`http://127.0.0.1:${site.port}/metrics`)).text();
      const given = [...text.matchAll(/^# TYPE (\w+)/gm)].map(([, figure]) => figure ?? '');
      assert.deepEqual(
        given.filter((figure) => !told.includes(figure)),
        [],
        'told nowhere',
      );
      const ofOther = name === 'sqlite' ? /connections/ : /commits|size_bytes/;
      assert.deepEqual(
        told.filter((figure) => !given.includes(figure) && !ofOther.test(figure)),
        [],
        'given nowhere',
      );
    });
  }

  test('are those that the alarms ask for', () => {
    const asked = [...alarms.matchAll(/\b((?:gatehouse|nodejs|process)_\w+)/g)].map(([, name]) => name ?? '');
    assert.ok(asked.length > 5);
    for (const name of asked) assert.ok(told.includes(name), name);
  });
});
