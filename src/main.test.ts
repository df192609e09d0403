import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { gatehouse, spawned } from '#test/gatehouse.ts';
import { offendersAmong } from '#test/offenders.ts';

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-test-'));
after(() => rmSync(folder, { recursive: true }));

const commands = ['serve', 'seed', 'migrate', 'routes', 'openapi', 'doctor', 'completion'];
const families = {
  user: ['create', 'list', 'show', 'set-password', 'set-email', 'set-role', 'delete'],
  'app-password': ['create', 'list', 'revoke'],
};

test('--help lists every command and the exit codes', async () => {
  const { code, out, err } = await gatehouse(['--help']);
  assert.deepEqual([code, err], [0, '']);
  for (const name of [...commands, ...Object.keys(families)]) assert.match(out, new RegExp(`^  ${name} `, 'm'));
  assert.match(out, /Exit codes: 0 .* 1 .* 2 /);
});

test('--version is one line', async () => {
  const { code, out } = await gatehouse(['--version']);
  assert.equal(code, 0);
  assert.match(out, /^\d+\.\d+\.\d+\n$/);
});

test('every command explains itself, and "help NAME" says the same', async () => {
  const names = [...commands, ...Object.entries(families).flatMap(([name, own]) => own.map((one) => `${name} ${one}`))];
  const offenders = await offendersAmong(names, String, async (name) => {
    const { code, out, err } = await gatehouse([...name.split(' '), '--help']);
    assert.deepEqual([code, err], [0, '']);
    assert.match(out, new RegExp(`^usage: gatehouse ${name} .*\\[FLAGS\\]\n`));
    assert.equal((await gatehouse(['help', ...name.split(' ')])).out, out);
  });
  assert.deepEqual(offenders, []);
});

test('every family of commands lists its members, and without one of them that is wrong use', async () => {
  const offenders = await offendersAmong(Object.entries(families), String, async ([family, members]) => {
    const { code, out, err } = await gatehouse([family, '--help']);
    assert.deepEqual([code, err], [0, '']);
    for (const name of members) assert.match(out, new RegExp(`^  ${name} `, 'm'));
    assert.equal((await gatehouse(['help', family])).out, out);
    assert.deepEqual(await gatehouse([family]), { code: 2, signal: null, out: '', err: out });
  });
  assert.deepEqual(offenders, []);
});

