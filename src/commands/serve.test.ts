import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import { ask } from '#test/ask.ts';
import { callGatehouse, gatehouse, type Running, type RunningHere, startGatehouse } from '#test/gatehouse.ts';

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-test-'));
const running = new Set<RunningHere>();
after(async () => {
  for (const { stop } of running) stop();
  await Promise.all([...running].map(({ ended }) => ended));
  rmSync(folder, { recursive: true });
});

const fresh = (): string => join(mkdtempSync(join(folder, 'site-')), 'data');

const announced = async ({ until }: Pick<Running, 'until'>) => {
  const said = await until(/Deployment .*\n/);
  return { said, port: Number(/Listening\s+127\.0\.0\.1:(\d+)/.exec(said)?.[1]) };
};

/** In this process. */
async function serving(data: string, env = {}) {
  const site = callGatehouse(['serve', '--port', '0', '--data', data], { env });
  running.add(site);
  return { ...site, ...(await announced(site)) };
}

test('serve says where the site is, what it keeps where and which site it is, and answers there', async () => {
  const data = fresh();
  const site = startGatehouse(['serve', '--port', '0', '--data', data]);
  after(() => site.child.kill('SIGKILL'));
  const { port, said } = await announced(site);
  assert.ok(said.includes(`http://localhost:${port}/api/\n`));
  assert.ok(said.includes(`http://localhost:${port}/wp-json/\n`));
  assert.ok(said.includes(data));
  assert.match(said, /Deployment\s+b \(.*b\.json\)/);
  assert.doesNotMatch(said, /Not yet/);
  const answer = await fetch(`http://127.0.0.1:${port}/api/`);
  assert.equal(answer.status, 200);
  assert.equal(((await answer.json()) as { url: string }).url, `http://localhost:${port}`);
  site.child.kill('SIGTERM');
  assert.equal((await site.ended).code, 0);
});

