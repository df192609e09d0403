// HTTP as an attacker writes it: bytes on a bare connection, and everything that came back.
import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { minute } from '#lib/spans.ts';
import { slowness } from './in-time.ts';

export interface Heard {
  readonly text: string;
  /** The status of every answer on the connection, in order. */
  readonly statuses: readonly number[];
  /** The body of the last answer, when it is JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of it.
  readonly body: any;
  /** Whether the other side ended the connection. */
  readonly closed: boolean;
}

/** Bytes to send, milliseconds to wait, what has to come back before more is sent, or anything else to wait for. */
export type Piece =
  | string
  | Uint8Array
  | { readonly wait: number }
  | { readonly heard: RegExp }
  | (() => Promise<unknown>);

export interface Manner {
  /** How long silence is listened to, in milliseconds. */
  readonly patience?: number;
  /** End our half after the last piece. */
  readonly hangUp?: boolean;
  /** Cut the connection after the last piece. */
  readonly cut?: boolean;
  /** How long nothing is read of what comes back, in milliseconds. */
  readonly deaf?: number;
}

/** Long enough for a busy machine: a connection that ends is not waited for. */
const patient = 2 * minute;

/** Sends the pieces one after another and listens until the connection ends or patience does. */
export function speak(port: number, pieces: readonly Piece[], manner: Manner = {}): Promise<Heard> {
  const { promise, resolve } = Promise.withResolvers<Heard>();
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  const chunks: Buffer[] = [];
  const textSoFar = (): string => Buffer.concat(chunks).toString('latin1');
  const finish = (closed: boolean): void => {
    clearTimeout(limit);
    socket.destroy();
    resolve(heard(textSoFar(), closed));
  };
  const { patience = patient } = manner;
  let limit = setTimeout(() => {
    // As much longer as the machine is slower: on an idle one it is over.
    limit = setTimeout(() => finish(false), (slowness() - 1) * patience);
  }, patience);
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  socket.on('end', () => finish(true));
  socket.on('error', () => finish(true));
  socket.on('close', () => finish(true));
  if (manner.deaf !== undefined) {
    socket.pause();
    setTimeout(() => socket.resume(), manner.deaf);
  }
  socket.on('connect', async () => {
    for (const piece of pieces) {
      if (socket.destroyed) return;
      if (typeof piece === 'function') await piece();
      else if (typeof piece === 'object' && 'wait' in piece) await wait(piece.wait);
      else if (typeof piece === 'object' && 'heard' in piece)
        await heardOn(socket, () => piece.heard.test(textSoFar()));
      else socket.write(piece);
    }
    if (manner.hangUp) socket.end();
    if (manner.cut) finish(true);
  });
  return promise;
}

/** Until this is true of what came back, or the connection has ended. */
async function heardOn(socket: Socket, isEnough: () => boolean): Promise<void> {
  while (!isEnough() && !socket.destroyed && !socket.readableEnded)
    await new Promise<void>((resolve) => {
      const go = (): void => {
        for (const event of ['data', 'end', 'close']) socket.off(event, go);
        resolve();
      };
      for (const event of ['data', 'end', 'close']) socket.on(event, go);
    });
}

function heard(text: string, closed: boolean): Heard {
  const statuses = [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map((match) => Number(match[1]));
  return { text, statuses, closed, body: jsonOf(text.slice(text.lastIndexOf('\r\n\r\n') + 4)) };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'latin1').toString('utf8'));
  } catch {
    return undefined;
  }
}

/** A request as text: the header lines as they are given, and a body without its length unless a line says it. */
export const written = (line: string, headers: readonly string[], body = ''): string =>
  `${[line, ...headers].join('\r\n')}\r\n\r\n${body}`;
