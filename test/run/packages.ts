// Programs that tests drive and that this machine may lack. As root on Debian they are installed, once; elsewhere nothing is touched.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type ProgramName, program, programs } from '#test/programs.ts';

type Say = (text: string) => void;

/** Which of the programs these test files ask for by name: `withProgram('nginx', …)`. */
export function askedFor(files: readonly string[]): ProgramName[] {
  const texts = files.map((file) => readFileSync(file, 'utf8'));
  // However the call is laid out.
  return (Object.keys(programs) as ProgramName[]).filter((name) =>
    texts.some((text) => text.replace(/\(\s+/g, '(').includes(`withProgram('${name}'`)),
  );
}

/** Where the program is: what is there, or what apt installs. A stopped run installs nothing. */
export async function provided(say: Say, name: ProgramName, signal?: AbortSignal): Promise<string | undefined> {
  const { title, packages, places } = programs[name];
  const there = program(name);
  if (there !== undefined) return there;
  try {
    await installed(say, packages, places[0], title, signal);
  } catch (error) {
    say(`${title} could not be installed: ${(error as Error).message}.`);
  }
  return program(name);
}

/** The path of what Debian's packages bring, installed where need be; nothing where that cannot be. */
export function installed(...asked: Parameters<typeof installNext>): Promise<string | undefined> {
  const next = installing.then(() => installNext(...asked));
  installing = next.catch(() => {});
  return next;
}

/** One after the other: a second apt would find the lists locked. */
let installing: Promise<unknown> = Promise.resolve();

async function installNext(
  say: Say,
  packages: readonly string[],
  path: string,
  title: string,
  signal?: AbortSignal,
): Promise<string | undefined> {
  if (existsSync(path)) return path;
  if (signal?.aborted || process.getuid?.() !== 0 || !existsSync('/etc/debian_version')) return undefined;
  say(`Installing ${title} with apt (once) …`);
  await withoutServices(async () => {
    if (signal?.aborted || (await install(packages))) return;
    await refresh();
    if (!signal?.aborted) await install(packages);
  });
  return existsSync(path) ? path : undefined;
}

async function apt(...args: string[]): Promise<boolean> {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  // Another apt of this machine may be at work.
  const child = spawn('apt-get', ['-o', 'DPkg::Lock::Timeout=300', ...args], { stdio: 'ignore', env });
  const [code] = await once(child, 'exit').catch(() => [1]);
  return code === 0;
}

const install = (packages: readonly string[]): Promise<boolean> =>
  apt('install', '-y', '--no-install-recommends', ...packages);

let refreshed: Promise<boolean> | undefined;

/** Once a run: the lists do not get older in a run. */
const refresh = (): Promise<boolean> => (refreshed ??= apt('update'));

const policy = '/usr/sbin/policy-rc.d';

/** Debian starts what it installs as a service; a test wants the program alone. */
async function withoutServices(work: () => Promise<void>): Promise<void> {
  const isOurs = !existsSync(policy);
  if (isOurs) writeFileSync(policy, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  try {
    await work();
  } finally {
    if (isOurs) rmSync(policy, { force: true });
  }
}
