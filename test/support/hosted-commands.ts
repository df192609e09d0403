// A process that runs one command after another, so that the tests load the program once. A command that leaves something behind is
// the last one in its process: a listener or an open handle. Code of extension packages stays loaded, so no command runs here that
// would find other code in the same place.
import { realpathSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { stateOf } from './command-host.ts';

const checkout = join(import.meta.dirname, '../..');
/** `node_modules` may be a link, and the URL of a module names the real path. */
const own = [checkout, realpathSync(join(checkout, 'node_modules'))].map((path) => pathToFileURL(`${path}/`).href);

export interface Order {
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  /** What standard input holds. */
  readonly input: string | Uint8Array;
  /** Written to both outputs behind all that the command said. */
  readonly end: string;
}

export interface Done {
  readonly code: number;
  /** The next command may run here. */
  readonly isAsNew: boolean;
  /** Files of extension packages that were loaded, which are not read again, and what they were then. */
  readonly loaded: readonly (readonly [file: string, state: string])[];
}

const loaded = new Map<string, string>();
registerHooks({
  load(url, context, load) {
    if (url.startsWith('file:') && !own.some((beginning) => url.startsWith(beginning))) keep(fileURLToPath(url));
    return load(url, context);
  },
});

const keep = (file: string): void => void loaded.set(file, stateOf(file));

const emitters = [process, process.stdout, process.stderr];

/** Open handles, and how many listeners each event has. */
const traces = (): string =>
  [
    ...process.getActiveResourcesInfo(),
    ...emitters.flatMap((one) => one.eventNames().map((name) => `${String(name)}: ${one.listenerCount(name)}`)),
  ]
    .sort()
    .join();

/** In milliseconds: a closed connection is gone when its other end has answered, which a busy machine delays. */
const patience = 1000;

async function hasLeft(before: string): Promise<boolean> {
  for (const end = performance.now() + patience; performance.now() < end; ) {
    if (traces() === before) return false;
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  return true;
}

const written = (stream: NodeJS.WriteStream, text: string): Promise<void> =>
  new Promise((resolve) => stream.write(text, () => resolve()));

async function carryOut({ args, env, cwd, input, end }: Order): Promise<Done> {
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env);
  process.chdir(cwd);
  const before = traces();
  const code = await runCommand(args, {
    env: process.env,
    stdin: Readable.from([Buffer.from(input)]),
    stays: () => {},
  });
  const isAsNew = !(await hasLeft(before));
  await Promise.all([written(process.stdout, end), written(process.stderr, end)]);
  return { code, isAsNew, loaded: [...loaded] };
}

const { runCommand } = await import('../../src/commands/command-line.ts');
process.on('message', async (order: Order) => process.send?.(await carryOut(order)));
process.on('disconnect', () => process.exit());
