// What only a process of its own shows of `gatehouse serve`: signals, closed streams and errors that nothing caught.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { type Running, startGatehouse } from '#test/gatehouse.ts';

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-test-'));
const running = new Set<Running>();
after(() => {
  for (const { child } of running) child.kill('SIGKILL');
  rmSync(folder, { recursive: true });
});

const fresh = (): string => join(mkdtempSync(join(folder, 'site-')), 'data');

async function serving(data: string, env = {}): Promise<Running & { port: number; said: string }> {
  const site = startGatehouse(['serve', '--port', '0', '--data', data], env);
  running.add(site);
  const said = await site.until(/Deployment .*\n/);
  return { ...site, said, port: Number(/Listening\s+127\.0\.0\.1:(\d+)/.exec(said)?.[1]) };
}

for (const words of [['serve'], ['hub', 'serve']])
  test(`with nobody left to read what it says, it serves on: ${words.join(' ')}`, async () => {
    const probe = createServer().listen(0, '127.0.0.1');
    await once(probe, 'listening');
    const { port } = probe.address() as AddressInfo;
    probe.close();
    const site = startGatehouse([...words, '--port', String(port), '--data', fresh()]);
    running.add(site);
    site.child.stdout?.destroy();
    site.child.stderr?.destroy();
    const answers = (): Promise<boolean> =>
      fetch(`http://127.0.0.1:${port}/healthz`).then(
        ({ ok }) => ok,
        () => false,
      );
    while (site.child.exitCode === null && !(await answers())) await new Promise((resolve) => setTimeout(resolve, 50));
    assert.equal(await answers(), true);
    site.child.kill('SIGTERM');
    assert.equal((await site.ended).code, 0);
  });

test('one Ctrl-C that arrives twice is one wish', async () => {
  const { child, ended } = await serving(fresh());
  child.kill('SIGINT');
  child.kill('SIGINT');
  assert.equal((await ended).code, 0);
});

test('a second wish ends it at once', async () => {
  const { port, child, ended, until } = await serving(fresh());
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  socket.write(
    'POST /api/batch/v1 HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{',
  );
  await fetch(`http://127.0.0.1:${port}/healthz`);
  child.kill('SIGTERM');
  await until(/Stopping/);
  // Longer than two signals of one wish are apart.
  await new Promise((resolve) => setTimeout(resolve, 700));
  child.kill('SIGTERM');
  assert.equal((await ended).code, 1);
});

test('a promise that nobody waits for is written down when it fails, and the site serves on', async () => {
  const fails = 'process.on("SIGUSR2", () => void Promise.reject(new Error("let go")))';
  const env = { NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(fails)}` };
  const { port, child, until, ended } = await serving(fresh(), env);
  child.kill('SIGUSR2');
  await until(/Unhandled promise rejection/);
  assert.equal((await fetch(`http://127.0.0.1:${port}/healthz`)).status, 200);
  child.kill('SIGTERM');
  assert.equal((await ended).code, 0);
});
