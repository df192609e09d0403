// A crowd of clients in a process of its own: it opens connections as it is told, sends, and goes when its input ends.
import { connect, type Socket } from 'node:net';

export interface Crowd {
  readonly port: number;
  readonly connections: number;
  /** Sent on each connection, so many times, with `#` replaced by a number that no other request has. */
  readonly request: string;
  readonly each: number;
  /** Bytes that follow one after another, twice a second. */
  readonly trickle?: string;
  /** Nothing of the answers is read. */
  readonly isDeaf?: boolean;
}

const { port, connections, request, each, trickle, isDeaf } = JSON.parse(process.argv[2] ?? '') as Crowd;
const batch = 250;
const addresses = 200;
let number = 0;

const text = (): string => Array.from({ length: each }, () => request.replace('#', String(++number))).join('');

function client(at: number): Socket {
  // One address has too few ports for so many.
  const socket = connect({ port, host: '127.0.0.1', localAddress: `127.0.1.${1 + (at % addresses)}` });
  socket.on('error', () => {}).on('connect', () => socket.write(text()));
  return isDeaf ? socket.pause() : socket.resume();
}

const sockets: Socket[] = [];
for (let at = 0; at < connections; at++) {
  sockets.push(client(at));
  if (at % batch === batch - 1) await new Promise((resolve) => setTimeout(resolve, 25));
}
if (trickle !== undefined) {
  setInterval(() => {
    for (const socket of sockets) if (!socket.destroyed) socket.write(trickle);
  }, 500);
}
console.log('here');
process.stdin.resume().on('end', () => process.exit());
