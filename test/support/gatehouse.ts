// The command line as a child process, as a person or a script meets it.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');
/** The flags that `bin/gatehouse` gives to Node belong to how much memory the process takes. */
const { flags } = createRequire(import.meta.url)(join(root, 'bin/run.js')) as { flags: readonly string[] };
const asGatehouse: readonly string[] = [...flags, join(root, 'src/main.ts')];

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly out: string;
  readonly err: string;
}

export interface Running {
  readonly child: ChildProcess;
  /** Once it has printed something like this; refused when it ends without. */
  until(pattern: RegExp): Promise<string>;
  readonly ended: Promise<Ended>;
}

/** No setting of whoever runs the tests gets in. */
export const clean = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv => {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(GATEHOUSE_|npm_|NODE_TEST_)/.test(name));
  return { ...Object.fromEntries(inherited), ...env };
};

export function start(command: string, args: readonly string[], env: NodeJS.ProcessEnv = {}, cwd?: string): Running {
  return watched(spawn(command, args, { env: clean(env), cwd, stdio: ['ignore', 'pipe', 'pipe'] }));
}

function watched(child: ChildProcess): Running {
  let out = '';
  let err = '';
  child.stdout?.on('data', (chunk) => {
    out += chunk;
  });
  child.stderr?.on('data', (chunk) => {
    err += chunk;
  });
  const ended = once(child, 'close').then(([code, signal]): Ended => ({ code, signal, out, err }));
  const until = (pattern: RegExp): Promise<string> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        if (pattern.test(out + err)) resolve(out);
      };
      child.stdout?.on('data', look);
      child.stderr?.on('data', look);
      look();
      ended.then((end) => reject(new Error(`It ended (${end.code ?? end.signal}) before ${pattern}: ${out}${err}`)));
    });
  return { child, until, ended };
}

export const startGatehouse = (args: readonly string[], env?: NodeJS.ProcessEnv, cwd?: string): Running =>
  start(process.execPath, [...asGatehouse, ...args], env, cwd);

export const gatehouse = (args: readonly string[], env?: NodeJS.ProcessEnv, cwd?: string): Promise<Ended> =>
  startGatehouse(args, env, cwd).ended;

/** With something on standard input. */
export function gatehouseFed(
  input: string | Uint8Array,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<Ended> {
  const child = spawn(process.execPath, [...asGatehouse, ...args], {
    env: clean(env),
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  child.stdin.on('error', () => {}); // it may end without having read everything
  child.stdin.end(input);
  return watched(child).ended;
}
