// Programs that tests drive and that this machine may lack. As root on Debian they are installed, once; elsewhere nothing is touched.
import { spawnSync } from 'node:child_process';
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

/** Where the program is: what is there, or what apt installs. */
export function provided(say: Say, name: ProgramName): string | undefined {
  const { title, packages, places } = programs[name];
  const there = program(name);
  if (there !== undefined) return there;
  installed(say, packages, places[0], title);
  return program(name);
}

/** The path of what Debian's packages bring, installed where need be; nothing where that cannot be. */
export function installed(
  say: Say,
  packages: string | readonly string[],
  path: string,
  title: string = [packages].flat().join(', '),
): string | undefined {
  if (existsSync(path)) return path;
  if (process.getuid?.() !== 0 || !existsSync('/etc/debian_version')) return undefined;
  say(`Installing ${title} with apt (once) …`);
  resting(() => {
    if (install(packages)) return;
    refresh();
    install(packages);
  });
  return existsSync(path) ? path : undefined;
}

const apt = (...args: string[]): boolean =>
  spawnSync('apt-get', args, { stdio: 'ignore', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } }).status ===
  0;

const install = (packages: string | readonly string[]): boolean =>
  apt('install', '-y', '--no-install-recommends', ...[packages].flat());

let isFresh = false;

/** Asked once a run: the lists of one run do not get older. */
function refresh(): void {
  if (!isFresh) apt('update');
  isFresh = true;
}

const policy = '/usr/sbin/policy-rc.d';

/** Debian starts what it installs as a service; a test wants the program alone. */
function resting(work: () => void): void {
  const isOurs = !existsSync(policy);
  if (isOurs) writeFileSync(policy, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  try {
    work();
  } finally {
    if (isOurs) rmSync(policy, { force: true });
  }
}
