// The command line, as a person or a script meets it: in a process of its own, or in one that runs several commands in turn.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { type CommandHost, type Ended, startCommandHost } from './command-host.ts';

export type { Ended };

const root = join(import.meta.dirname, '../..');
/** What `bin/gatehouse` gives to Node, and which of it makes a start quick. */
export const { flags, quickImports } = createRequire(import.meta.url)(join(root, 'bin/run.js')) as Readonly<
  Record<'flags' | 'quickImports', readonly string[]>
>;
const asGatehouse: readonly string[] = [...flags, join(root, 'src/main.ts')];

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

/** What takes longer than a second says so, which depends on the machine. */
const progress = /^.* … \d+ s\n/gm;

function watched(child: ChildProcess): Running {
  let out = '';
  let err = '';
  child.stdout?.on('data', (chunk) => {
    out += chunk;
  });
  child.stderr?.on('data', (chunk) => {
    err += chunk;
  });
  const ended = once(child, 'close').then(
    ([code, signal]): Ended => ({ code, signal, out, err: err.replaceAll(progress, '') }),
  );
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

/** Hosts that wait for another command. */
const waiting: CommandHost[] = [];

/** Runs a command to its end in a host, which spares loading the program. Use `startGatehouse` to try the process itself. */
export async function gatehouse(
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
  cwd: string = process.cwd(),
  input: string | Uint8Array = '',
): Promise<Ended> {
  const order = { args, env: clean(env), cwd, input };
  const fit = waiting.findLastIndex((one) => one.isFit(order));
  const [host = startCommandHost(flags)] = fit === -1 ? [] : waiting.splice(fit, 1);
  const { ended, isAsNew } = await host.run(order);
  if (isAsNew) waiting.push(host);
  else host.end();
  return { ...ended, err: ended.err.replaceAll(progress, '') };
}

/** A process of its own, with something on standard input. */
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
