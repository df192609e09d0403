// Starts a process that runs one command after another (hosted-commands.ts), and reads what each command says.
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import type { Socket } from 'node:net';
import { join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import type { Done, Order } from './hosted-commands.ts';

const script = join(import.meta.dirname, 'hosted-commands.ts');

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly out: string;
  readonly err: string;
}

interface HostedEnd {
  readonly ended: Ended;
  /** The next command may run in the same process. */
  readonly isAsNew: boolean;
}

type HostedOrder = Omit<Order, 'end'>;

export interface CommandHost {
  /** Whether what it has loaded of extension packages is what the command would load: those below a folder that is named. */
  isFit(order: HostedOrder): boolean;
  run(order: HostedOrder): Promise<HostedEnd>;
  end(): void;
}

/** Changes with every write of the file. */
export function stateOf(file: string): string {
  const { ino, size, mtimeNs } = statSync(file, { bigint: true, throwIfNoEntry: false }) ?? {};
  return `${ino} ${size} ${mtimeNs}`;
}

/** The host ends with the process of the tests, and keeps that process running only while a command runs. */
export function startCommandHost(flags: readonly string[]): CommandHost {
  const child = spawn(process.execPath, [...flags, script], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    serialization: 'advanced',
  });
  const closed = once(child, 'close');
  const outputs = [child.stdout!, child.stderr!].map((stream) => stream.setEncoding('utf8'));
  let loaded: Done['loaded'] = [];
  return {
    isFit({ args, env, cwd }) {
      const settings = Object.entries(env).map(([name, value = '']) => (name.startsWith('GATEHOUSE_') ? value : ''));
      const folders = [...args, ...settings].map((path) => `${resolve(cwd, path)}/`);
      const isNamed = (file: string): boolean => folders.some((folder) => file.startsWith(folder));
      return loaded.every(([file, state]) => !isNamed(file) || stateOf(file) === state);
    },
    async run(order) {
      hold(child, true);
      const end = `\0${randomUUID()}`;
      const said = outputs.map((stream) => saidUntil(stream, end));
      const answered: Promise<Done | undefined> = once(child, 'message').then(([done]) => done);
      child.send({ ...order, end });
      const done = await Promise.race([answered, closed.then(() => undefined)]);
      const [out, err] = await Promise.all(said);
      hold(child, false);
      loaded = done?.loaded ?? loaded;
      // A command that ends its process ends it here as well.
      const [code, signal] = done === undefined ? await closed : [done.code, null];
      return { ended: { code, signal, out: out!, err: err! }, isAsNew: done?.isAsNew === true };
    },
    end: () => child.disconnect(),
  };
}

/** The text before `end`, or before the stream closes. */
function saidUntil(stream: Readable, end: string): Promise<string> {
  return new Promise((done) => {
    let said = '';
    const finish = (): void => {
      stream.off('data', add).off('close', finish);
      done(said.endsWith(end) ? said.slice(0, -end.length) : said);
    };
    const add = (text: string): void => {
      said += text;
      if (said.endsWith(end)) finish();
    };
    stream.on('data', add).on('close', finish);
  });
}

function hold(child: ChildProcess, isHeld: boolean): void {
  const way = isHeld ? 'ref' : 'unref';
  child[way]();
  child.channel?.[way]();
  for (const stream of [child.stdout, child.stderr]) (stream as Socket)[way]();
}
