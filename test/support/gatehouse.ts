// The command line: called in the process of the test, or started as a process of its own.
import { type ChildProcess, spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import type { Io, TrialMaker } from '#cli/io.ts';
import { cli } from '../../src/commands/cli.ts';

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly out: string;
  readonly err: string;
}

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

/** Every extension passes: only tests of trials start one, in a process of its own. */
const passingTrial: TrialMaker = () => async () => undefined;

interface CallOptions {
  readonly env?: NodeJS.ProcessEnv | undefined;
  readonly cwd?: string | undefined;
  /** On standard input. */
  readonly input?: string | Uint8Array;
  /** Try extensions as the program does. */
  readonly tries?: true;
}

export interface RunningHere {
  /** Once it has printed something like this; refused when it ends without. */
  until(pattern: RegExp): Promise<string>;
  /** What Ctrl-C and SIGTERM do. */
  stop(): void;
  readonly ended: Promise<Ended>;
}

/** Streams and signals of a test. Progress is not reported. */
export function testIo({ env = {}, cwd, input = '', tries }: CallOptions = {}) {
  const said = { out: '', err: '' };
  const stopping = new AbortController();
  const written = new EventEmitter();
  const into = (name: keyof typeof said): Writable =>
    new Writable({
      decodeStrings: false,
      write(chunk, _encoding, done) {
        said[name] += chunk;
        written.emit('text');
        done();
      },
    });
  const io: Io = {
    env,
    cwd: cwd ?? process.cwd(),
    stdin: Readable.from([Buffer.from(input)]),
    stdout: into('out'),
    stderr: into('err'),
    signal: stopping.signal,
    ...(!tries && { trial: passingTrial }),
  };
  return { io, said, written, stop: () => stopping.abort(new DOMException('SIGINT', 'AbortError')) };
}

/** Calls the command line in this process. */
export function callGatehouse(args: readonly string[], options?: CallOptions): RunningHere {
  const { io, said, written, stop } = testIo(options);
  const ended = cli(args, io).then((code): Ended => ({ code, signal: null, ...said }));
  const until = (pattern: RegExp): Promise<string> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        if (pattern.test(said.out + said.err)) resolve(said.out);
      };
      written.on('text', look);
      look();
      ended.then(
        ({ code }) => reject(new Error(`It ended (${code}) before ${pattern}: ${said.out}${said.err}`)),
        reject,
      );
    });
  return { until, stop, ended };
}

/** Runs a command to its end in this process. Use `spawned` to try the process itself. */
export const gatehouse = (
  args: readonly string[],
  env?: NodeJS.ProcessEnv,
  cwd?: string,
  input: string | Uint8Array = '',
): Promise<Ended> => callGatehouse(args, { env, cwd, input }).ended;

/** Runs a command to its end in a process of its own. */
export function spawned(
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
  cwd?: string,
  input: string | Uint8Array = '',
): Promise<Ended> {
  const child = spawn(process.execPath, [...asGatehouse, ...args], {
    env: clean(env),
    cwd,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  child.stdin.on('error', () => {}); // it may end without having read everything
  child.stdin.end(input);
  return watched(child).ended;
}
