// The steps of the Dockerfile, run in a folder in place of an image, and the program as it runs there: as a user without rights, on a tree
// that it may not write to.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { root } from '#test/checkout.ts';
import { environmentOf, type Instruction, stagesOf, valuesOf } from '#test/container.ts';
import { freePort } from '#test/free-port.ts';
import { needsRoot } from '#test/needs.ts';

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-image-'));
after(() => rmSync(folder, { recursive: true, maxRetries: 3 }));
const [image, data, tools] = ['srv', 'data', 'tools'].map((name) => join(folder, name)) as [string, string, string];
const [build = [], run = []] = stagesOf();
/** `node` of the image. */
const user = { uid: 1000, gid: 1000 };

/** `npm ci` installs what is installed here already, without what development needs. */
function installed(): void {
  const lock = JSON.parse(readFileSync(join(root, 'node_modules/.package-lock.json'), 'utf8')) as {
    packages: Record<string, { dev?: boolean }>;
  };
  const packages = Object.entries(lock.packages).filter(([, { dev }]) => !dev);
  mkdirSync(join(image, 'node_modules'));
  for (const [path] of packages) {
    if (path.lastIndexOf('node_modules/') > 0) continue;
    mkdirSync(dirname(join(image, path)), { recursive: true });
    symlinkSync(join(root, path), join(image, path));
  }
  writeFileSync(
    join(image, 'node_modules/.package-lock.json'),
    JSON.stringify({ ...lock, packages: Object.fromEntries(packages) }),
  );
}

function step({ name, value }: Instruction): void {
  const words = value.split(' ');
  if (name === 'COPY')
    for (const from of words.slice(0, -1)) {
      const to = from === words.at(-1) ? join(image, from) : join(image, words.at(-1)!, from);
      cpSync(join(root, from), to, { recursive: true, filter: (path) => !path.endsWith('.test.ts') });
    }
  if (name !== 'RUN') return;
  const command = value.replace(/^npm ci --omit=dev\b/, 'true').replaceAll('/tmp/', `${folder}/`);
  const env = { ...environmentOf(build), GATEHOUSE_NODE: process.execPath, PATH: `${tools}:${process.env.PATH}` };
  if (command !== value && value.startsWith('npm ci')) installed();
  const { status, stdout, stderr } = spawnSync('sh', ['-ec', command], { cwd: image, env, encoding: 'utf8' });
  assert.equal(status, 0, `${value}\n${stdout}${stderr}`);
}

/** As the layers of an image keep files: with whole seconds. */
function layered(path: string): void {
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    const one = join(path, entry.name);
    if (entry.isSymbolicLink()) continue;
    if (entry.isDirectory()) layered(one);
    const { atimeMs, mtimeMs } = statSync(one);
    utimesSync(one, Math.trunc(atimeMs / 1000), Math.trunc(mtimeMs / 1000));
  }
}

const written = (path: string): string[] =>
  readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() || entry.isSymbolicLink())
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted();

needsRoot(
  'the steps of the Dockerfile make a program that serves without rights and writes to its volume alone',
  async () => {
    for (const path of [image, data, tools]) mkdirSync(path);
    for (const path of [folder, image]) chmodSync(path, 0o755);
    chownSync(data, user.uid, user.gid);
    chmodSync(data, 0o700);
    symlinkSync(process.execPath, join(tools, 'node'));
    for (const one of build) step(one);
    layered(image);
    const before = written(image);
    const port = await freePort();
    const env = {
      ...environmentOf(run),
      GATEHOUSE_NODE: process.execPath,
      GATEHOUSE_HOST: '127.0.0.1',
      GATEHOUSE_DATA: data,
      GATEHOUSE_PORT: String(port),
      PATH: `${tools}:${process.env.PATH}`,
    };
    const [start, healthy] = [
      [...JSON.parse(valuesOf(run, 'ENTRYPOINT')[0]!), ...JSON.parse(valuesOf(run, 'CMD')[0]!)],
      JSON.parse(/CMD (\[.*\])$/.exec(valuesOf(run, 'HEALTHCHECK')[0]!)![1]!),
    ].map((words: string[]) => words.map((word) => word.replace('/srv/gatehouse', image))) as [string[], string[]];
    const healthOf = () => spawnSync(healthy[0]!, healthy.slice(1), { env, ...user }).status;
    assert.equal(healthOf(), 1, 'nothing serves yet');
    const site = spawn(start[0]!, start.slice(1), { env, cwd: data, ...user });
    const said = Promise.all([text(site.stdout), text(site.stderr)]);
    const ended = once(site, 'exit');
    try {
      for (let time = 0; time < 400 && healthOf() !== 0 && site.exitCode === null; time += 1) await pause(100);
      assert.equal(healthOf(), 0);
      assert.match(readFileSync(`/proc/${site.pid}/cmdline`, 'utf8'), /\.cache\/bundle\/\w+\/main\.js/);
    } finally {
      site.kill('SIGTERM');
    }
    assert.deepEqual((await ended)[0], 0);
    const [out, err] = await said;
    assert.match(out, /^Gatehouse \d/);
    assert.doesNotMatch(err, /runs from its sources|damaged|Installing/);
    assert.deepEqual(written(image), before);
  },
);
