import assert from 'node:assert/strict';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import { callGatehouse, gatehouse, spawned } from '#test/gatehouse.ts';
import type { Finding } from './findings.ts';

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-test-'));
after(() => rmSync(folder, { recursive: true }));

const fresh = (): string => join(mkdtempSync(join(folder, 'site-')), 'data');

async function doctor(
  args: readonly string[],
  env = {},
): Promise<{ code: number | null; found: Map<string, Finding> }> {
  const { code, out } = await gatehouse(
    ['doctor', '--json', ...(args.includes('--port') ? [] : ['--port', '0']), ...args],
    env,
  );
  const { findings } = JSON.parse(out) as { findings: Finding[] };
  return { code, found: new Map(findings.map((finding) => [finding.what, finding])) };
}

async function addAnna(data: string): Promise<void> {
  await gatehouse(['migrate', '--data', data]);
  await gatehouse(['user', 'create', 'anna', '--email', 'anna@site.test', '--generate', '--data', data]);
}

test('before the first start nothing is wrong, and looking makes nothing', async () => {
  const data = fresh();
  const { code, out } = await spawned(['doctor', '--json', '--port', '0', '--data', data]);
  const { found } = await doctor(['--data', data]);
  assert.deepEqual([code, JSON.parse(out).findings], [0, [...found.values()]]);
  assert.equal(found.get('Runtime')?.state, 'ok');
  assert.match(found.get('Secret')?.finding ?? '', /will be generated/);
  assert.equal(existsSync(data), false);
});

test('people get a table with the way out under what is wrong', async () => {
  const { code, out } = await gatehouse(['doctor', '--port', '0', '--deployment', 'c', '--data', fresh()]);
  assert.equal(code, 1);
  assert.match(out, /^WRONG\s+Configuration\s+The deployment "c" cannot be read.*\n\s+→ /m);
  assert.match(out, /1 of 4 checks failed\.\n$/);
});

test('warnings are counted at the end', async () => {
  const { code, out } = await gatehouse(['doctor', '--port', '0', '--data', fresh(), '--host', '0.0.0.0']);
  assert.equal(code, 0);
  assert.match(out, /\nNo check failed, but there is 1 warning\.\n$/);
});

test('what a setting keeps from defending the site is a warning that names it', async () => {
  const seen = async (env: object) => (await doctor(['--data', fresh()], env)).found.get('Protection');
  assert.equal(await seen({}), undefined);
  const suite = await seen({ GATEHOUSE_SECURITY_SUITE: 'off', GATEHOUSE_FIREWALL: 'off' });
  assert.deepEqual([suite?.state, suite?.finding], ['warning', 'the security suite is turned off']);
  assert.match(suite?.remedy ?? '', /without GATEHOUSE_SECURITY_SUITE\.$/);
  assert.match((await seen({ GATEHOUSE_FIREWALL: 'off' }))?.remedy ?? '', /without GATEHOUSE_FIREWALL\.$/);
});

test('every extension that a deployment turns on is in this version', async () => {
  const { found } = await doctor(['--data', fresh(), '--deployment', 'a']);
  assert.equal(found.get('Extensions')?.state, 'ok');
});

test('a sound database is said to be so, a damaged one is wrong', async () => {
  const data = fresh();
  await gatehouse(['migrate', '--data', data]);
  const sound = (await doctor(['--data', data])).found;
  assert.match(sound.get('Database')?.finding ?? '', /gatehouse\.db answers: SQLite \d+\.\d+/);
  assert.equal(sound.get('Migrations')?.finding, 'the database is up to date');
  assert.equal(sound.get('Stored data')?.state, 'ok');
  writeFileSync(join(data, 'gatehouse.db'), 'no database at all\n'.repeat(500));
  const { code, found } = await doctor(['--data', data]);
  const database = found.get('Database');
  assert.deepEqual([code, database?.state], [1, 'wrong']);
  assert.match(database?.finding ?? '', /^The file .* is not a database$/);
  assert.equal(database?.remedy, 'Restore the last good copy, or move the file away to start with an empty site.');
});

test('a site that nobody can look after, or whose first password still stands in a file, is told how to mend it', async () => {
  const data = fresh();
  await addAnna(data);
  writeFileSync(join(data, 'first-password'), 'x\n', { mode: 0o600 });
  const first = await doctor(['--data', data]);
  assert.equal(first.found.get('Administrator')?.remedy, 'Run "gatehouse user set-role LOGIN administrator".');
  assert.deepEqual([first.code, first.found.get('First password')?.state], [1, 'warning']);
  assert.match(
    first.found.get('First password')?.finding ?? '',
    /first-password exists; the password in it may be out of date$/,
  );
  await gatehouse(['user', 'set-role', 'anna', 'administrator', '--data', data]);
  rmSync(join(data, 'first-password'));
  const { code, found } = await doctor(['--data', data]);
  assert.deepEqual([code, found.get('Administrator')?.state, found.get('First password')?.state], [0, 'ok', 'ok']);
});

