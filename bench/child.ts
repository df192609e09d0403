// Whatever is measured runs in a process of its own, so that its processor time is its own. Both ends of the wire are here.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

type Methods = Record<string, (argument: never) => unknown>;

interface Asked {
  readonly number: number;
  readonly name: string;
  readonly argument: unknown;
}

interface Answered {
  readonly number: number;
  readonly value?: unknown;
  readonly failure?: string;
}

/** Microseconds of processor and bytes of memory a process has used. */
export interface Usage {
  readonly cpu: number;
  readonly rss: number;
}

export interface Child {
  call<R>(name: string, argument?: unknown): Promise<R>;
  usage(): Promise<Usage>;
  stop(): Promise<void>;
}

interface StartOptions {
  /** A file for what it writes to its standard error. */
  readonly errors?: string;
}

/** Starts a file of `children/`; it ends when told to, or when this process does. */
export function start(file: string, argument: unknown, { errors }: StartOptions = {}): Child {
  const path = join(import.meta.dirname, 'children', file);
  const stderr = errors === undefined ? 'inherit' : openSync(errors, 'a');
  const child = fork(path, { stdio: ['pipe', 'inherit', stderr, 'ipc'] });
  child.stdin!.end(JSON.stringify(argument)); // answers to be sent again are too long for a command line
  const call = caller(child);
  return {
    call,
    usage: () => call<Usage>('usage'),
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const over = once(child, 'exit');
      child.disconnect();
      await over;
    },
  };
}

function caller(child: ChildProcess): Child['call'] {
  const waiting = new Map<number, (answered: Answered) => void>();
  let number = 0;
  child.on('message', (answered: Answered) => waiting.get(answered.number)?.(answered));
  child.once('exit', (code) => {
    for (const answer of waiting.values()) answer({ number: 0, failure: `A measured process ended (${code}).` });
  });
  return async <R>(name: string, argument?: unknown): Promise<R> => {
    const mine = ++number;
    const { value, failure } = await new Promise<Answered>((resolve) => {
      waiting.set(mine, resolve);
      child.send({ number: mine, name, argument } satisfies Asked);
    });
    waiting.delete(mine);
    if (failure !== undefined) throw new Error(failure);
    return value as R;
  };
}

/** In the child: what it was started with. */
export const given = <T>(): T => JSON.parse(readFileSync(0, 'utf8')) as T;

/** In the child: what it does when asked. `stop` runs before it ends. */
export function offer(methods: Methods, stop: () => unknown = () => {}): void {
  const all: Methods = { usage, ...methods };
  process.on('message', async ({ number, name, argument }: Asked) => {
    const answer = (answered: Omit<Answered, 'number'>) => process.send?.({ number, ...answered });
    try {
      answer({ value: await all[name]?.(argument as never) });
    } catch (error) {
      answer({ failure: String((error as Error).stack) });
    }
  });
  process.once('disconnect', async () => {
    await stop();
    process.exit();
  });
}

export function usage(): Usage {
  const { user, system } = process.cpuUsage();
  return { cpu: user + system, rss: process.memoryUsage.rss() };
}