const misuses: readonly [readonly string[], RegExp][] = [
  [[], /^Gatehouse /],
  [['serv'], /^gatehouse has no command serv\. Did you mean serve\?\n$/],
  [['frobnicate'], /^gatehouse has no command frobnicate\. See gatehouse --help\.\n$/],
  [['--port', '1'], /^Give the command first \(serve, /],
  [['serve', '--prot', '1'], /^gatehouse serve has no flag --prot\. Did you mean --port\?\n$/],
  [['serve', '-p'], /^gatehouse serve has no flag -p\./],
  [['serve', '--secret', 'x'], /^gatehouse serve has no flag --secret\./],
  [['serve', '--port'], /^--port needs a value\.\n$/],
  [['serve', '--port='], /^--port needs a value\.\n$/],
  [['seed', '--posts', '--data', 'x'], /^--posts needs a value\.\n$/],
  [['extension', 'sign', '--key', '--catalogue', 'x'], /^--key needs a value\.\n$/],
  [['serve', '--port', 'x'], /^--port must be a whole number .*\n$/],
  [['serve', 'now'], /^gatehouse serve takes no "now"/],
  [['routes', '--json=yes'], /^--json takes no value\.\n$/],
  [['routes', '--deployment', 'c'], /^The deployment "c" cannot be read/],
  [['routes', '--api-faces', 'both'], /^gatehouse routes has no flag --api-faces\./],
  [['openapi', '--json'], /^gatehouse openapi has no flag --json\./],
  [['user', 'creat'], /^gatehouse user has no command creat\. Did you mean create\?\n$/],
  [['user', 'frobnicate'], /^gatehouse user has no command frobnicate\. See gatehouse user --help\.\n$/],
  [
    ['app-password', '--json'],
    /^Give the command first \(create, list, revoke\); see gatehouse app-password --help\.\n$/,
  ],
  [['user', 'list', '--rol', 'x'], /^gatehouse user list has no flag --rol\. Did you mean --role\?\n$/],
  [['user', 'show', ''], /^LOGIN must not be empty\.\n$/],
  [['openapi', '--face', 'third'], /^--face must be neutral or classic/],
  [['serve', '--port', '1', '--host', 'x', '--port', '2'], /^--port was given twice\.\n$/],
  [['backup', '--force', '--force', 'x'], /^--force was given twice\.\n$/],
  [
    ['settings', 'set', 'site', 'posts_per_page', '-5'],
    /has no flag -5\. To give it as VALUE, write "--" before the words\.\n$/,
  ],
  [['backup'], /^gatehouse backup needs FILE; see gatehouse backup --help\.\n$/],
];

test('wrong use ends with 2 and one sentence, and makes nothing', async () => {
  const offenders = await offendersAmong(misuses, String, async ([args, sentence]) => {
    const { code, out, err } = await gatehouse(args, {}, folder);
    assert.deepEqual([code, out], [2, '']);
    assert.match(err, sentence);
    assert.equal(existsSync(join(folder, 'data')), false);
  });
  assert.deepEqual(offenders, []);
});

test('a flag that npm kept for itself is explained', async () => {
  const cases: readonly [readonly string[], Record<string, string>, string][] = [
    [['3000'], { npm_config_port: 'true' }, '--port'],
    [[], { npm_config_port: '3000' }, '--port'],
    [['10.0.0.1'], { npm_config_trust_proxy: 'true' }, '--trust-proxy'],
  ];
  const offenders = await offendersAmong(cases, String, async ([args, env, flag]) => {
    const { code, err } = await gatehouse(['serve', ...args], { npm_lifecycle_event: 'start', ...env }, folder);
    assert.equal(code, 2);
    assert.equal(err, `npm did not pass on ${flag}; write "npm start -- ${flag} …", with -- before the flags.\n`);
  });
  assert.deepEqual(offenders, []);
});

test('a command that works on a site takes the flags of serve, and tells the most asked for', async () => {
  const { out } = await gatehouse(['user', 'set-email', '--help']);
  assert.match(out, /^ {2}--url url /m);
  assert.doesNotMatch(out, /--body-limit/);
  assert.match(out, /\nAll other flags of "gatehouse serve" work here too\.\n/);
});

test('routes --json is what a script can read', async () => {
  const { code, out } = await gatehouse(['routes', '--json']);
  assert.equal(code, 0);
  const [first] = JSON.parse(out);
  assert.deepEqual(first, { methods: ['GET'], path: '/', access: 'All visitors.', summary: first.summary });
});

test('openapi speaks the names of the face asked for', async () => {
  const { out } = await gatehouse(['openapi', '--face', 'classic', '--url', 'https://example.org']);
  const document = JSON.parse(out);
  assert.match(document.openapi, /^3\.1/);
  assert.equal(document.servers[0].url, 'https://example.org/wp-json');
});

test('a process ends with the exit code of its command, and what it says goes to its streams', async () => {
  for (const [words, code] of [
    [['--version'], 0],
    [['user', 'list'], 1],
    [['serve', '--prot', '1'], 2],
  ] as const) {
    const ended = await spawned(words, {}, folder);
    assert.deepEqual(ended, await gatehouse(words, {}, folder));
    assert.equal(ended.code, code, ended.err);
  }
});

test('migrate says what it would do, does it once and then has nothing to do', async () => {
  const data = join(folder, 'migrated');
  const dry = await gatehouse(['migrate', '--dry-run', '--json', '--data', data]);
  const { pending } = JSON.parse(dry.out);
  assert.ok(pending.length > 0);
  assert.equal(existsSync(data), false);
  const real = await gatehouse(['migrate', '--json', '--data', data]);
  assert.deepEqual(JSON.parse(real.out), { applied: pending });
  assert.equal((await gatehouse(['migrate', '--data', data])).out, 'The database is up to date.\n');
});