test('an administrator whom no link for a lost password can reach is noted', async () => {
  const data = fresh();
  const site = callGatehouse(['serve', '--port', '0', '--data', data]);
  await site.until(/Deployment .*\n/);
  const administrator = async () => (await doctor(['--data', data])).found.get('Administrator');
  const found = await administrator();
  assert.equal(found?.state, 'note');
  assert.match(found?.finding ?? '', /^admin has no email address, /);
  assert.equal(found?.remedy, 'Run "gatehouse user set-email admin ADDRESS".');
  await gatehouse(['user', 'set-email', 'admin', 'admin@site.test', '--data', data]);
  assert.equal((await administrator())?.state, 'ok');
  site.stop();
  await site.ended;
});

test('a secret that is not the one the site was started with is wrong', async () => {
  const data = fresh();
  await addAnna(data);
  assert.equal((await doctor(['--data', data])).found.get('Keys')?.state, 'ok');
  const { found } = await doctor(['--data', data], { GATEHOUSE_SECRET: 'another secret, and just as long' });
  assert.deepEqual([found.get('Keys')?.state, found.get('Secret')?.state], ['wrong', 'ok']);
});

test('a key that is missing is told, and not made', async () => {
  const data = fresh();
  await addAnna(data);
  const database = new DatabaseSync(join(data, 'gatehouse.db'));
  const count = () => database.prepare('select name from keys').all().length;
  database.exec("delete from keys where name = 'encryption'");
  for (const [env, state, finding] of [
    [{}, 'note', /created at the next start: encryption$/],
    [{ GATEHOUSE_SECRET: 'another secret, and just as long' }, 'wrong', /does not decrypt the keys/],
  ] as const) {
    const keys = (await doctor(['--data', data], env)).found.get('Keys');
    assert.equal(keys?.state, state);
    assert.match(keys?.finding ?? '', finding);
    assert.equal(count(), 2);
  }
  database.close();
});

test('a stored setting that no longer fits is told, with the way out', async () => {
  const data = fresh();
  await addAnna(data);
  const settings = async () => (await doctor(['--data', data])).found.get('Settings');
  await gatehouse(['settings', 'set', 'site', 'posts_per_page', '7', '--data', data]);
  assert.equal((await settings())?.state, 'ok');
  const database = new DatabaseSync(join(data, 'gatehouse.db'));
  database.exec("update settings set value = '-7' where name = 'posts_per_page'");
  database.close();
  const found = await settings();
  assert.equal(found?.state, 'warning');
  assert.match(found?.finding ?? '', /stored value of site\.posts_per_page is not valid/);
  assert.match(found?.remedy ?? '', /"gatehouse settings set site posts_per_page VALUE"/);
});

test('a backup is known once there is one', async () => {
  const data = fresh();
  await addAnna(data);
  const backup = async () => (await doctor(['--data', data])).found.get('Backup');
  assert.deepEqual(
    [(await backup())?.state, (await backup())?.finding],
    ['note', '"gatehouse backup" has not run yet'],
  );
  const { code, err } = await gatehouse(['backup', join(folder, 'a.ghb'), '--no-media', '--data', data]);
  assert.equal(code, 0, err);
  assert.deepEqual([(await backup())?.state, (await backup())?.finding], ['ok', 'less than 1 day old']);
});

test('what only a serving site can tell is named, and not looked at', async () => {
  const { out } = await gatehouse(['doctor', '--port', '0', '--data', fresh()]);
  assert.match(
    out,
    /\nOnly a running site can check: Scheduled work, Loopback, .*Proxy, Active extensions, Hub, Pictures by prompt, IP addresses of visitors, Passwords, Passkeys\. The site lists them at core-site-health\/v1\/tests\.\n/,
  );
});

