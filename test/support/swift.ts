// A real S3 server: OpenStack Swift with its S3 interface, as Debian has it. Four processes on loopback, their data in a temporary
// folder; they end with this process, however that ends.
import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { AwsClient } from 'aws4fetch';
import type { Keys, Media } from '#lib/operator.ts';
import { freePort } from './free-port.ts';

export interface S3Server {
  readonly media: Extract<Media, { kind: 's3' }>;
  readonly keys: Keys;
  stop(): Promise<void>;
}

const keys: Keys = { id: 'test:tester', secret: 'testing' };
const bucket = 'gatehouse';
const kinds = ['account', 'container', 'object'] as const;

export async function startSwift(): Promise<S3Server> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-swift-'));
  chmodSync(folder, 0o755);
  mkdirSync(join(folder, 'devices/disk'), { recursive: true });
  const [proxy = 0, ...backs] = await freePorts(1 + kinds.length);
  await Promise.all(kinds.map((kind, n) => ring(folder, kind, backs[n] ?? 0)));
  kinds.forEach((kind, n) => void writeFileSync(join(folder, `${kind}.conf`), backConf(folder, kind, backs[n] ?? 0)));
  writeFileSync(join(folder, 'proxy.conf'), proxyConf(folder, proxy));
  if (isRoot) execFileSync('chown', ['-R', user, folder]);
  const stop = launch(folder);
  const endpoint = `http://127.0.0.1:${proxy}`;
  await ready(endpoint).catch(async (error) => {
    await stop();
    throw error;
  });
  return { media: { kind: 's3', bucket, prefix: '', endpoint, region: 'us-east-1' }, keys, stop };
}

const isRoot = process.getuid?.() === 0;
const user = isRoot ? 'swift' : userInfo().username;

const base = (folder: string, port: number): string => `[DEFAULT]
bind_ip = 127.0.0.1
bind_port = ${port}
workers = 0
user = ${user}
swift_dir = ${folder}
devices = ${folder}/devices
mount_check = false
disable_fallocate = true
fallocate_reserve = 0
log_level = ERROR
`;

const backConf = (folder: string, kind: string, port: number): string => `${base(folder, port)}
[pipeline:main]
pipeline = ${kind}-server
[app:${kind}-server]
use = egg:swift#${kind}
`;

const filters = ['catch_errors', 'gatekeeper', 'healthcheck', 'listing_formats', 'bulk', 'copy', 'slo', 'dlo'];

const proxyConf = (folder: string, port: number): string => `${base(folder, port)}
[pipeline:main]
pipeline = catch_errors gatekeeper healthcheck cache listing_formats bulk s3api tempauth copy slo dlo proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
allow_account_management = true
# It insists on one, and does without when nobody answers there.
[filter:cache]
use = egg:swift#memcache
memcache_servers = 127.0.0.1:1
[filter:tempauth]
use = egg:swift#tempauth
user_${keys.id.replace(':', '_')} = ${keys.secret} .admin
[filter:s3api]
use = egg:swift#s3api
location = us-east-1
${filters.map((name) => `[filter:${name}]\nuse = egg:swift#${name}`).join('\n')}
`;

async function ring(folder: string, kind: string, port: number): Promise<void> {
  const builder = join(folder, `${kind}.builder`);
  const build = (...args: string[]) => promisify(execFile)('swift-ring-builder', [builder, ...args]);
  await build('create', '2', '1', '0');
  await build('add', `r1z1-127.0.0.1:${port}/disk`, '1');
  await build('rebalance');
}

const keeper = `
for kind in account container object proxy; do
  swift-$kind-server "$1/$kind.conf" > "$1/$kind.log" 2>&1 < /dev/null &
  pids="$pids $!"
done
cat > /dev/null
kill -KILL $pids
wait
rm -rf "$1"
`;

/** Answers how to end them. A shell of its own starts them and ends them when the pipe to it closes. */
function launch(folder: string): () => Promise<void> {
  const shell = spawn('sh', ['-c', keeper, 'keeper', folder], {
    detached: true,
    cwd: '/',
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  shell.unref();
  (shell.stdin as unknown as { unref(): void }).unref();
  return async () => {
    if (shell.exitCode !== null) return;
    shell.ref();
    const over = once(shell, 'exit');
    shell.stdin.end();
    await over;
  };
}

/** Up once it has made the bucket. */
async function ready(endpoint: string, tries = 1_000): Promise<void> {
  const client = new AwsClient({ accessKeyId: keys.id, secretAccessKey: keys.secret, service: 's3', retries: 0 });
  const answer = await client.fetch(`${endpoint}/${bucket}`, { method: 'PUT' }).catch(() => undefined);
  if (answer?.ok) return;
  const said = (await answer?.text().catch(() => '')) ?? 'it cannot be reached';
  if (tries === 0) throw new Error(`Swift does not start: ${answer?.status ?? ''} ${said}`);
  await pause(200);
  return ready(endpoint, tries - 1);
}

async function freePorts(count: number): Promise<number[]> {
  const ports = new Set<number>();
  while (ports.size < count) ports.add(await freePort());
  return [...ports];
}
