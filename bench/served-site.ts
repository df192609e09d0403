// A site that a version of the program serves as an operator starts it, in a process of its own. Its usage is read from Linux.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePort } from '#test/free-port.ts';
import { basicOf } from '#test/people.ts';
import type { Usage } from './child.ts';
import type { Place } from './databases.ts';

export interface Program {
  /** A checkout. */
  readonly folder: string;
  /** Settings that other versions may not have. */
  readonly settings?: Readonly<Record<string, string>>;
}

export interface ServedSite {
  readonly port: number;
  /** What an administrator sends to be known. */
  readonly credentials: Readonly<Record<string, string>>;
  /** The id of a post, 0 if there is none. */
  readonly post: number;
  usage(): Usage;
  /** Bytes: the most resident memory since the call before. */
  peak(): number;
  stop(): Promise<void>;
}

const login = 'writer';
const patience = 120_000;
const run = promisify(execFile);

/** No setting of whoever measures gets in. */
const env = {
  ...Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(?:GATEHOUSE_|NODE_COMPILE_CACHE)/.test(name)),
  ),
  GATEHOUSE_SECRET: 'a secret that only the measuring knows',
  GATEHOUSE_LOG: 'warn',
};

const flagsOf = ({ data, database }: Place): string[] => [
  ...['--data', data],
  ...(database === undefined ? [] : ['--database', database]),
];

async function gatehouse({ folder, settings }: Program, place: Place, ...words: string[]): Promise<string> {
  const command = [join(folder, 'bin/gatehouse'), ...words, ...flagsOf(place)];
  const options = { cwd: folder, env: { ...env, ...settings }, maxBuffer: 2 ** 24 };
  return (await run(process.execPath, command, options)).stdout.trim();
}

/** Makes the site. Answers the application password of its administrator. */
export async function makeSite(program: Program, place: Place): Promise<string> {
  await gatehouse(program, place, 'migrate');
  const user = ['user', 'create', login, '--email', 'writer@example.org', '--role', 'administrator', '--generate'];
  await gatehouse(program, place, ...user);
  return gatehouse(program, place, 'app-password', 'create', login, '--name', 'measuring');
}

/** Makes the site and its test data. Answers the application password of its administrator. */
export async function fillSite(program: Program, place: Place): Promise<string> {
  const password = await makeSite(program, place);
  await gatehouse(program, place, 'seed', '--seed', 'x', '--posts', '200', '--media', '40');
  return password;
}

export async function serveSite({ folder, settings }: Program, place: Place, password: string): Promise<ServedSite> {
  const port = await freePort();
  const words = ['bin/gatehouse', 'serve', '--port', String(port), ...flagsOf(place)];
  const child = spawn(process.execPath, words, {
    cwd: folder,
    env: { ...env, ...settings },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const stop = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const over = once(child, 'exit');
    child.kill('SIGTERM');
    await over;
  };
  try {
    const list = `http://127.0.0.1:${port}/api/core/v2/posts?per_page=1&_fields=id`;
    const [first] = (await firstAnswer(child, list)) as readonly { readonly id: number }[];
    return {
      port,
      credentials: { Authorization: basicOf(login, password) },
      post: first?.id ?? 0,
      usage: () => usageOf(child.pid!),
      peak: () => peakOf(child.pid!),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function firstAnswer(child: ChildProcess, url: string): Promise<unknown> {
  const until = performance.now() + patience;
  while (performance.now() < until && child.exitCode === null) {
    const answer = await fetch(url, { headers: { connection: 'close' } }).catch(() => undefined);
    if (answer?.ok) return answer.json();
    await pause(50);
  }
  throw new Error(`Nothing answered at ${url}.`);
}

export const canReadUsage = (): boolean => existsSync('/proc/self/schedstat');

function usageOf(pid: number): Usage {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return { cpu: nanosecondsOf(pid) / 1000, rss: Number(kilobytes) * 1024 };
}

function peakOf(pid: number): number {
  const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
  return Number(kilobytes) * 1024;
}

/** Of its threads: those of a site stay. `stat` counts in hundredths of a second, which a busy machine gives out too few of. */
const nanosecondsOf = (pid: number): number =>
  readdirSync(`/proc/${pid}/task`)
    .map((thread) => Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]))
    .reduce((sum, one) => sum + one, 0);