test('a start says where people sign in while that is hidden, and that nothing defends the site while that is off', async () => {
  const data = fresh();
  const first = await serving(data);
  assert.match(first.said, /Sign in\s+http:\/\/localhost:\d+\/login/);
  assert.doesNotMatch(first.said, /Undefended/);
  const { out } = await gatehouse(['app-password', 'create', 'admin', '--name', 'test', '--data', data]);
  const hidden = await fetch(`http://127.0.0.1:${first.port}/api/secsuite/v1/settings/hide-backend`, {
    method: 'PATCH',
    headers: {
      authorization: `Basic ${Buffer.from(`admin:${out.trim()}`).toString('base64')}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ enabled: true, slug: 'side-door' }),
  });
  assert.equal(hidden.status, 200);
  first.stop();
  await first.ended;
  const second = await serving(data);
  assert.match(second.said, /Sign in\s+http:\/\/localhost:\d+\/side-door/);
  const third = await serving(fresh(), { GATEHOUSE_SECURITY_SUITE: 'off' });
  assert.match(third.said, /Undefended\s+the security suite is turned off \(GATEHOUSE_SECURITY_SUITE\)/);
});

test('a misspelt setting is told of at the start, with what was probably meant', async () => {
  const { stop, ended } = await serving(fresh(), { GATEHOUSE_PROT: '1', GATEHOUSE_LOGG: 'info' });
  stop();
  const lines = (await ended).err.split('\n');
  assert.equal(lines[0], 'GATEHOUSE_PROT is not a setting and has no effect. Did you mean GATEHOUSE_PORT?');
  assert.equal(lines[1], 'GATEHOUSE_LOGG is not a setting and has no effect. Did you mean GATEHOUSE_LOG?');
});

test('until it serves it speaks plainly, afterwards every line on standard error is JSON', async () => {
  const { stop, ended } = await serving(fresh());
  stop();
  const { err } = await ended;
  const [first, ...others] = err.trimEnd().split('\n');
  assert.equal(first, 'Created the database.');
  assert.deepEqual(
    others.map((line) => JSON.parse(line).msg),
    ['Stopping (SIGINT): requests that are running have 30 seconds to finish.'],
  );
});

test('lines for requests come at every level, and name no query', async () => {
  const { port, stop, ended } = await serving(fresh(), { GATEHOUSE_LOG: 'error+access' });
  await fetch(`http://127.0.0.1:${port}/api/?password=secret`);
  stop();
  const { err } = await ended;
  const lines = err.split('\n').filter((line) => line.startsWith('{'));
  const { method, path, status } = JSON.parse(lines[0] ?? '{}');
  assert.deepEqual([method, path, status, lines.length], ['GET', '/api/', 200, 1]);
});

test('a start says that no proxy is trusted, and doctor what a serving site saw of one', async () => {
  const data = fresh();
  const env = { GATEHOUSE_URL: 'https://example.org' };
  const { said, port, stop, ended } = await serving(data, { ...env, GATEHOUSE_TRUST_PROXY: 'none' });
  assert.match(said, /Warning\s+no proxy is trusted, .* \(unset GATEHOUSE_TRUST_PROXY, or /);
  const doctor = () => gatehouse(['doctor', '--port', String(port), '--data', data], env);
  assert.doesNotMatch((await doctor()).out, /share one IP address/);
  const headers = { host: 'example.org', 'x-forwarded-for': '203.0.113.9' };
  for (let time = 0; time < 20; time += 1) await ask(port, { method: 'GET', path: '/api/', headers });
  const { code, out } = await doctor();
  assert.equal(code, 0, out);
  assert.match(out, /^warning {2}Proxy .* 127\.0\.0\.1 is not a trusted proxy, so all visitors share one IP address/m);
  assert.match(out, /^ +→ If 127\.0\.0\.1 is your proxy, set GATEHOUSE_TRUST_PROXY=loopback and restart Gatehouse\.$/m);
  stop();
  await ended;
});

test('only the faces that are served are announced', async () => {
  const { said, stop, ended } = await serving(fresh(), { GATEHOUSE_API_FACES: 'classic' });
  assert.match(said, /\/wp-json\/\n/);
  assert.doesNotMatch(said, /\/api\/\n/);
  stop();
  await ended;
});

test('a wish to stop lets a running request finish, and takes no new one', async () => {
  const { port, stop, ended, until } = await serving(fresh());
  const body = JSON.stringify({ requests: [] });
  const socket = connect(port, '127.0.0.1');
  let answer = '';
  socket.on('data', (chunk) => {
    answer += chunk;
  });
  const head = [
    'POST /api/batch/v1 HTTP/1.1',
    'Host: x',
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n${body.slice(0, 5)}`);
  await fetch(`http://127.0.0.1:${port}/healthz`);
  stop();
  await until(/Stopping \(SIGINT\)/);
  await assert.rejects(fetch(`http://127.0.0.1:${port}/healthz`));
  socket.write(body.slice(5));
  await once(socket, 'close');
  assert.match(answer, /^HTTP\/1\.1 207 /);
  assert.equal((await ended).code, 0);
});

test('a port in use is one sentence, and nothing is made', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  const data = fresh();
  const { code, err } = await gatehouse(['serve', '--port', String(port), '--data', data]);
  other.close();
  assert.equal(code, 1);
  assert.match(err, new RegExp(`^Port ${port} on 127\\.0\\.0\\.1 is in use by another program; .*\\.\n$`));
  assert.equal(existsSync(data), false);
});

test('a port where a Gatehouse serves already is said to be that', async () => {
  const { port, stop, ended } = await serving(fresh());
  const { code, err } = await gatehouse(['serve', '--port', String(port), '--data', fresh()]);
  assert.equal(code, 1);
  assert.match(
    err,
    new RegExp(`^Gatehouse is running on port ${port} of 127\\.0\\.0\\.1 already; stop it, or .*\\.\n$`),
  );
  stop();
  await ended;
});

test('an address of another machine is one sentence', async () => {
  const { code, err } = await gatehouse(['serve', '--host', '192.0.2.1', '--data', fresh()]);
  assert.equal(code, 1);
  assert.match(err, /^This machine does not have the IP address 192\.0\.2\.1; .*\.\n$/);
});

test('a host that does not exist is a wrong setting', async () => {
  const { code, err } = await gatehouse(['serve', '--host', 'nope.invalid', '--data', fresh()]);
  // Without a name server that answers, nobody can tell that it does not exist.
  const expected = err.includes('cannot be looked up now') ? 1 : 2;
  assert.equal(code, expected);
  assert.match(
    err,
    /^(The host name nope\.invalid does not exist|The name nope\.invalid cannot be looked up now); .*\.\n$/,
  );
});

test('a file that is no database is one sentence, and stays as it is', async () => {
  const data = fresh();
  mkdirSync(data, { mode: 0o700 });
  const file = join(data, 'gatehouse.db');
  const content = 'my shopping list\n'.repeat(500);
  writeFileSync(file, content, { mode: 0o600 });
  const { code, err } = await gatehouse(['serve', '--port', '0', '--data', data]);
  assert.equal(code, 1);
  assert.match(err, /^[^\n]*gatehouse\.db[^\n]*\.\n$/);
  assert.equal(readFileSync(file, 'utf8'), content);
});

test('a database that cannot be reached is one sentence without its password', async () => {
  const closed = createServer().listen(0, '127.0.0.1');
  await once(closed, 'listening');
  const { port } = closed.address() as AddressInfo;
  closed.close();
  const database = `postgres://site:hunter2@127.0.0.1:${port}/site`;
  const args = ['serve', '--port', '0', '--data', fresh(), '--database', database];
  const { code, err } = await gatehouse(args, { GATEHOUSE_SECRET: 'x'.repeat(32) });
  assert.equal(code, 1);
  assert.match(err, /^[^\n]+\.\n$/);
  assert.ok(!err.includes('hunter2'));
});

test('a start says that the clock of the machine went back', async () => {
  const data = fresh();
  const first = await serving(data);
  assert.doesNotMatch(first.said, /Clock/);
  first.stop();
  await first.ended;
  const database = new DatabaseSync(join(data, 'gatehouse.db'));
  database.exec("INSERT OR REPLACE INTO health_marks (name, at) VALUES ('time', '2099-01-01T12:00:00.000Z')");
  database.close();
  const { said, stop } = await serving(data);
  assert.match(said, /Clock\s+the clock says .* UTC, but this site was in use at 2099-01-01 12:00 UTC; .*timedatectl/);
  stop();
});
