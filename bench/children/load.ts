// Keeps each connection busy with one request at a time and counts the answers. Anything but a success ends the measuring.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { offer } from '../child.ts';
import type { Done, Load } from '../load.ts';

offer({ ask: (load: Load) => (load.before === undefined ? ask(load) : askAfter(load, load.before)) });

/** In milliseconds: what a change leaves to be done is done, and whoever asks is not the one who wrote. */
const moment = 5;

/** Only the time from each question to its answer counts. */
async function askAfter({ port, requests, milliseconds = 0 }: Load, before: readonly string[]): Promise<Done> {
  const socket = await open(port);
  const until = performance.now() + milliseconds;
  let [done, took] = [0, 0];
  while (performance.now() < until) {
    await answered(socket, before[done % before.length]!);
    await pause(moment);
    const asked = performance.now();
    await answered(socket, requests[done % requests.length]!);
    took += performance.now() - asked;
    done += 1;
  }
  socket.destroy();
  return { done, milliseconds: took };
}

async function answered(socket: Socket, request: string): Promise<void> {
  let isAsked = false;
  const next = (): Buffer | undefined => {
    if (isAsked) return undefined;
    isAsked = true;
    return Buffer.from(request);
  };
  await converse(socket, next, () => {});
  socket.removeAllListeners();
}

async function ask({
  port,
  connections,
  requests,
  milliseconds = Number.POSITIVE_INFINITY,
  count,
}: Load): Promise<Done> {
  const wire = requests.map((text) => Buffer.from(text));
  const sockets = await Promise.all(Array.from({ length: connections }, () => open(port)));
  const started = performance.now();
  const most = count ?? Number.POSITIVE_INFINITY;
  let asked = 0;
  let done = 0;
  const next = (): Buffer | undefined => {
    if (asked >= most || performance.now() - started >= milliseconds) return undefined;
    return wire[asked++ % wire.length];
  };
  await Promise.all(sockets.map((socket) => converse(socket, next, () => void done++)));
  const took = performance.now() - started;
  for (const socket of sockets) socket.destroy();
  return { done, milliseconds: took };
}

async function open(port: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  await once(socket, 'connect');
  return socket;
}

function converse(socket: Socket, next: () => Buffer | undefined, answered: () => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const say = (): void => {
      const request = next();
      if (request === undefined) resolve();
      else socket.write(request);
    };
    const read = answerReader(() => {
      answered();
      say();
    });
    socket.on('data', (chunk) => {
      try {
        read(chunk as Buffer);
      } catch (error) {
        reject(error);
      }
    });
    socket.once('error', reject);
    socket.once('close', () => reject(new Error('The server closed a connection in use.')));
    say();
  });
}

/** Tells when an answer is complete, by its Content-Length. */
function answerReader(complete: () => void): (chunk: Buffer) => void {
  let head: Buffer | undefined;
  let missing = 0;
  return (chunk) => {
    if (missing === 0) {
      const seen: Buffer = head === undefined ? chunk : Buffer.concat([head, chunk]);
      const end = seen.indexOf('\r\n\r\n');
      head = end < 0 ? seen : undefined;
      if (end < 0) return;
      missing = bodyLength(seen.toString('latin1', 0, end)) - (seen.length - end - 4);
    } else {
      missing -= chunk.length;
    }
    if (missing === 0) complete();
  };
}

function bodyLength(head: string): number {
  if (!/^HTTP\/1\.1 2/.test(head)) throw new Error(`The server refused a request: ${head.split('\r\n', 1)[0]}`);
  const length = /\r\ncontent-length: *(\d+)/i.exec(head);
  if (length === null) throw new Error('The server sent an answer without its length.');
  return Number(length[1]);
}