test('a site without an email address, which is to be told of comments that wait, is noted', async () => {
  const data = fresh();
  await addAnna(data);
  const email = async () => (await doctor(['--data', data])).found.get('Site email');
  const found = await email();
  assert.equal(found?.state, 'note');
  assert.match(found?.finding ?? '', /sends no emails about waiting comments/);
  assert.match(found?.remedy ?? '', /"gatehouse settings set site email ADDRESS"/);
  await gatehouse(['settings', 'set', 'discussion', 'moderation_notify', 'false', '--data', data]);
  assert.equal((await email())?.state, 'ok');
  await gatehouse(['settings', 'reset', 'discussion', 'moderation_notify', '--data', data]);
  await gatehouse(['settings', 'set', 'site', 'email', 'office@example.org', '--data', data]);
  assert.equal((await email())?.state, 'ok');
});

test('a hub that the site may not ask is told of, with what allows it', async () => {
  const data = fresh();
  await gatehouse(['migrate', '--data', data]);
  const hub = async (env = {}) => (await doctor(['--data', data], env)).found.get('Hub');
  assert.equal(await hub(), undefined);
  await gatehouse(['settings', 'set', 'hub', 'url', 'http://127.0.0.1:8081/api/hub/v1', '--data', data]);
  const found = await hub();
  assert.equal(found?.state, 'warning');
  assert.match(found?.remedy ?? '', /GATEHOUSE_FETCH_ALLOW_HOSTS=127\.0\.0\.1:8081,/);
  assert.equal((await hub({ GATEHOUSE_FETCH_ALLOW_HOSTS: '127.0.0.1:8081' }))?.state, 'ok');
  assert.match((await hub({ GATEHOUSE_HUB_URL: 'http://10.0.0.1/hub/v1' }))?.remedy ?? '', /=10\.0\.0\.1:80,/);
});

test('a secret that is missing beside a database is wrong', async () => {
  const data = fresh();
  await gatehouse(['migrate', '--data', data]);
  rmSync(join(data, 'secret'));
  const { found } = await doctor(['--data', data]);
  assert.deepEqual([found.get('Secret')?.state, found.get('Database')?.state], ['wrong', 'ok']);
});

test('a secret that others may read is wrong', async () => {
  const data = fresh();
  mkdirSync(data, { mode: 0o700 });
  writeFileSync(join(data, 'secret'), 'x'.repeat(40), { mode: 0o600 });
  assert.equal((await doctor(['--data', data])).found.get('Secret')?.state, 'ok');
  chmodSync(join(data, 'secret'), 0o644);
  assert.equal((await doctor(['--data', data])).found.get('Secret')?.state, 'wrong');
});

test('a data folder open to others is worth a warning, one that is a file is wrong', async () => {
  const data = fresh();
  mkdirSync(data);
  chmodSync(data, 0o755);
  assert.equal((await doctor(['--data', data])).found.get('Data folder')?.state, 'warning');
  const file = join(folder, 'file');
  writeFileSync(file, '');
  const { found } = await doctor(['--data', file]);
  assert.deepEqual([found.get('Data folder')?.state, found.get('Secret')?.state], ['wrong', 'wrong']);
  assert.match(found.get('Database')?.finding ?? '', /^not checked, because the data folder cannot be used$/);
});

test('a port another program has is wrong; one where a Gatehouse serves is not', async () => {
  let healthy = false;
  const other = createServer((_, response) => response.writeHead(healthy ? 200 : 404).end()).listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  const look = async () => (await doctor(['--data', fresh(), '--port', String(port)])).found.get('Port')?.state;
  assert.equal(await look(), 'wrong');
  healthy = true;
  assert.equal(await look(), 'ok');
  other.close();
});

test('a variable that is no setting is named, with the one probably meant', async () => {
  const { found } = await doctor(['--data', fresh()], { GATEHOUSE_PROT: '1' });
  assert.deepEqual(found.get('Environment'), {
    what: 'Environment',
    state: 'warning',
    finding: 'GATEHOUSE_PROT is not a setting and has no effect',
    remedy: 'Did you mean GATEHOUSE_PORT?',
  });
});

test('what the names of variables have in common does not make one be meant', async () => {
  const { found } = await doctor(['--data', fresh()], { GATEHOUSE_TOKEN: '1' });
  assert.equal(found.get('Environment')?.remedy, 'Remove it.');
});

test('what a path holds does not steer the terminal', async () => {
  const data = `${fresh()}\u001b[31m\u009b`;
  const { out } = await gatehouse(['doctor', '--port', '0', '--data', data]);
  const asJson = await gatehouse(['doctor', '--json', '--port', '0', '--data', data]);
  assert.match(out, /\ufffd\[31m\ufffd will be created at the first start/);
  for (const sign of ['\u001b', '\u009b']) assert.ok(!(out + asJson.out).includes(sign));
  assert.ok(JSON.stringify(JSON.parse(asJson.out)).includes('\\u001b[31m\u009b'));
});
