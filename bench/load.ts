// The client that asks: a process of its own that knows just enough HTTP to cost next to nothing.
import { type Child, start } from './child.ts';
import { type Round, roundOf } from './measure.ts';

export interface Load {
  readonly port: number;
  readonly connections: number;
  /** Whole requests as they go over the wire, asked in turn. */
  readonly requests: readonly string[];
  /** Asked a moment before each of them, in turn, in time that does not count: what was kept of an answer is then old. On one connection. */
  readonly before?: readonly string[];
  /** When to stop. */
  readonly milliseconds?: number;
  readonly count?: number;
}

export interface Done {
  readonly done: number;
  readonly milliseconds: number;
}

export interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export function requestText(path: string, { method = 'GET', headers = {}, body }: Sent = {}): string {
  const typed = body === undefined ? {} : { 'Content-Type': 'application/json', 'Content-Length': body.length };
  const lines = Object.entries({ Host: 'localhost', ...headers, ...typed }).map(([name, value]) => `${name}: ${value}`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body ?? ''}`;
}

export interface Client {
  ask(load: Load): Promise<Done>;
  /** One round of questions to a server that runs in this child. */
  round(server: Child, load: Omit<Load, 'milliseconds'>): Promise<Round>;
  stop(): Promise<void>;
}

const roundMilliseconds = 500;

export function startClient(): Client {
  const child = start('load.ts', null);
  const ask = (load: Load) => child.call<Done>('ask', load);
  return {
    ask,
    round: (server, load) => roundOf(server, () => ask({ milliseconds: roundMilliseconds, ...load })),
    stop: child.stop,
  };
}
